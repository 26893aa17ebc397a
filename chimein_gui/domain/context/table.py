"""The rows of one chat in the order they came, with all that a later row may ask of an earlier one."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from zlib import crc32

import numpy as np
import numpy.typing as npt

from chimein_gui.domain.context.digest import STEM, digest
from chimein_gui.domain.context.people import COLUMNS, NOBODY, People
from chimein_gui.domain.context.rows import HistoryRow

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Times = npt.NDArray[np.float64]

SLOW = 30
"""Gaps that the chat's rhythm is a mean of."""

_MOST = 1e9
_log1p = math.log1p
_SANE = 1e11
"""Times further from 1970 are none; the time before stands for them."""


@dataclass(frozen=True, slots=True)
class Arrays:
    """What a table holds, as arrays.

    Attributes:
        columns: One number for each of `people.COLUMNS` [rows, columns].
        measures: Bits of `digest.FLAGS`, number of words, and typical gap by then (logarithm) [rows, 3].
        times: Unix seconds [rows].
        words: Numbers of all words of all rows.
        word_rows: The row of each of them.
    """

    columns: Ints
    measures: Times
    times: Times
    words: Ints
    word_rows: Ints


class Table:
    """Grows at its end; positions count from 0 and never change.

    Attributes:
        rows: As they came.
        people: Who spoke and who was named.
        parents: Of each row, the position of the row it replies to, or -1.
    """

    def __init__(self, general: Floats) -> None:
        self.rows: list[HistoryRow] = []
        self.people = People()
        self.parents: list[int] = []
        self._general = general
        self._keys: list[int] = []
        self._values: list[float] = []
        self._columns = array("i")
        self._measures = array("d")
        self._times = array("d")
        self._words = array("i")
        self._word_rows = array("i")
        self._ids = _numbering({})
        self._places: dict[int, int] = {}
        self._cached: Arrays | None = None

    def append(self, row: HistoryRow) -> None:
        """Add the next row."""
        self.extend((row,))

    def extend(self, rows: Sequence[HistoryRow]) -> None:
        """Add the next rows."""
        columns: list[int] = []
        measures: list[float] = []
        words: list[int] = []
        lengths: list[int] = []
        places, note, ids, begin = self._places, self.people.note, self._ids, len(self.rows)
        rhythm, sent_at = (self._measures[-1], self._times[-1]) if self._times else (0.0, 0.0)
        for place, row in enumerate(rows, begin):
            read = digest(row)
            parent = -1 if row.reply_to is None else places.get(row.reply_to, -1)
            columns += note(row, read, self.people.senders[parent] if parent >= 0 else NOBODY)
            words += [ids[stem] for stem in read.stems]
            lengths.append(len(read.stems))
            before = sent_at
            if -_SANE < row.sent_at < _SANE:
                sent_at = row.sent_at
            if place:
                rhythm = _rhythm(rhythm, sent_at - before, place)
            measures += (read.flags, read.length, rhythm)
            self._times.append(sent_at)
            self.parents.append(parent)
            places[row.message_id] = place
        self.rows += rows
        self._columns.extend(array("i", columns))
        self._measures.extend(array("d", measures))
        self._words.extend(array("i", words))
        self._word_rows.frombytes(np.repeat(np.arange(begin, len(self.rows), dtype=np.intc), lengths).tobytes())

    def place_of(self, message_id: int | None) -> int:
        """Return the position of a message, -1 if it is not here."""
        return -1 if message_id is None else self._places.get(message_id, -1)

    def arrays(self) -> Arrays:
        """Return what is here as arrays; only new rows are converted."""
        old = self._cached
        done, words = (len(old.times), len(old.words)) if old else (0, 0)
        if old and done == len(self.rows):
            return old
        new = Arrays(
            np.array(self._columns[done * len(COLUMNS) :], dtype=np.int32).reshape(-1, len(COLUMNS)),
            np.array(self._measures[done * 3 :], dtype=np.float64).reshape(-1, 3),
            np.array(self._times[done:], dtype=np.float64),
            np.array(self._words[words:], dtype=np.int32),
            np.array(self._word_rows[words:], dtype=np.int32),
        )
        if old:
            pairs = ((getattr(old, name), getattr(new, name)) for name in Arrays.__slots__)
            new = Arrays(*(np.concatenate(pair) for pair in pairs))
        self._cached = new
        return new

    def copy(self) -> Table:
        """Return one that can grow by itself."""
        other = Table(self._general)
        for name in _LISTS:
            setattr(other, name, getattr(self, name)[:])
        other.people = self.people.copy()
        other._ids, other._places = _numbering(self._ids), self._places.copy()
        other._cached = self._cached
        return other

    def shares(self) -> Floats:
        """Return of each word how common it is in chats in general."""
        self._learn_words()
        found: Floats = self._general[np.array(self._keys, dtype=np.int64) % self._general.size]
        return found

    def values(self) -> Floats:
        """Return of each word how much its length lets it tell, 0 to 1."""
        self._learn_words()
        return np.array(self._values, dtype=np.float32)

    def _learn_words(self) -> None:
        """Look at the words that have come since; they are numbered in the order in which they came."""
        new = list(islice(self._ids, len(self._keys), None))
        self._keys += [crc32(stem.encode("utf-8", "surrogatepass")) for stem in new]
        self._values += [len(stem) / STEM if stem.isascii() else 1.0 for stem in new]


def _rhythm(old: float, gap: float, place: int) -> float:
    """Return the typical gap (logarithm) after one more: the mean of them, the last ones weighing most."""
    new = _log1p(gap if gap < _MOST else _MOST) if gap > 0 else 0.0
    return old + (new - old) / (place if place < SLOW else SLOW)


def _numbering(known: Mapping[str, int]) -> defaultdict[str, int]:
    """Return a copy that gives the next number to whatever it is asked for and does not know."""
    return defaultdict(count(len(known)).__next__, known)


_LISTS = ("rows", "parents", "_values", "_keys", "_columns", "_measures", "_times", "_words", "_word_rows")
