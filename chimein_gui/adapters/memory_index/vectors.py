"""Search by meaning: cosines of the vectors of one file, in numpy.

Few vectors are kept as they are. Of many only the signs are kept, 96 bytes instead of 3 KB: they choose candidates, and
the cosines of these are computed from the stored vectors. So the memory of the process does not grow with the index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    Read = Callable[[Sequence[int]], dict[int, bytes]]
    """Reads the stored vectors of some rows."""

ALL_KEPT = 2_000
"""Up to so many vectors of a file are kept whole."""
CANDIDATES = 400
"""Vectors that are compared exactly, of those that are nearest by their signs."""
LEAST_SIGNS = 128
"""With fewer dimensions than this, signs say too little."""


def of_length_one(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vectors divided by their lengths; zero vectors stay."""
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    lengths[lengths == 0] = 1
    unit: NDArray[np.float32] = matrix / lengths[:, None]
    return unit


class Vectors:
    """The vectors of the entries of one file.

    Attributes:
        rows: Row ids of the entries that have one, ascending.
        size: Bytes in memory.
    """

    def __init__(self, dimension: int) -> None:
        """Create it empty; `add` takes the vectors."""
        self.rows = np.zeros(0, np.int64)
        self.size = 0
        self._dimension = dimension
        self._kept: NDArray[np.float32] | None = np.zeros((0, dimension), np.float32)
        self._signs: NDArray[np.uint64] | None = None
        self._mean = np.zeros(dimension, np.float32)

    @classmethod
    def of(cls, dimension: int, total: int, batches: Iterable[Sequence[tuple[int, bytes]]]) -> Vectors:
        """Read vectors in batches of row id and bytes, in the order of the rows; runs in a thread."""
        made = cls(dimension)
        whole = total <= ALL_KEPT or dimension < LEAST_SIGNS
        rows: list[NDArray[np.int64]] = []
        parts: list[NDArray[Any]] = []
        for batch in batches:
            matrix = np.frombuffer(b"".join(one for _, one in batch), np.float32).reshape(len(batch), dimension)
            matrix = of_length_one(matrix)
            if not whole and not rows:
                made._mean = matrix.mean(axis=0)
            rows.append(np.array([row for row, _ in batch], np.int64))
            parts.append(matrix if whole else made._signs_of(matrix))
        if rows:
            made._take(np.concatenate(rows), np.concatenate(parts), whole=whole)
        return made

    def _take(self, rows: NDArray[np.int64], data: NDArray[Any], *, whole: bool) -> None:
        self.rows = rows
        if whole:
            self._kept = data.astype(np.float32, copy=False)
        else:
            # A row of the array for each 64 dimensions, because numpy runs along rows.
            self._kept, self._signs = None, np.ascontiguousarray(data.T).astype(np.uint64, copy=False)
        self.size = rows.nbytes + data.nbytes

    def _signs_of(self, matrix: NDArray[np.float32]) -> NDArray[np.uint64]:
        """Return the signs of the differences from the mean: vectors of real models all point to one side."""
        signs = np.packbits(matrix > self._mean, axis=1)
        missing = -signs.shape[1] % 8
        return np.pad(signs, ((0, 0), (0, missing))).view(np.uint64)

    def __len__(self) -> int:
        """Return the number of vectors."""
        return len(self.rows)

    def nearest(self, query: NDArray[np.float32], limit: int, read: Read) -> list[tuple[int, float]]:
        """Return the row ids and cosines of the nearest vectors, nearest first.

        Args:
            query: A vector of length one.
            limit: How many at most.
            read: Reads the stored vectors of candidates.
        """
        if not len(self.rows):
            return []
        rows, matrix = (self.rows, self._kept) if self._kept is not None else self._candidates(query, limit, read)
        cosines = matrix @ query
        best = np.argpartition(-cosines, min(limit, len(cosines)) - 1)[:limit]
        best = best[np.argsort(-cosines[best], kind="stable")]
        return list(zip(rows[best].tolist(), cosines[best].tolist(), strict=True))

    def _candidates(
        self, query: NDArray[np.float32], limit: int, read: Read
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        assert self._signs is not None  # else all are kept
        asked = self._signs_of(query[None, :])[0]
        differing = np.zeros(len(self.rows), np.uint16)
        for signs, own in zip(self._signs, asked, strict=True):
            differing += np.bitwise_count(signs ^ own)
        most = min(max(CANDIDATES, 4 * limit), len(self.rows))
        chosen = np.sort(np.argpartition(differing, most - 1)[:most])
        stored = read(self.rows[chosen].tolist())
        rows = np.array(list(stored), np.int64)
        matrix = np.frombuffer(b"".join(stored.values()), np.float32).reshape(len(stored), self._dimension)
        return rows, of_length_one(matrix)
