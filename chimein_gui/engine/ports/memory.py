"""Port for the index of memory entries. It is derived: whatever happens to it, the memory files have everything."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.domain.memory.recall import IndexedEntry, Recall
    from chimein_gui.domain.notes import Note


@dataclass(frozen=True, slots=True)
class Vector:
    """The vector of a text.

    Attributes:
        model: Name of the model that made it.
        values: Its numbers; vectors of one model have the same length.
    """

    model: str
    values: tuple[float, ...]

    @property
    def dimension(self) -> int:
        """Return how many numbers it has."""
        return len(self.values)


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """What the index holds.

    Attributes:
        entries: Number of entries.
        with_vector: Entries with a vector, by model.
        stale: The index was made anew and does not hold all files yet; `drop_except` ends this.
        model: The model of which most entries have a vector; None if no entry has one.
        problem: Why the index is in memory only until the program ends; None if its file can be written.
    """

    entries: int = 0
    with_vector: Mapping[str, int] = field(default_factory=dict)
    stale: bool = True
    model: str | None = None
    problem: Note | None = None


class MemoryIndex(Protocol):
    """Finds entries by words and by meaning. All methods may be called at any time; work runs in threads.

    A missing or older index is made anew, empty and stale. A damaged one, too, but the method that notices the damage
    raises `StoreUnreadableError`: sync all files, and call it again. If the file can't be written, a copy in memory
    takes its place, and `IndexStatus.problem` says why. Anything else is a `StoreError`.
    """

    async def sync(self, file: MemoryFile, entries: Sequence[IndexedEntry]) -> None:
        """Replace what is indexed of a file; unchanged entries keep their vectors, and no entries remove the file."""
        ...

    async def drop_except(self, files: Collection[MemoryFile]) -> None:
        """Remove all other files; the caller has synced these, so the index is not stale any more."""
        ...

    async def begin_anew(self) -> None:
        """Remove all entries; the index is stale until `drop_except`, and keeps all vectors until then."""
        ...

    async def search(
        self, query: str, files: Sequence[MemoryFile], *, vector: Vector | None = None, limit: int = 10
    ) -> Recall:
        """Search the entries of these files, and no others.

        Args:
            query: What is searched for by words.
            files: Which files may be seen.
            vector: The query's vector; None searches by words alone, and so does an index without any vector.
            limit: How many entries are returned at most, `TOP` of them as the best.

        Raises:
            MixedModelsError: The entries have vectors, but of another model or dimension.
        """
        ...

    async def missing(self, model: str, limit: int) -> tuple[IndexedEntry, ...]:
        """Return entries without a vector of the model, one for each text."""
        ...

    async def put_vectors(self, model: str, vectors: Sequence[tuple[str, Sequence[float]]]) -> None:
        """Store vectors by `text_hash`; those of texts that no entry has any more are ignored.

        Raises:
            MixedModelsError: Vectors of the model have another length.
            StoreWriteError: The file can't be written; vectors are not kept in memory only, because they cost money.
        """
        ...

    async def drop_vectors(self, except_model: str | None) -> None:
        """Remove the vectors of all other models; None removes all."""
        ...

    async def status(self) -> IndexStatus:
        """Return what the index holds."""
        ...

    async def compact(self) -> None:
        """Write the file anew, so that nothing is left of what was removed.

        Raises:
            StoreError: It can't be done; nothing has changed.
        """
        ...

    async def close(self) -> None:
        """Close the file; the next call opens it again."""
        ...
