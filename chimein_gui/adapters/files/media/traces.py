"""Fingerprints of the files of descriptions, to detect changes."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path


class MediaTraces:
    """Computes fingerprints of descriptions: size, time and inode, because there may be ten thousand of them."""

    def __init__(self, config_dirs: Sequence[Path], cache: Path) -> None:
        """Create it for these config directories and the cache, which need not exist."""
        self._config_dirs, self._cache = tuple(config_dirs), cache

    def take(self, *, thorough: bool) -> Mapping[str, bytes]:  # noqa: ARG002 - the watch's other fingerprints read
        """Return a fingerprint for every file, by path; equal ones mean no change."""
        found: dict[str, bytes] = {}
        for folder in self._folders():
            try:
                with os.scandir(folder) as entries:
                    found.update(_traced(entries))
            except OSError:
                continue
        return found

    def roots(self) -> Mapping[str, tuple[int, int]]:
        """Return the directories to watch, not recursively, each with device and inode.

        For a missing directory its nearest ancestor is watched.
        """
        found = {}
        for place in (*self._folders(), *(one / "agents" for one in self._config_dirs), *self._agents()):
            for directory in (place, *place.parents):
                try:
                    now = directory.stat()
                except OSError:
                    continue
                if stat.S_ISDIR(now.st_mode):
                    found[str(directory)] = (now.st_dev, now.st_ino)
                    break
        return found

    def _folders(self) -> Iterator[Path]:
        for directory in self._config_dirs:
            yield directory / "media"
            yield from media_folders(directory / "agents")
        yield self._cache

    def _agents(self) -> Iterator[Path]:
        for directory in self._config_dirs:
            yield from (folder.parent for folder in media_folders(directory / "agents"))


def media_folders(agents: Path) -> Iterator[Path]:
    """Yield where the agents of a config directory have descriptions of their own, or could have them."""
    try:
        folders = sorted(entry.name for entry in os.scandir(agents) if entry.is_dir())
    except OSError:
        return
    for name in folders:
        yield agents / name / "media"


def _traced(entries: Iterator[os.DirEntry[str]]) -> Iterator[tuple[str, bytes]]:
    for entry in entries:
        if entry.name.endswith(".json"):
            try:
                now = entry.stat()
            except OSError:
                continue
            yield entry.path, f"{now.st_ino} {now.st_size} {now.st_mtime_ns}".encode()
