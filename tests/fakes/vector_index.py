"""An index of memories that keeps entries and vectors in memory, for tests of what fills it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import MixedModelsError
from chimein_gui.domain.memory.recall import IndexedEntry, Recall, entry_id, text_hash
from chimein_gui.engine.ports import IndexStatus

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.engine.ports import Vector


class VectorIndex:
    """Implements `engine.ports.MemoryIndex`, without a search.

    Attributes:
        vectors: By model and hash of the text.
        stale: As in `IndexStatus`.
    """

    def __init__(self) -> None:
        self.vectors: dict[str, dict[str, tuple[float, ...]]] = {}
        self.stale = False
        self._entries: dict[MemoryFile, tuple[IndexedEntry, ...]] = {}

    def hold(self, file: MemoryFile, *texts: str) -> None:
        """Hold these texts as the entries of a file."""
        self._entries[file] = tuple(
            IndexedEntry(entry_id(file, text), file, text, line, None, None) for line, text in enumerate(texts, 1)
        )

    async def sync(self, file: MemoryFile, entries: Sequence[IndexedEntry]) -> None:
        self._entries[file] = tuple(entries)

    async def drop_except(self, files: Collection[MemoryFile]) -> None:
        self._entries = {file: found for file, found in self._entries.items() if file in files}
        self.stale = False

    async def begin_anew(self) -> None:
        self._entries = {}
        self.stale = True

    async def search(
        self, query: str, files: Sequence[MemoryFile], *, vector: Vector | None = None, limit: int = 10
    ) -> Recall:
        raise NotImplementedError

    async def missing(self, model: str, limit: int) -> tuple[IndexedEntry, ...]:
        known = self.vectors.get(model, {})
        found = {text_hash(one.text): one for file in self._entries for one in reversed(self._entries[file])}
        return tuple(one for hashed, one in found.items() if hashed not in known)[:limit]

    async def put_vectors(self, model: str, vectors: Sequence[tuple[str, Sequence[float]]]) -> None:
        kept = self.vectors.setdefault(model, {})
        for hashed, values in vectors:
            if kept and len(next(iter(kept.values()))) != len(values):
                raise MixedModelsError("another length")
            kept[hashed] = tuple(values)

    async def drop_vectors(self, except_model: str | None) -> None:
        self.vectors = {model: kept for model, kept in self.vectors.items() if model == except_model}

    async def status(self) -> IndexStatus:
        hashes = [text_hash(one.text) for found in self._entries.values() for one in found]
        counts = {model: sum(one in kept for one in hashes) for model, kept in self.vectors.items()}
        most = Counter(counts).most_common(1)
        return IndexStatus(len(hashes), counts, self.stale, most[0][0] if most else None)

    async def compact(self) -> None:
        return

    async def close(self) -> None:
        return
