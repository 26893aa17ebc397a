"""Uploads files in parts; no message contains them yet."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from typing import BinaryIO

from chimein_gui.adapters.telegram.transport.tl import TLObject, functions, types
from chimein_gui.domain.errors import MediaTrouble, MediaUnavailableError

PART = 512 * 1024
"""Bytes per part: the largest that Telegram accepts."""

SMALL_FILE = 10 * 1024 * 1024
"""Larger files use the requests for big files."""

Ask = Callable[[TLObject], Awaitable[TLObject]]


async def upload(ask: Ask, path: Path, size: int, file_name: str, on_progress: Callable[[int], None]) -> TLObject:
    """Upload a file and return its handle for a message: InputFile or InputFileBig.

    Args:
        ask: Sends a request to Telegram.
        path: Path of the file.
        size: Its bytes.
        file_name: As the receiver sees it.
        on_progress: Called with the number of uploaded bytes.

    Raises:
        MediaUnavailableError: It cannot be read, or its size has changed.
        Exception: An exception of `ask`.
    """
    file_id, parts, is_big = secrets.randbits(63), -(-size // PART), size > SMALL_FILE
    digest, arrived, index = hashlib.md5(usedforsecurity=False), 0, 0
    async with aclosing(_parts(path)) as pieces:
        async for piece in pieces:
            if arrived + len(piece) > size:
                break
            if is_big:
                request = functions.upload.SaveBigFilePartRequest(file_id, index, parts, piece)
            else:
                digest.update(piece)
                request = functions.upload.SaveFilePartRequest(file_id, index, piece)
            await ask(request)
            arrived, index = arrived + len(piece), index + 1
            on_progress(arrived)
    if arrived != size:
        raise MediaUnavailableError("The file is not as large as it was.", MediaTrouble.GONE)
    if is_big:
        return types.InputFileBig(file_id, parts, file_name)
    return types.InputFile(file_id, parts, file_name, digest.hexdigest())


async def _parts(path: Path) -> AsyncGenerator[bytes, None]:
    try:
        file = await asyncio.to_thread(path.open, "rb")
    except OSError as error:
        raise MediaUnavailableError(str(error), MediaTrouble.GONE) from error
    with file:
        while piece := await asyncio.to_thread(_read, file):
            yield piece


def _read(file: BinaryIO) -> bytes:
    try:
        return file.read(PART)
    except OSError as error:
        raise MediaUnavailableError(str(error), MediaTrouble.GONE) from error
