"""Stores the bytes of files: in a directory, or in memory for a world that ends with its process."""

import contextlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from chimein_gui.sandbox.media.records import Content


@dataclass(frozen=True, slots=True)
class FileContent:
    """Bytes of a file on the disk, read when requested."""

    path: Path
    size: int

    def read(self, offset: int, limit: int) -> bytes:
        """Return at most `limit` bytes from `offset`."""
        with self.path.open("rb") as file:
            file.seek(offset)
            return file.read(limit)


@dataclass(frozen=True, slots=True)
class MemoryContent:
    """Bytes in memory."""

    data: bytes

    @property
    def size(self) -> int:
        """Length in bytes."""
        return len(self.data)

    def read(self, offset: int, limit: int) -> bytes:
        """Return at most `limit` bytes from `offset`."""
        return self.data[offset : offset + limit]


class Blobs(Protocol):
    """Stores bytes by file id."""

    def put(self, file_id: int, pieces: Iterable[bytes]) -> None:
        """Store bytes: all of them or, on an error, none."""

    def get(self, file_id: int) -> Content | None:
        """Return the stored bytes of a file."""
        ...


class MemoryBlobs:
    """Keeps bytes in memory until the process ends."""

    def __init__(self) -> None:
        self._kept: dict[int, MemoryContent] = {}

    def put(self, file_id: int, pieces: Iterable[bytes]) -> None:
        """Store bytes."""
        self._kept[file_id] = MemoryContent(b"".join(pieces))

    def get(self, file_id: int) -> Content | None:
        """Return the stored bytes of a file."""
        return self._kept.get(file_id)


class DiskBlobs:
    """Keeps bytes in a directory that only the user can read; files that a killed process left incomplete are removed.

    Args:
        directory: Created if missing, with its parent.
    """

    def __init__(self, directory: Path) -> None:
        directory.parent.mkdir(mode=0o700, exist_ok=True)
        directory.mkdir(mode=0o700, exist_ok=True)
        self._directory = directory
        for unfinished in directory.glob("*.part"):
            unfinished.unlink()

    def put(self, file_id: int, pieces: Iterable[bytes]) -> None:
        """Store bytes; without fsync, because what a process has written survives its being killed."""
        path = self._directory / str(file_id)
        unfinished = path.with_suffix(".part")
        try:
            with open(unfinished, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
                file.writelines(pieces)
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise

    def get(self, file_id: int) -> Content | None:
        """Return the stored bytes of a file."""
        path = self._directory / str(file_id)
        with contextlib.suppress(FileNotFoundError):
            return FileContent(path, path.stat().st_size)
        return None
