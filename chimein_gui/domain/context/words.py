"""Words that messages have in common, weighted by how rare they are in the chat so far and in chats in general."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chimein_gui.domain.context.table import Arrays, Floats, Indices, Table

PSEUDO_ROWS = 60.0
"""The general frequency of a word counts like this many rows."""

_SMALL = 2**15

LAGS = 32
"""A word is matched with at most this many of its earlier occurrences."""

_Weights = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Overlap of rows with earlier rows.

    Attributes:
        total: Sum of the weights of common words [later rows, all rows].
        norm: Sum of the weights of all words of each of the later rows [later rows].
    """

    total: Floats
    norm: Floats


def overlap(table: Table, later: Indices) -> Overlap:
    """Compare some rows, in ascending order, with all rows before each.

    A weight depends only on what precedes the later row, so that a row prepared at ingest keeps its numbers.
    """
    arrays, n = table.arrays(), len(table.rows)
    if len(later) == 1:
        return _overlap_of_one(table, arrays, int(later[0]))
    slots = np.full(n, -1, np.intp)
    slots[later] = np.arange(len(later))
    at = slots.take(arrays.word_rows)
    wanted = np.zeros(table.stems, dtype=np.bool_)
    wanted[arrays.words[at >= 0]] = True
    kept = np.flatnonzero(wanted.take(arrays.words))
    found = arrays.words.take(kept)
    if len(wanted) <= _SMALL:
        found = found.astype(np.int16)  # numpy sorts two-byte integers by radix sort, which is fast
    order = kept.take(np.argsort(found, kind="stable"))
    words, rows, at = arrays.words.take(order), arrays.word_rows.take(order), at.take(order)
    new = np.flatnonzero(at >= 0)
    count = np.arange(len(words))
    fresh = np.zeros(len(words), np.intp)
    np.multiply(count[1:], words[1:] != words[:-1], out=fresh[1:])
    rank = new - np.maximum.accumulate(fresh).take(new)
    weights = _weights(table, words.take(new), rows.take(new), rank)
    norm = np.bincount(at.take(new), weights, minlength=len(later)).astype(np.float32)
    lags = np.minimum(rank, LAGS)
    starts = np.cumsum(lags) - lags
    # Each occurrence of a word is paired with those 1, 2 … lags before it.
    pair = np.repeat(np.arange(len(new)), lags)
    places = rows.take((new - 1 + starts).take(pair) - np.arange(len(pair)))
    places += (at.take(new) * n).take(pair)
    flat = np.bincount(places, weights.take(pair), minlength=len(later) * n)
    return Overlap(flat.astype(np.float32).reshape(len(later), n), norm)


def words_in_common(table: Table, of_last: Floats, anchor: int) -> Floats:
    """Return the overlap of rows with the last row and with an earlier one [2, all rows but the last].

    Args:
        table: The chat.
        of_last: Overlap of each row with the last [all rows].
        anchor: Position of the other; its own overlap counts 0.
    """
    found = np.empty((2, len(of_last) - 1), np.float32)
    found[0] = of_last[:-1]
    found[1] = _overlap_of_one(table, table.arrays(), anchor).total[0, :-1]
    found[:, anchor] = 0.0
    return found


def _overlap_of_one(table: Table, arrays: Arrays, place: int) -> Overlap:
    """Do the same for one row in fewer steps: its words give their weights to the rows that contain them."""
    n = len(table.rows)
    begin, end = arrays.word_rows.searchsorted((place, place + 1)).tolist()
    words = arrays.words[begin:end]
    if not len(words):
        return Overlap(np.zeros((1, n), np.float32), np.zeros(1, np.float32))
    slots = np.full(table.stems, -1, np.intp)
    slots[words] = np.arange(len(words))
    at = slots.take(arrays.words[:begin])
    kept = np.flatnonzero(at >= 0)
    at, rows = at.take(kept), arrays.word_rows.take(kept)
    rank = np.bincount(at, minlength=len(words))
    weights = _weights(table, words, place, rank)
    if rank.max() > LAGS:
        order = np.argsort(at.astype(np.int16), kind="stable")
        at, rows = at.take(order), rows.take(order)
        near = np.cumsum(rank).take(at) - np.arange(len(at)) <= LAGS
        at, rows = at[near], rows[near]
    total = np.bincount(rows, weights.take(at), minlength=n).astype(np.float32)
    return Overlap(total[None, :], np.array([weights.sum()], np.float32))


def _weights(table: Table, words: Indices, rows: Indices | int, rank: Indices) -> _Weights:
    """Weight words by how rare they were before the rows that contain them."""
    shares, worth = table.shares(words), table.values(words)
    rare = np.log((rows + (1.0 + PSEUDO_ROWS)) / (rank + 1.0 + PSEUDO_ROWS * shares))
    found: _Weights = np.maximum(worth.astype(np.float64) * rare, 0.0)
    return found
