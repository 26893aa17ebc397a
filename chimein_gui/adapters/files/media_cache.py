"""Cache of files fetched for display, named by ids; the least recently used are removed first."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import tempfile
import threading
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.atomic import make_private

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

MOST_BYTES = 512 * 2**20
"""Most bytes of all files together."""

_NAME = re.compile(r"-?\d+(\.thumb)?")
_UNFINISHED = ".tmp"
_KEPT_SHARE = 0.9
"""Share that remains after a clean-up, so that not every file needs one."""


class MediaCacheFiles:
    """Implements `engine.ports.MediaCache`; all file work is done in threads."""

    def __init__(self, directory: Path, most_bytes: int = MOST_BYTES) -> None:
        """Create the cache; with the first file the directory is made and remains of a crash are removed.

        Args:
            directory: The cache's own directory: everything else in it may be removed.
            most_bytes: Most bytes of all files together.
        """
        self._directory = directory
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._is_clean = False
        self._total: int | None = None

    async def find(self, name: str) -> Path | None:
        path = self._path(name)
        return path if await asyncio.to_thread(_touch, path) else None

    async def keep(self, name: str, pieces: AsyncGenerator[bytes, None]) -> Path:
        path = self._path(name)
        part = await asyncio.to_thread(self._begin)
        try:
            async with contextlib.aclosing(pieces):
                async for piece in pieces:
                    await asyncio.to_thread(part.write, piece)
            await asyncio.to_thread(self._finish, part, path)
        except BaseException:
            # In a thread, because a cancelled thread may still be writing.
            await asyncio.shield(asyncio.get_running_loop().run_in_executor(None, part.drop))
            raise
        return path

    def _path(self, name: str) -> Path:
        if _NAME.fullmatch(name) is None:
            raise ValueError(f"not a name of a shown file: {name!r}")
        return self._directory / name

    def _begin(self) -> _Part:
        with self._lock:
            make_private(self._directory)
            if not self._is_clean:
                self._is_clean = True
                for left in self._directory.glob(f"*{_UNFINISHED}"):
                    with contextlib.suppress(OSError):
                        left.unlink()
            return _Part(self._directory)

    def _finish(self, part: _Part, path: Path) -> None:
        size = part.publish(path)
        with self._lock:
            if self._total is None:
                self._total = sum(one[1] for one in self._kept())
            else:
                self._total += size
            if self._total > self._most_bytes:
                self._total = self._make_room(path)

    def _make_room(self, newest: Path) -> int:
        """Remove the least recently used files until 90 % of the limit remain; returns the remaining bytes."""
        kept = sorted(self._kept())
        total = sum(size for _, size, _ in kept)
        for _, size, path in kept:
            if total <= self._most_bytes * _KEPT_SHARE:
                break
            if path != newest:
                with contextlib.suppress(OSError):
                    path.unlink()
                    total -= size
        return total

    def _kept(self) -> list[tuple[int, int, Path]]:
        """Return time of use, size and path of each file."""
        kept = []
        with os.scandir(self._directory) as entries:
            for entry in entries:
                if entry.name.endswith(_UNFINISHED):
                    continue
                with contextlib.suppress(OSError):
                    facts = entry.stat(follow_symlinks=False)
                    kept.append((facts.st_mtime_ns, facts.st_size, self._directory / entry.name))
        return kept


class _Part:
    """A file being written; a lock serialises its threads."""

    def __init__(self, directory: Path) -> None:
        descriptor, name = tempfile.mkstemp(suffix=_UNFINISHED, dir=directory)
        self._path = directory / os.path.basename(name)  # noqa: PTH119 - mkstemp gives a string
        self._file = os.fdopen(descriptor, "wb", buffering=0)
        self._lock = threading.Lock()

    def write(self, piece: bytes) -> None:
        """Append data; ignored after `drop`."""
        with self._lock:
            rest = memoryview(piece)
            while rest and not self._file.closed:
                rest = rest[self._file.write(rest) or 0 :]

    def publish(self, path: Path) -> int:
        """Flush the file and rename it to its name, unless it was dropped; returns its size."""
        with self._lock:
            if self._file.closed:
                return 0
            size = self._file.tell()
            os.fsync(self._file.fileno())
            self._file.close()
            self._path.replace(path)
            return size

    def drop(self) -> None:
        """Close and delete the file."""
        with self._lock, contextlib.suppress(OSError):
            self._file.close()
            self._path.unlink(missing_ok=True)


def _touch(path: Path) -> bool:
    try:
        os.utime(path)
    except FileNotFoundError:
        return False
    except OSError:
        return path.is_file()
    return True
