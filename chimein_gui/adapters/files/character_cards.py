"""Files of character cards: those that the operator chooses, and the copies of those that became agents."""

from __future__ import annotations

import asyncio
import hashlib
import re
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.atomic import make_private, write_atomic
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.character_cards import CardReason

if TYPE_CHECKING:
    from pathlib import Path

_NAME = re.compile(r"[0-9a-f]{64}")


class CharacterCardCopies:
    """Implements `engine.ports.CharacterCardFiles`; all file work is done in threads."""

    def __init__(self, directory: Path) -> None:
        """`directory` is the copies' own one; it is made with the first copy."""
        self._directory = directory

    async def read(self, path: Path, most: int) -> bytes:
        return await asyncio.to_thread(_read, path, most)

    async def write(self, path: Path, data: bytes) -> None:
        await asyncio.to_thread(_write, path, data)

    async def keep(self, data: bytes) -> str:
        return await asyncio.to_thread(self._keep, data)

    async def kept(self, name: str) -> bytes | None:
        return await asyncio.to_thread(self._kept, name)

    def _keep(self, data: bytes) -> str:
        name = hashlib.sha256(data).hexdigest()
        try:
            make_private(self._directory)
        except OSError as error:
            raise _not_written(self._directory, error) from error
        _write(self._directory / name, data)
        return name

    def _kept(self, name: str) -> bytes | None:
        if not _NAME.fullmatch(name):
            return None
        try:
            data = (self._directory / name).read_bytes()
        except OSError:
            return None
        return data if hashlib.sha256(data).hexdigest() == name else None


def _read(path: Path, most: int) -> bytes:
    try:
        if not path.is_file():  # a pipe or a device would never end
            raise RefusedError(Note(CardReason.NO_FILE))
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise RefusedError(Note(CardReason.NO_FILE, str(error.strerror or error))) from error


def _write(path: Path, data: bytes) -> None:
    try:
        write_atomic(path, data)
    except OSError as error:
        raise _not_written(path, error) from error


def _not_written(path: Path, error: OSError) -> RefusedError:
    return RefusedError(Note(CardReason.NOT_WRITTEN, str(path), more=str(error.strerror or error)))
