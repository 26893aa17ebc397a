"""Memories of agents: Markdown files in the state directory that people read and edit.

See docs/behaviour.md, "Memory".
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import stat
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from chimein_gui.adapters.files.atomic import make_private, write_atomic
from chimein_gui.adapters.files.memory_history.drafts import MemoryDrafts
from chimein_gui.adapters.files.memory_history.versions import MemoryVersions
from chimein_gui.adapters.files.memory_places import MemoryPlaces, text_of
from chimein_gui.domain.failpoints import Failpoint, Reach, pass_by
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind, MemoryText
from chimein_gui.domain.memory.files import entry_of, is_untouched, place_of_key
from chimein_gui.domain.memory.provenance import Source, provenance_of
from chimein_gui.domain.memory.versions import Author, OutsideChange

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    from chimein_gui.domain.memory.entries import MemoryScope
    from chimein_gui.domain.memory.merging.drafts import MemoryDraft
    from chimein_gui.domain.memory.provenance import FileCount
    from chimein_gui.domain.memory.versions import MemoryVersion

T = TypeVar("T")

_AUTHORS = {Source.REPLY: Author.REPLY, Source.ORDER: Author.ORDER, Source.EXTRACTION: Author.EXTRACTION}


class MarkdownMemoryFiles:
    """Implements `engine.ports.MemoryFiles`; files are read and written in a thread, one at a time.

    Attributes:
        lock: Held while a file is written.
    """

    def __init__(
        self, state: Path, config: Sequence[Path] = (), samples: Path | None = None, reach: Reach = pass_by
    ) -> None:
        """Create the adapter.

        Args:
            state: Holds what agents remember; and the operator's notes where only samples are given.
            config: The config directories with the operator's notes, earlier ones first.
            samples: The config directory that comes with Chimein; nothing is written there.
            reach: Called in a thread before and after a memory is appended to its file.
        """
        self._reach = reach
        self._places = MemoryPlaces(state, config, samples)
        self.lock = self._lock = threading.Lock()
        self._versions, self._drafts = MemoryVersions(state), MemoryDrafts(state)

    async def texts(self, scope: MemoryScope) -> tuple[MemoryText, ...]:
        """Read the memory files that a chat may see; one that can't be read has a problem."""
        return await asyncio.to_thread(lambda: tuple(self._places.texts(scope)))

    async def files(self, agent_names: Collection[str]) -> tuple[MemoryFile, ...]:
        """Return the memory files that exist of some agents."""
        return await asyncio.to_thread(lambda: tuple(dict.fromkeys(self._places.files(tuple(agent_names)))))

    async def counts(self, agent_names: Collection[str]) -> dict[MemoryFile, FileCount]:
        """Return the memory files that exist of some agents, with their numbers of entries; 0 for unreadable ones."""
        return await asyncio.to_thread(self._places.counts, tuple(agent_names))

    async def text(self, file: MemoryFile) -> MemoryText:
        """Read one file; one that does not exist is empty, and one that can't be read has a problem."""
        return await asyncio.to_thread(self._text, file)

    async def write(self, file: MemoryFile, content: str, expected: str, author: Author = Author.OPERATOR) -> bool:
        """Write a file if it still is as expected, and keep the new version; returns False if it is not.

        Raises:
            OSError: Nothing was changed.
        """
        return await asyncio.to_thread(self._write, file, content, expected, author)

    async def notice(self, file: MemoryFile, only: str | None = None) -> None:
        """Keep a version of what another program wrote to a file that holds `only`; failing to keep it is no error."""
        await asyncio.to_thread(self._notice, file, only)

    async def outside_change(self, file: MemoryFile) -> OutsideChange | None:
        """Return what another program made of a file since its newest version, as far as that is known."""
        return await asyncio.to_thread(self._outside_change, file)

    async def versions(self, file: MemoryFile) -> tuple[MemoryVersion, ...]:
        """Return the versions of a file, newest first."""
        return await asyncio.to_thread(self._locked, lambda: tuple(self._versions.all_of(file)))

    async def version_text(self, file: MemoryFile, name: str) -> str:
        """Return the content of a version.

        Raises:
            NotFoundError: There is no such version any more.
            OSError: It can't be read.
        """
        return await asyncio.to_thread(self._versions.content_of, file, name)

    async def keep_draft(self, draft: MemoryDraft) -> None:
        """Keep what is being typed against a crash; an earlier draft of the file is replaced.

        Raises:
            OSError: It is not kept.
        """
        await asyncio.to_thread(self._drafts.keep, draft)

    async def drop_draft(self, file: MemoryFile) -> None:
        """Forget the draft of a file."""
        await asyncio.to_thread(self._drafts.drop, file)

    async def drafts(self) -> tuple[MemoryDraft, ...]:
        """Return the drafts that an earlier run left."""
        return await asyncio.to_thread(self._drafts.all)

    def _text(self, file: MemoryFile) -> MemoryText:
        path = self._places.path_of(file)
        return text_of(file.kind, path) or MemoryText(file.kind, str(path))

    def _write(self, file: MemoryFile, content: str, expected: str, author: Author = Author.OPERATOR) -> bool:
        path = self._places.place_of(file)
        with self._lock:
            old = text_of(file.kind, self._places.path_of(file))
            if old is not None and (old.problem is not None or old.text != expected):
                return False
            if old is None and expected:
                return False
            path.parent.mkdir(parents=True, exist_ok=True)
            if file.kind is not MemoryKind.CURATED:
                make_private(path.parent)
            self._replace(file, path, expected, content, author)
        return True

    def _notice(self, file: MemoryFile, only: str | None = None) -> None:
        path = self._places.path_of(file)
        with self._lock:
            found = text_of(file.kind, path)
            content = found.text if found is not None else ""
            if (found is None or found.problem is None) and only in (None, content):
                self._keep_found(file, path, content)

    def _outside_change(self, file: MemoryFile) -> OutsideChange | None:
        with self._lock:
            found = text_of(file.kind, self._places.path_of(file))
            if found is not None and found.problem is not None:
                return None
            after = found.text if found is not None else ""
            before = self._versions.known_before(file, after)
        return None if before is None else OutsideChange(before, after, is_missing=found is None)

    def _locked(self, work: Callable[[], T]) -> T:
        with self._lock:
            return work()

    def _keep_found(self, file: MemoryFile, path: Path, content: str) -> None:
        with contextlib.suppress(OSError):
            self._versions.notice(file, content, _changed_at(path))

    def _replace(
        self, file: MemoryFile, path: Path, old: str, content: str, author: Author, plan: int | None = None
    ) -> None:
        """Write new content and keep its version, and that of what another program wrote before."""
        _refuse_locked(path)
        self._keep_found(file, path, old)
        write_atomic(path, content.encode("utf-8", "surrogateescape"))
        with contextlib.suppress(OSError):  # the file itself is written
            self._versions.keep(file, content, _changed_at(path), author, plan)

    async def append(
        self, agent_name: str, text: str, *, at: datetime, provenance: str, key: str, partner: PeerId | None = None
    ) -> None:
        """Append one entry to ``<agent>/memory.md``, or to the partner's file; an existing key is left unchanged.

        Raises:
            OSError: Nothing was written.
        """
        entry = entry_of(text, at=at, provenance=provenance, key=key)
        await asyncio.to_thread(self._append, _file_of(agent_name, partner), entry, key)

    async def remove(self, agent_name: str, *, key: str, partner: PeerId | None = None) -> bool:
        """Remove one entry; returns False if the operator has already removed it, or changed its text.

        Raises:
            OSError: Nothing was changed.
        """
        return await asyncio.to_thread(self._remove, _file_of(agent_name, partner), key)

    def _append(self, file: MemoryFile, entry: str, key: str) -> None:
        path, origin = self._places.path_of(file), provenance_of(entry)
        with self._lock:
            old = _read(path)
            if place_of_key(old, key) is not None:
                return
            make_private(path.parent)
            gap = "" if not old or old.endswith("\n\n") else "\n" if old.endswith("\n") else "\n\n"
            author = _AUTHORS.get(origin.source, Author.OPERATOR)
            self._reach(Failpoint.BEFORE_MEMORY_FILE)
            self._replace(file, path, old, f"{old}{gap}{entry}", author, origin.plan)
            self._reach(Failpoint.AFTER_MEMORY_FILE)

    def _remove(self, file: MemoryFile, key: str) -> bool:
        path = self._places.path_of(file)
        with self._lock:
            old = _read(path)
            place = place_of_key(old, key)
            if place is None or not is_untouched(old[slice(*place)]):
                return False
            self._replace(file, path, old, old[: place[0]] + old[place[1] :], Author.UNDO)
        return True


def _refuse_locked(path: Path) -> None:
    """Refuse to replace a file that somebody has made read-only, though its directory would allow it."""
    if path.exists() and not path.stat().st_mode & stat.S_IWUSR:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return ""


def _changed_at(path: Path) -> datetime:
    """Return when a file changed; for one that is gone when its folder did."""
    place = path if path.exists() else path.parent
    return datetime.fromtimestamp(place.stat().st_mtime, UTC)


def _file_of(agent_name: str, partner: PeerId | None) -> MemoryFile:
    kind = MemoryKind.REMEMBERED if partner is None else MemoryKind.ABOUT_PARTNER
    return MemoryFile(kind, agent_name, partner)
