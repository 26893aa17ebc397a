"""Words that messages have in common, each weighted by how rare it is in the chat so far and in chats in general."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chimein_gui.domain.context.table import Floats, Ints, Table

PSEUDO_ROWS = 60.0
"""How many rows the general frequency of a word is worth."""

_SMALL = 2**15

LAGS = 32
"""A word counts towards its last so many earlier occurrences."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """What rows have in common with earlier ones.

    Attributes:
        total: Sum of the weights of common words [later rows, all rows].
        norm: Sum of the weights of all words of each of the later rows [later rows].
    """

    total: Floats
    norm: Floats


def overlap(table: Table, begin: int) -> Overlap:
    """Compare the rows from `begin` on with all rows before each.

    A weight depends on what stands before the later row only, so that a row prepared at ingest keeps its numbers.
    """
    arrays, n = table.arrays(), len(table.rows)
    words, rows = arrays.words, arrays.word_rows
    worth = table.values()
    wanted = np.zeros(len(worth), dtype=np.bool_)
    wanted[words[np.searchsorted(rows, begin) :]] = True
    kept = np.flatnonzero(wanted[words])
    if not len(kept):
        return Overlap(np.zeros((n - begin, n), np.float32), np.zeros(n - begin, np.float32))
    found = words[kept]
    if len(worth) <= _SMALL:
        found = found.astype(np.int16)  # two bytes are sorted by their digits, in no time
    order = kept[np.argsort(found, kind="stable")]
    words, rows = words[order], rows[order]
    count = np.arange(len(words))
    fresh = np.ones(len(words), dtype=np.bool_)
    np.not_equal(words[1:], words[:-1], out=fresh[1:])
    rank = count - np.maximum.accumulate(np.where(fresh, count, 0))
    shares = table.shares()[words]
    weights = np.maximum(worth[words] * np.log((rows + (1.0 + PSEUDO_ROWS)) / (rank + 1.0 + PSEUDO_ROWS * shares)), 0.0)
    new = rows >= begin
    if begin == n - 1:
        return _overlap_of_last(rows, np.stack((words, rank)), weights, new)
    norm = np.bincount(rows[new] - begin, weights[new], minlength=n - begin).astype(np.float32)
    return Overlap(_totals(rows, rank, weights, begin, n), norm)


def _overlap_of_last(
    rows: Ints, ranked: npt.NDArray[np.int64], weights: npt.NDArray[np.float64], new: npt.NDArray[np.bool_]
) -> Overlap:
    """Do the same for the newest row alone, in fewer steps: its words give their weights to the rows that hold them."""
    words, rank = ranked
    at = np.searchsorted(words[new], words)
    gain, last = weights[new][at], rank[new][at]
    near = ~new & (last - rank <= LAGS)
    n = int(rows[new][0]) + 1
    total = np.bincount(rows[near], gain[near], minlength=n).astype(np.float32)
    return Overlap(total[None, :], np.array([weights[new].sum()], np.float32))


def _totals(rows: Ints, rank: npt.NDArray[np.int64], weights: npt.NDArray[np.float64], begin: int, n: int) -> Floats:
    later = np.flatnonzero((rank > 0) & (rows >= begin))
    lags = np.minimum(rank[later], LAGS)
    ends = np.cumsum(lags)
    # Each occurrence of a word is paired with those 1, 2 … lags before it.
    first = later - 1 + ends - lags
    earlier = np.repeat(first, lags) - np.arange(int(lags.sum()))
    places = np.repeat((rows[later].astype(np.int64) - begin) * n, lags)
    places += rows[earlier]
    flat = np.bincount(places, np.repeat(weights[later], lags), minlength=(n - begin) * n)
    return flat.astype(np.float32).reshape(n - begin, n)
