"""An index of memories that finds entries by the words they share with a query."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from chimein_gui.domain.memory.recall import TOP, IndexedEntry, Recall, Recalled
from chimein_gui.engine.ports import IndexStatus

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.engine.ports import Vector


class FakeMemoryIndex:
    """Implements `engine.ports.MemoryIndex`.

    Attributes:
        entries: What is indexed.
        synced: The files in the order in which they were synced.
        error: Raised by each call.
        leaks: It searches all files, whatever is asked.
        gate: If there is one, what is to be indexed waits for it.
        waiting: Something waits for the gate.
        mixed: Raised by searches with a vector.
        asked_with: The vectors of the other searches.
    """

    def __init__(self) -> None:
        self.entries: dict[MemoryFile, tuple[IndexedEntry, ...]] = {}
        self.synced: list[MemoryFile] = []
        self.error: Exception | None = None
        self.leaks = False
        self.gate: asyncio.Event | None = None
        self.waiting = asyncio.Event()
        self.mixed: Exception | None = None
        self.asked_with: list[Vector | None] = []
        self._stale = True

    async def sync(self, file: MemoryFile, entries: Sequence[IndexedEntry]) -> None:
        self._fail()
        if self.gate is not None:
            self.waiting.set()
            await self.gate.wait()
        self.synced.append(file)
        self.entries[file] = tuple(entries)

    async def drop_except(self, files: Collection[MemoryFile]) -> None:
        self._fail()
        self.entries = {file: found for file, found in self.entries.items() if file in files}
        self._stale = False

    async def begin_anew(self) -> None:
        self.entries, self._stale = {}, True

    async def search(
        self, query: str, files: Sequence[MemoryFile], *, vector: Vector | None = None, limit: int = 10
    ) -> Recall:
        self._fail()
        if vector is not None and self.mixed is not None:
            raise self.mixed
        self.asked_with.append(vector)
        asked = set(query.casefold().split())
        searched = [one for file in (self.entries if self.leaks else files) for one in self.entries.get(file, ())]
        scored = [(len(asked & set(one.text.casefold().split())) / max(1, len(asked)), one) for one in searched]
        scored = sorted((one for one in scored if one[0]), key=lambda one: -one[0])[:limit]
        found = tuple(Recalled(one, score, score, None, rank) for rank, (score, one) in enumerate(scored, 1))
        return Recall(query, found[:TOP], found[TOP:], len(searched))

    async def missing(self, model: str, limit: int) -> tuple[IndexedEntry, ...]:
        return ()

    async def put_vectors(self, model: str, vectors: Sequence[tuple[str, Sequence[float]]]) -> None:
        raise NotImplementedError

    async def drop_vectors(self, except_model: str | None) -> None:
        raise NotImplementedError

    async def status(self) -> IndexStatus:
        self._fail()
        return IndexStatus(sum(map(len, self.entries.values())), stale=self._stale)

    async def compact(self) -> None:
        return

    async def close(self) -> None:
        return

    def _fail(self) -> None:
        if self.error is not None:
            raise self.error
