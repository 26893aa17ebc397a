"""Search by words: BM25 over the terms of the entries of one file, in numpy.

FTS5 was measured first: its bm25 took 44 ms for the 60 terms of a usual question over 10,000 entries, because most
entries have one of them. Sorted arrays take less than 1 ms.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from chimein_gui.adapters.memory_index.tables import hashed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

K1 = 1.2
"""How soon more of the same term stops to count."""
B = 0.2
"""How much long entries are held back, 0 to 1; chosen with the half `tune` of tests/benchmarks/memory/data."""


class Postings:
    """Which entries of one file have which terms.

    Attributes:
        rows: Row ids of the entries, ascending.
        size: Bytes in memory.
    """

    def __init__(self, rows: Sequence[int], terms: Sequence[bytes], weights: Sequence[bytes]) -> None:
        """Sort the stored terms of the entries; runs in a thread."""
        self.rows = np.array(rows, np.int64)
        all_terms = np.frombuffer(b"".join(terms), np.uint32)
        frequency = np.frombuffer(b"".join(weights), np.uint8).astype(np.float32)
        counts = np.array([len(one) for one in weights], np.int64)
        entries = np.repeat(np.arange(len(rows), dtype=np.int32), counts)
        lengths = np.bincount(entries, frequency, len(rows)).astype(np.float32)
        mean = max(1.0, float(lengths.mean())) if len(rows) else 1.0
        held_back = (K1 * (1 - B + B * lengths / mean)).astype(np.float32)
        order = np.argsort(all_terms, kind="stable")
        self._entries = entries[order]
        share = frequency * (K1 + 1) / (frequency + held_back[entries])
        self._shares = share[order].astype(np.float32)
        self._terms, begins = np.unique(all_terms[order], return_index=True)
        self._begins = np.append(begins, len(all_terms))
        arrays = (self.rows, self._entries, self._shares, self._terms, self._begins)
        self.size = sum(array.nbytes for array in arrays)

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self.rows)

    def places_of(self, terms: NDArray[np.uint32]) -> NDArray[np.intp]:
        """Return where each term begins and ends, as two rows; both are the same for one that no entry has."""
        if not len(self._terms):
            return np.zeros((2, len(terms)), np.intp)
        found = np.minimum(np.searchsorted(self._terms, terms), len(self._terms) - 1)
        known = self._terms[found] == terms
        begins, ends = self._begins[found], self._begins[found + 1]
        return np.stack((np.where(known, begins, 0), np.where(known, ends, 0)))

    def scores(self, places: NDArray[np.intp], rarity: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the score of each entry, for the places and the rarity of the query's terms."""
        scores = np.zeros(len(self.rows), np.float32)
        for begin, end, weight in zip(*places.tolist(), rarity, strict=True):
            if begin < end:
                # No entry has a term twice.
                scores[self._entries[begin:end]] += weight * self._shares[begin:end]
        return scores


def search(blocks: Sequence[Postings], terms: Iterable[str]) -> tuple[NDArray[np.float32], float]:
    """Score all entries of some files by the terms of a query.

    Returns:
        The scores, in the order of the blocks and their rows, and the highest that any entry could have.
    """
    wanted = np.frombuffer(hashed(terms), np.uint32)
    total = sum(map(len, blocks))
    places = [block.places_of(wanted) for block in blocks]
    having = sum((place[1] - place[0] for place in places), np.zeros(len(wanted), np.intp))
    rarity = np.log(1 + (total - having + 0.5) / (having + 0.5)).astype(np.float32)
    parts = [block.scores(place, rarity) for block, place in zip(blocks, places, strict=True)]
    most = float((rarity * (having > 0)).sum()) * (K1 + 1)
    return np.concatenate(parts) if parts else np.zeros(0, np.float32), most if math.isfinite(most) else 0.0
