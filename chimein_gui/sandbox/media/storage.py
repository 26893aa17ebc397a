"""Where bytes are kept: files of a directory, or memory in a world that ends with its process."""

import contextlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from chimein_gui.sandbox.media.records import Content


class StorageFullError(Exception):
    """Nothing more fits; the sandbox must not eat the disk of who rehearses."""


@dataclass(frozen=True, slots=True)
class FileContent:
    """Bytes of a file, read when they are asked for."""

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
    """Named bytes."""

    def put(self, name: str, pieces: Iterable[bytes]) -> Content:
        """Keep bytes under a name of the caller's making; all of them or, on an error, none.

        Raises:
            StorageFullError: If nothing more fits.
        """
        ...

    def get(self, name: str) -> Content | None:
        """Return what is kept under a name."""
        ...

    def drop(self, name: str) -> None:
        """Forget a name; an unknown one does nothing."""
        ...

    def names(self) -> list[str]:
        """Return all names, oldest first."""
        ...


class MemoryBlobs:
    """Blobs that end with the process.

    Args:
        cap: Bytes in all.
    """

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._kept: dict[str, MemoryContent] = {}
        self._used = 0

    def put(self, name: str, pieces: Iterable[bytes]) -> Content:
        """Keep bytes under a name."""
        content = MemoryContent(b"".join(pieces))
        self.drop(name)
        if self._used + content.size > self._cap:
            raise StorageFullError
        self._kept[name] = content
        self._used += content.size
        return content

    def get(self, name: str) -> Content | None:
        """Return what is kept under a name."""
        return self._kept.get(name)

    def drop(self, name: str) -> None:
        """Forget a name."""
        if (gone := self._kept.pop(name, None)) is not None:
            self._used -= gone.size

    def names(self) -> list[str]:
        """Return all names, oldest first."""
        return list(self._kept)


class DiskBlobs:
    """Blobs in a directory, private to the user; what `kill -9` leaves half-written is removed at the next start.

    Names are ours, never a client's: digits, dots and dashes.

    Args:
        directory: Made if missing, its parent too.
        cap: Bytes in all.
    """

    def __init__(self, directory: Path, cap: int) -> None:
        directory.parent.mkdir(mode=0o700, exist_ok=True)
        directory.mkdir(mode=0o700, exist_ok=True)
        self._directory = directory
        self._cap = cap
        self._sizes = dict(self._found())
        self._used = sum(self._sizes.values())

    def put(self, name: str, pieces: Iterable[bytes]) -> Content:
        """Keep bytes under a name."""
        path, unfinished = self._directory / name, self._directory / f"{name}.part"
        replaced = self._sizes.get(name, 0)
        try:
            size = _write(unfinished, pieces, self._cap - self._used + replaced)
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
        self._sizes[name] = size
        self._used += size - replaced
        return FileContent(path, size)

    def get(self, name: str) -> Content | None:
        """Return what is kept under a name."""
        size = self._sizes.get(name)
        return None if size is None else FileContent(self._directory / name, size)

    def drop(self, name: str) -> None:
        """Forget a name."""
        if (size := self._sizes.pop(name, None)) is not None:
            self._used -= size
            with contextlib.suppress(FileNotFoundError):
                (self._directory / name).unlink()

    def names(self) -> list[str]:
        """Return all names, oldest first."""
        return list(self._sizes)

    def _found(self) -> Iterator[tuple[str, int]]:
        entries = sorted(os.scandir(self._directory), key=lambda entry: entry.stat().st_mtime_ns)
        for entry in entries:
            if entry.name.endswith(".part"):
                Path(entry.path).unlink()
            elif entry.is_file():
                yield entry.name, entry.stat().st_size


def _write(path: Path, pieces: Iterable[bytes], free: int) -> int:
    """Write a private file; no fsync, because a killed process loses nothing that it has written."""
    size = 0
    with open(path, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        for piece in pieces:
            size += len(piece)
            if size > free:
                raise StorageFullError
            file.write(piece)
    return size
