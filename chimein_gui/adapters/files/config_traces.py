"""Fingerprints of the files in the config directories, to detect changes of anything an agent is made of."""

from __future__ import annotations

import contextlib
import stat
import threading
from hashlib import blake2b
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.agents.agents import is_agents_file
from chimein_gui.adapters.files.texts import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_StatKey = tuple[int, int, int, int]

_ODD = b"no file"
_UNREADABLE = b"can't be read: %d"


class ConfigTraces:
    """Computes fingerprints of agent files and prompts; safe to call from several threads."""

    def __init__(self, config_dirs: Sequence[Path]) -> None:
        """Create it for these directories, which need not exist."""
        self._config_dirs = tuple(config_dirs)
        self._lock = threading.Lock()
        self._read: dict[str, tuple[_StatKey, bytes]] = {}

    def take(self, *, thorough: bool) -> Mapping[str, bytes]:
        """Return a fingerprint for every file that agents are made of, by path; equal ones mean no change.

        Args:
            thorough: Read all files; otherwise files with unchanged size, time and inode count as unchanged.
        """
        with self._lock:
            before = {} if thorough else self._read
            self._read = {}
            found: dict[str, bytes] = {}
            for folder in self._folders():
                try:
                    files = [path for path in folder.iterdir() if is_agents_file(path)]
                except (FileNotFoundError, NotADirectoryError):
                    continue
                except OSError as error:
                    found[str(folder)] = _UNREADABLE % (error.errno or 0)
                    continue
                found.update((str(path), self._trace(path, before)) for path in files)
            return found

    def roots(self) -> Mapping[str, tuple[int, int]]:
        """Return the directories to watch, not recursively, each with device and inode.

        For a missing directory its nearest ancestor is watched, and for a link the directory of its target.
        """
        wanted = [place for folder in self._folders() for place in (folder, folder.parent)]
        for folder in self._folders():
            with contextlib.suppress(OSError):
                for path in folder.iterdir():
                    with contextlib.suppress(OSError, RuntimeError):  # before Python 3.13 the latter means a circle
                        if path.is_symlink():
                            wanted.append(path.resolve().parent)
        found = {}
        for place in (*self._config_dirs, *wanted):
            for directory in (place, *place.parents):
                with contextlib.suppress(OSError):
                    now = directory.stat()
                    if stat.S_ISDIR(now.st_mode):
                        found[str(directory)] = (now.st_dev, now.st_ino)
                        break
        return found

    def _folders(self) -> Iterator[Path]:
        for directory in self._config_dirs:
            yield directory / "prompts"
            agents = directory / "agents"
            yield agents
            with contextlib.suppress(OSError):
                for entry in sorted(agents.iterdir()):
                    if not is_agents_file(entry) and entry.is_dir():
                        yield entry / "prompts"

    def _trace(self, path: Path, before: Mapping[str, tuple[_StatKey, bytes]]) -> bytes:
        try:
            now = path.stat()
            if not stat.S_ISREG(now.st_mode):
                return _ODD
            key = (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns)
            known = before.get(str(path))
            if known is None or known[0] != key:
                with path.open("rb") as file:
                    known = (key, blake2b(file.read(MAX_BYTES + 1), digest_size=16).digest())
        except OSError as error:
            return _UNREADABLE % (error.errno or 0)
        self._read[str(path)] = known
        return known[1]
