"""Searches memories: keeps the index in step with the files, and never shows a chat what it may not see.

The index is derived. What changed is indexed before each search, and all files once after the start.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import note_of
from chimein_gui.domain.memory.choice import query_from
from chimein_gui.domain.memory.edits import indexed_entries
from chimein_gui.domain.memory.entries import MemoryScope
from chimein_gui.domain.memory.recall import LOSERS, TOP, readable_files
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.core.event_bus import FaultLine

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.memory.entries import MemoryFile, MemoryText, MemoryView
    from chimein_gui.domain.memory.recall import Recall, Recalled
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, MemoryFiles, MemoryIndex

_log = logging.getLogger(__name__)

PATIENCE_S = 2.0
"""Longest search, in seconds."""


class MemoryRecall:
    """Finds the memories that fit a text, among those that a chat may see."""

    def __init__(self, index: MemoryIndex, files: MemoryFiles, clock: Clock, bus: EventBus) -> None:
        self._index, self._files, self._clock = index, files, clock
        self._fault = FaultLine(bus, "memory search", FaultReason.RECALL_IS_LEFT_OUT)
        self._indexed: dict[MemoryFile, bytes] = {}
        self._one_at_a_time = asyncio.Lock()

    async def for_prompt(self, view: MemoryView, query: str) -> Recall | None:
        """Return the entries of a view that fit best; None if they can't be searched, which is reported."""
        try:
            found = await self._search(view.scope, query, view.texts, TOP + LOSERS)
        except Exception as error:  # noqa: BLE001 - a prompt goes on without it after any error
            self._report(error)
            return None
        self._fault.clear()
        return found

    async def recall(self, scope: MemoryScope, query: str) -> Recall:
        """Return the entries that fit best, of the files that a chat may see as they are now.

        Raises:
            StoreError: The index can't be read or written.
            TimeoutError: It took too long.
        """
        return await self._search(scope, query, None, TOP + LOSERS)

    async def find(self, scope: MemoryScope, query: str, limit: int) -> tuple[Recalled, ...]:
        """Return at most `limit` entries that fit, best first; raises as `recall`."""
        found = await self._search(scope, query, None, limit)
        return (*found.best, *found.losers)[:limit]

    async def recalled_by(self, agent_name: str, peer: PeerId, text: str, person: PeerId | None = None) -> Recall:
        """Return what a prompt would hold if a text was the message to answer.

        Args:
            agent_name: Whose memories.
            peer: The chat.
            text: The message.
            person: Who writes it, in a group.

        Raises:
            StoreError: The index can't be read or written.
            TimeoutError: It took too long.
        """
        who = peer if int(peer) > 0 else person
        return await self.recall(MemoryScope(agent_name, peer, who), query_from((text,)))

    async def refresh(self, file: MemoryFile) -> None:
        """Index a file as it is now, after a change of it.

        Raises:
            StoreError: The index can't be read or written.
        """
        text = await self._files.text(file)
        if text.problem is None:
            async with self._one_at_a_time:
                await self._sync(file, text.text)

    async def index_all(self, agent_names: Collection[str], *, are_all: bool) -> None:
        """Index all files of some agents, one after the other; a failure is reported.

        Args:
            agent_names: The agents.
            are_all: There are no other agents, so what else is indexed is removed.
        """
        try:
            files = await self._files.files(agent_names)
            for file in files:
                await self.refresh(file)
            if are_all or (await self._index.status()).stale:
                async with self._one_at_a_time:
                    await self._index.drop_except(files)
                    self._indexed = {file: known for file, known in self._indexed.items() if file in files}
        except Exception as error:  # noqa: BLE001 - each search indexes what it needs
            self._report(error)

    def _report(self, error: Exception) -> None:
        _log.info("Memories can't be searched", exc_info=error)
        self._fault.show(Note(FaultReason.RECALL_FAILED, cause=note_of(error)))

    async def _search(self, scope: MemoryScope, query: str, texts: tuple[MemoryText, ...] | None, limit: int) -> Recall:
        async with self._clock.timeout(PATIENCE_S):
            read = {one.kind: one for one in (await self._files.texts(scope) if texts is None else texts)}
            # One after the other: what another plan has read earlier must not come into the index before the search.
            async with self._one_at_a_time:
                readable = []
                for file in readable_files(scope):
                    text = read.get(file.kind)
                    if text is None or text.problem is None:
                        await self._sync(file, text.text if text is not None else "")
                        readable.append(file)
                found = await self._index.search(query, readable, limit=limit)
        return replace(found, best=_of(readable, found.best), losers=_of(readable, found.losers))

    async def _sync(self, file: MemoryFile, content: str) -> None:
        """Index a file if its content is another than before."""
        known = await _digest(content)
        if self._indexed.get(file) == known:
            return
        self._indexed.pop(file, None)
        entries = await asyncio.to_thread(indexed_entries, file, content)
        await self._index.sync(file, entries)
        self._indexed[file] = known


def _of(files: Collection[MemoryFile], found: Iterable[Recalled]) -> tuple[Recalled, ...]:
    """Return what is of these files: the index must return nothing else, and a leak would be the worst error."""
    kept = []
    for one in found:
        if one.entry.file in files:
            kept.append(one)
        else:
            _log.warning("The index of memories returned an entry that was not asked for; it is left out")
    return tuple(kept)


_LARGE = 200_000


async def _digest(content: str) -> bytes:
    """Return what tells contents apart; that of a large file is computed in a thread."""
    if len(content) > _LARGE:
        return await asyncio.to_thread(_digest_now, content)
    return _digest_now(content)


def _digest_now(content: str) -> bytes:
    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=16).digest()
