"""Copies of the files that the operator sends, so that changes of the originals do not matter."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import mimetypes
import os
import re
import secrets
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.atomic import PRIVATE, make_private
from chimein_gui.domain.errors import Refusal, RefusedError
from chimein_gui.domain.plans.outgoing_files import MAX_FILE_BYTES, MAX_PHOTO_BYTES, FileToSend, OutgoingFile

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

_NAME = re.compile(r"[0-9a-f]{32}")
_PIECE = 1024 * 1024
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class OutgoingCopies:
    """Implements `engine.ports.OutgoingFiles`; all file work is done in threads."""

    def __init__(self, directory: Path, most_bytes: int = MAX_FILE_BYTES) -> None:
        """Create the adapter; the directory is made with the first file.

        Args:
            directory: The copies' own directory: everything else in it may be removed.
            most_bytes: The largest accepted file.
        """
        self._directory = directory
        self._most_bytes = most_bytes

    async def take(self, given: FileToSend) -> OutgoingFile:
        return await asyncio.to_thread(self._take, given)

    async def find(self, name: str) -> Path | None:
        path = self._path(name)
        return path if await asyncio.to_thread(path.is_file) else None

    async def drop(self, name: str) -> None:
        await asyncio.to_thread(_remove, self._path(name))

    async def sweep(self, kept: frozenset[str]) -> None:
        await asyncio.to_thread(self._sweep, kept)

    def _take(self, given: FileToSend) -> OutgoingFile:
        name = secrets.token_hex(16)
        path = self._directory / name
        try:
            with _with_reason():
                make_private(self._directory)
            size = self._copy(given, path)
        except BaseException:
            _remove(path)
            raise
        mime_type = mimetypes.guess_type(given.file_name)[0] or "application/octet-stream"
        as_photo = given.as_photo and size <= MAX_PHOTO_BYTES
        return OutgoingFile(name, given.file_name, size, mime_type, as_photo, given.width, given.height)

    def _copy(self, given: FileToSend, path: Path) -> int:
        """Copy the bytes and flush them to the disk; returns their number."""
        size = 0
        with contextlib.closing(_pieces(given.source)) as pieces, _Copy(path) as copy:
            for piece in pieces:
                size += len(piece)
                if size > self._most_bytes:
                    raise RefusedError("The file is larger than Telegram takes.", Refusal.FILE_TOO_LARGE)
                copy.write(piece)
            copy.finish()
        if not size:
            raise RefusedError("The file is empty.", Refusal.FILE_EMPTY)
        return size

    def _sweep(self, kept: frozenset[str]) -> None:
        with contextlib.suppress(OSError):
            for path in self._directory.iterdir():
                if path.name not in kept:
                    _remove(path)

    def _path(self, name: str) -> Path:
        if _NAME.fullmatch(name) is None:
            raise ValueError(f"not a name of a copy: {name!r}")
        return self._directory / name


class _Copy:
    """A copy being written; errors of the disk become refusals."""

    def __init__(self, path: Path) -> None:
        with _with_reason():
            self._file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb")

    def __enter__(self) -> _Copy:
        return self

    def __exit__(self, *_error: object) -> None:
        with contextlib.suppress(OSError):
            self._file.close()

    def write(self, piece: bytes) -> None:
        with _with_reason():
            self._file.write(piece)

    def finish(self) -> None:
        with _with_reason():
            self._file.flush()
            os.fsync(self._file.fileno())


@contextlib.contextmanager
def _with_reason() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        refusal = Refusal.DISK_FULL if error.errno in _NO_ROOM else Refusal.DISK_REFUSES
        raise RefusedError(f"The copy could not be written: {error.strerror}.", refusal) from error


def _pieces(source: Path | bytes) -> Generator[bytes, None, None]:
    if isinstance(source, bytes):
        yield source
        return
    try:
        with source.open("rb") as file:
            while piece := file.read(_PIECE):
                yield piece
    except OSError as error:
        raise RefusedError(f"The file could not be read: {error.strerror}.", Refusal.FILE_UNREADABLE) from error


def _remove(path: Path) -> None:
    """Remove a copy; if it can't be removed, a later sweep does it."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
