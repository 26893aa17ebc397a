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

from chimein_gui.domain.context.digest import MAX_WORDS, STEM, Digest, digest
from chimein_gui.domain.context.people import COLUMNS, NOBODY, People
from chimein_gui.domain.context.rows import HistoryRow

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Times = npt.NDArray[np.float64]

SLOW = 30
"""Gaps that the chat's rhythm is a mean of."""

_TOO_SHORT = -1
_MOST = 1e9
_log1p = math.log1p
_SANE = 1e11
"""Times further from 1970 are none; the time before stands for them."""


@dataclass(frozen=True, slots=True)
class Arrays:
    """What a table holds, as arrays.

    Attributes:
        columns: One number for each of `people.COLUMNS` [rows, columns].
        flags: Bits of `digest.FLAGS` [rows].
        lengths: Number of words [rows].
        rhythm: Typical gap by then (logarithm) [rows].
        times: Unix seconds [rows].
        words: Numbers of all stems of all rows.
        word_rows: The row of each of them.
    """

    columns: Ints
    flags: Ints
    lengths: Ints
    rhythm: Times
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
        self._stem_of: list[int] = []
        self._keys = array("L")
        self._values = array("d")
        self._columns = array("i")
        self._flags = array("i")
        self._lengths = array("i")
        self._rhythm = array("d")
        self._times = array("d")
        self._words = array("i")
        self._word_rows = array("i")
        self._numbers = _numbering({})
        self._stems = _numbering({})
        self._places: dict[int, int] = {}
        self._cached: Arrays | None = None

    def append(self, row: HistoryRow) -> None:
        """Add the next row."""
        self.extend((row,))

    def extend(self, rows: Sequence[HistoryRow]) -> None:
        """Add the next rows."""
        reads = [*map(digest, rows)]
        self._take_people(rows, reads)
        self._take_words(reads)
        self._take_times(rows)
        self._flags.extend([read.flags for read in reads])
        self._lengths.extend([read.length for read in reads])
        self.rows += rows

    def _take_people(self, rows: Sequence[HistoryRow], reads: Sequence[Digest]) -> None:
        places, note, columns = self._places, self.people.note, self._columns
        for place, row, read in zip(count(len(self.rows)), rows, reads, strict=False):
            parent = -1 if row.reply_to is None else places.get(row.reply_to, -1)
            columns.extend(note(row, read, self.people.senders[parent] if parent >= 0 else NOBODY))
            self.parents.append(parent)
            places[row.message_id] = place

    def _take_words(self, reads: Sequence[Digest]) -> None:
        number = self._numbers.__getitem__
        numbers = [[*map(number, read.words)] for read in reads]
        self._learn()
        stem, words, lengths = self._stem_of.__getitem__, self._words, []
        for numbered in numbers:
            stems = dict.fromkeys(map(stem, numbered))
            stems.pop(_TOO_SHORT, None)
            words.extend(stems if len(stems) <= MAX_WORDS else [*stems][:MAX_WORDS])
            lengths.append(min(len(stems), MAX_WORDS))
        rows = np.arange(len(self.rows), len(self.rows) + len(reads), dtype=np.intc)
        self._word_rows.frombytes(np.repeat(rows, np.array(lengths, dtype=np.int64)).tobytes())

    def _learn(self) -> None:
        """Look at the words that have come since; all are numbered in the order in which they came."""
        words = islice(self._numbers, len(self._stem_of), None)
        stem, known = self._stems.__getitem__, len(self._stems)
        self._stem_of += [stem(word[:STEM]) if len(word) > 1 else _TOO_SHORT for word in words]
        new = [*islice(self._stems, known, None)]
        self._keys.extend([crc32(word.encode("utf-8", "surrogatepass")) for word in new])
        self._values.extend([len(word) / STEM if word.isascii() else 1.0 for word in new])

    def _take_times(self, rows: Sequence[HistoryRow]) -> None:
        times, rhythms = self._times, self._rhythm
        rhythm, before = (rhythms[-1], times[-1]) if times else (0.0, 0.0)
        for place, row in enumerate(rows, len(times)):
            sent_at = row.sent_at if -_SANE < row.sent_at < _SANE else before
            if place:
                rhythm = _rhythm(rhythm, sent_at - before, place)
            rhythms.append(rhythm)
            times.append(sent_at)
            before = sent_at

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
            np.array(self._flags[done:], dtype=np.int32),
            np.array(self._lengths[done:], dtype=np.int32),
            np.array(self._rhythm[done:], dtype=np.float64),
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
        other._numbers, other._stems, other._places = (
            _numbering(self._numbers),
            _numbering(self._stems),
            self._places.copy(),
        )
        other._cached = self._cached
        return other

    def shares(self) -> Floats:
        """Return of each word how common it is in chats in general."""
        found: Floats = self._general[np.array(self._keys, dtype=np.int64) % self._general.size]
        return found

    def values(self) -> Floats:
        """Return of each word how much its length lets it tell, 0 to 1."""
        return np.array(self._values, dtype=np.float32)


def _rhythm(old: float, gap: float, place: int) -> float:
    """Return the typical gap (logarithm) after one more: the mean of them, the last ones weighing most."""
    new = _log1p(gap if gap < _MOST else _MOST) if gap > 0 else 0.0
    return old + (new - old) / (place if place < SLOW else SLOW)


def _numbering(known: Mapping[str, int]) -> defaultdict[str, int]:
    """Return a copy that gives the next number to whatever it is asked for and does not know."""
    return defaultdict(count(len(known)).__next__, known)


_LISTS = (
    "rows",
    "parents",
    "_stem_of",
    "_keys",
    "_values",
    "_columns",
    "_flags",
    "_lengths",
    "_rhythm",
    "_times",
    "_words",
    "_word_rows",
)
