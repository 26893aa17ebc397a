"""What is kept in memory of the files that were searched last."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chimein_gui.adapters.memory_index.postings import Postings
    from chimein_gui.adapters.memory_index.tables import Tables
    from chimein_gui.adapters.memory_index.vectors import Vectors

MOST_BYTES = 64 * 2**20
"""What is kept at most, beside what the last search needed."""


class Blocks:
    """Terms and vectors of files, read when they are needed; those used longest ago are given up first."""

    def __init__(self) -> None:
        self._postings: dict[int, Postings] = {}
        self._vectors: dict[tuple[int, str], Vectors] = {}
        self._models: dict[str, int] | None = None

    def models(self, tables: Tables) -> dict[str, int]:
        """Return the models that vectors are of, with their dimensions."""
        if self._models is None:
            self._models = tables.vectors.models()
        return self._models

    def postings(self, tables: Tables, file: int) -> Postings:
        """Return the terms of a file."""
        from chimein_gui.adapters.memory_index.postings import Postings

        found = self._postings.pop(file, None)
        if found is None:
            rows = tables.terms(file)
            found = Postings([row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows])
        self._postings[file] = found
        return found

    def vectors(self, tables: Tables, file: int, model: str, dimension: int) -> Vectors:
        """Return the vectors of a file."""
        from chimein_gui.adapters.memory_index.vectors import Vectors

        found = self._vectors.pop((file, model), None)
        if found is None:
            total = tables.vectors.count(model, file)
            found = Vectors(dimension, total, tables.vectors.of_file(model, file))
        self._vectors[file, model] = found
        return found

    def trim(self, needed: int) -> None:
        """Give up what was used longest ago, but not the blocks of the last `needed` files."""
        for kept in (self._postings, self._vectors):
            size = sum(one.size for one in kept.values())
            for key in list(kept)[: max(0, len(kept) - needed)]:
                if size <= MOST_BYTES // 2:
                    break
                size -= kept.pop(key).size  # type: ignore[call-overload]  # a key of the same dict

    def forget(self, file: int) -> None:
        """Forget a file, because its entries have changed."""
        self._postings.pop(file, None)
        self.forget_vectors(file)

    def forget_vectors(self, file: int) -> None:
        """Forget the vectors of a file."""
        self._models = None
        for key in [key for key in self._vectors if key[0] == file]:
            del self._vectors[key]

    def clear(self) -> None:
        """Forget everything."""
        self._postings.clear()
        self._vectors.clear()
        self._models = None
