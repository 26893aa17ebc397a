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
    """Reads stored vectors by number."""

ALL_KEPT = 2_000
"""Up to so many vectors of a file are kept whole."""
CANDIDATES = 256
"""Vectors that are compared exactly, of those that are nearest by their signs; 128 would do, too."""
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
        entries: Numbers of the entries that have one, ascending.
        size: Bytes in memory.
    """

    def __init__(self, dimension: int, total: int, batches: Iterable[Sequence[tuple[int, int, bytes]]]) -> None:
        """Read vectors in batches of entry number, vector number and bytes, in the order of the entries.

        Args:
            dimension: The length of the vectors.
            total: How many there are; it decides whether they are kept whole.
            batches: The vectors; they are read in a thread.
        """
        self._dimension = dimension
        self._whole = total <= ALL_KEPT or dimension < LEAST_SIGNS
        self._mean = np.zeros(dimension, np.float32)
        entries, numbers = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        parts: list[NDArray[Any]] = []
        for batch in batches:
            matrix = self._matrix([one for _, _, one in batch])
            if not parts:
                self._mean = matrix.mean(axis=0)
            entries.append(np.array([entry for entry, _, _ in batch], np.int64))
            numbers.append(np.array([number for _, number, _ in batch], np.int64))
            parts.append(matrix if self._whole else self._signs_of(matrix))
        self.entries, self._numbers = np.concatenate(entries), np.concatenate(numbers)
        data = np.concatenate(parts) if parts else np.zeros((0, dimension), np.float32)
        # A row of the array for each 64 dimensions, because numpy runs along rows.
        self._data = data if self._whole else np.ascontiguousarray(data.T)
        self.size = self.entries.nbytes + self._numbers.nbytes + data.nbytes

    def _matrix(self, stored: Sequence[bytes]) -> NDArray[np.float32]:
        return of_length_one(np.frombuffer(b"".join(stored), np.float32).reshape(len(stored), self._dimension))

    def _signs_of(self, matrix: NDArray[np.float32]) -> NDArray[np.uint64]:
        """Return the signs of the differences from the mean: vectors of real models all point to one side."""
        signs = np.packbits(matrix > self._mean, axis=1)
        return np.pad(signs, ((0, 0), (0, -signs.shape[1] % 8))).view(np.uint64)

    def __len__(self) -> int:
        """Return the number of vectors."""
        return len(self.entries)

    def nearest(self, query: NDArray[np.float32], limit: int, read: Read) -> list[tuple[int, float]]:
        """Return entries and cosines of the nearest vectors, nearest first.

        Args:
            query: A vector of length one.
            limit: How many at most.
            read: Reads the stored vectors of candidates.
        """
        if not len(self):
            return []
        if self._whole:
            entries, matrix = self.entries, self._data
        else:
            chosen = self._candidates(query, limit)
            stored = read(list(dict.fromkeys(self._numbers[chosen].tolist())))
            entries = self.entries[chosen]
            matrix = self._matrix([stored[number] for number in self._numbers[chosen].tolist()])
        cosines = matrix @ query
        best = np.argpartition(-cosines, min(limit, len(cosines)) - 1)[:limit]
        best = best[np.argsort(-cosines[best], kind="stable")]
        return list(zip(entries[best].tolist(), cosines[best].tolist(), strict=True))

    def _candidates(self, query: NDArray[np.float32], limit: int) -> NDArray[np.intp]:
        """Return the places of the vectors with the fewest other signs."""
        differing = np.zeros(len(self), np.uint16)
        for signs, own in zip(self._data, self._signs_of(query[None, :])[0], strict=True):
            differing += np.bitwise_count(signs ^ own)
        most = min(max(CANDIDATES, 4 * limit), len(self))
        return np.sort(np.argpartition(differing, most - 1)[:most])
