"""The rows of one chat in the order they came, with all that a later row may ask of an earlier one."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
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
    """Grows by one row at a time; positions count from 0 and never change.

    Attributes:
        rows: As they came.
        people: Who spoke and who was named.
        parents: Of each row, the position of the row it replies to, or -1.
        values: Of each word, how much its length lets it tell, 0 to 1.
    """

    def __init__(self, general: Floats) -> None:
        self.rows: list[HistoryRow] = []
        self.people = People()
        self.parents: list[int] = []
        self.values: list[float] = []
        self._general = general
        self._keys: list[int] = []
        self._columns = array("i")
        self._measures = array("d")
        self._times = array("d")
        self._words = array("i")
        self._word_rows = array("i")
        self._ids: dict[str, int] = {}
        self._places: dict[int, int] = {}
        self._cached: Arrays | None = None

    def append(self, row: HistoryRow) -> None:
        """Add the next row."""
        place = len(self.rows)
        read = digest(row)
        parent = self._places.get(row.reply_to, -1) if row.reply_to is not None else -1
        answered = self._columns[parent * len(COLUMNS)] if parent >= 0 else NOBODY
        self._columns.extend(self.people.note(place, row, read, answered))
        ids = self._ids
        for stem in read.stems:
            known = ids.get(stem)
            self._words.append(self._new_word(stem) if known is None else known)
        self._word_rows.extend([place] * len(read.stems))
        sent_at = row.sent_at if -_SANE < row.sent_at < _SANE else self._times[-1] if self._times else 0.0
        self._measures.extend((read.flags, read.length, self._rhythm(sent_at)))
        self._times.append(sent_at)
        self.parents.append(parent)
        self.rows.append(row)
        self._places[row.message_id] = place

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
        other._ids, other._places, other._cached = self._ids.copy(), self._places.copy(), self._cached
        return other

    def shares(self) -> Floats:
        """Return of each word how common it is in chats in general."""
        found: Floats = self._general[np.array(self._keys, dtype=np.int64) % self._general.size]
        return found

    def _new_word(self, stem: str) -> int:
        known = self._ids[stem] = len(self._keys)
        self._keys.append(crc32(stem.encode("utf-8", "surrogatepass")))
        self.values.append(len(stem) / STEM if stem.isascii() else 1.0)
        return known

    def _rhythm(self, sent_at: float) -> float:
        if not self._times:
            return 0.0
        gap = sent_at - self._times[-1]
        gap = math.log1p(min(gap, _MOST)) if gap > 0 else 0.0
        old = self._measures[-1]
        return old + (gap - old) / min(len(self._times), SLOW)


_LISTS = ("rows", "parents", "values", "_keys", "_columns", "_measures", "_times", "_words", "_word_rows")
