"""The rows of one chat in order, with the features that links between them need."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice
from zlib import crc32

import numpy as np
import numpy.typing as npt

from chimein_gui.domain.context.digest import FLAGS, MAX_WORDS, STEM, Digest, digest
from chimein_gui.domain.context.people import COLUMNS, NOBODY, People
from chimein_gui.domain.context.rows import HistoryRow

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Indices = npt.NDArray[np.intp]
Times = npt.NDArray[np.float64]

matrix_products = np.errstate(invalid="ignore")
"""Decorator for functions that multiply matrices: suppresses numpy's warning of an invalid value.

The kernels may set the processor's flag because of unused lanes, although the result is correct.
"""

SLOW = 30
"""Number of gaps over which the chat's rhythm is averaged."""

_TOO_SHORT = -1
_SHIFTS = np.arange(len(FLAGS), dtype=np.int32)
_MOST = 1e9
_log1p = math.log1p
_SANE = 1e11
"""A time further from 1970 is invalid; the time before it is used instead."""


@dataclass(frozen=True, slots=True)
class Arrays:
    """Content of a table as arrays.

    Attributes:
        columns: One number for each of `people.COLUMNS` [rows, columns].
        row: Features of each row alone: each of `digest.FLAGS`, and its length (logarithm) [rows, ROW].
        lengths: Number of words [rows].
        rhythm: Typical gap at that time (logarithm) [rows].
        times: Unix seconds [rows].
        words: Stem numbers of all rows, one after the other.
        word_rows: The row of each of them.
    """

    columns: Ints
    row: Floats
    lengths: Ints
    rhythm: Times
    times: Times
    words: Indices
    word_rows: Indices


class Table:
    """Rows that are only appended; positions count from 0 and never change.

    Attributes:
        rows: As they came.
        people: Who spoke and who was named.
        parents: For each row, the position of the row it replies to, or -1.
        gone: Positions of deleted and service messages.
    """

    def __init__(self, general: Floats) -> None:
        self.rows: list[HistoryRow] = []
        self.people = People()
        self.parents: list[int] = []
        self.gone: list[int] = []
        self._general = general
        self._stem_of = array("q")
        self._buckets = array("q")
        self._values = array("d")
        self._columns = array("i")
        self._flags = array("i")
        self._lengths = array("i")
        self._rhythm = array("d")
        self._times = array("d")
        self._words = array("q")
        self._word_rows = array("q")
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
        places, note, senders, columns = self._places, self.people.note, self.people.senders, self._columns
        for place, row, read in zip(count(len(self.rows)), rows, reads, strict=False):
            parent = -1 if row.reply_to is None else places.get(row.reply_to, -1)
            columns.frombytes(note(row, read, senders[parent] if parent >= 0 else NOBODY))
            self.parents.append(parent)
            places[row.message_id] = place
            if row.deleted or row.is_service:
                self.gone.append(place)

    def _take_words(self, reads: Sequence[Digest]) -> None:
        number, begin = self._numbers.__getitem__, len(self.rows)
        words = [read.words if len(read.words) <= MAX_WORDS else _first_words(read.words) for read in reads]
        if len(reads) == 1:
            numbers = [*map(number, words[0])]
            self._learn()
            stems = {*map(self._stem_of.__getitem__, numbers)} - {_TOO_SHORT}
            self._words.extend(sorted(stems))
            self._word_rows.extend([begin] * len(stems))
            return
        lengths = [*map(len, words)]
        every = np.fromiter(map(number, chain.from_iterable(words)), np.intp, sum(lengths))
        self._learn()
        rows = np.repeat(np.arange(begin, begin + len(reads)), lengths)
        found = np.array(self._stem_of, dtype=np.intp).take(every)
        pairs = (rows * self.stems + found)[found != _TOO_SHORT]
        pairs.sort()
        rows, found = np.divmod(pairs[np.flatnonzero(np.diff(pairs, prepend=-1))], self.stems or 1)
        self._words.frombytes(found.astype(np.int64).tobytes())
        self._word_rows.frombytes(rows.astype(np.int64).tobytes())

    def _learn(self) -> None:
        """Register the words that are new since the last call, in their order."""
        words = _newest(self._numbers, len(self._stem_of))
        stem, known, size = self._stems.__getitem__, len(self._stems), self._general.size
        self._stem_of.extend([stem(word[:STEM]) if len(word) > 1 else _TOO_SHORT for word in words])
        new = _newest(self._stems, known)
        self._buckets.extend([crc32(word.encode("utf-8", "surrogatepass")) % size for word in new])
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
        """Return the content as arrays; only new rows are converted."""
        old = self._cached
        done, words = (len(old.times), len(old.words)) if old else (0, 0)
        if old and done == len(self.rows):
            return old
        lengths = np.array(self._lengths[done:], dtype=np.int32)
        new = Arrays(
            np.array(self._columns[done * len(COLUMNS) :], dtype=np.int32).reshape(-1, len(COLUMNS)),
            _row_signals(self._flags[done:], lengths),
            lengths,
            np.array(self._rhythm[done:], dtype=np.float64),
            np.array(self._times[done:], dtype=np.float64),
            np.array(self._words[words:], dtype=np.intp),
            np.array(self._word_rows[words:], dtype=np.intp),
        )
        if old:
            pairs = ((getattr(old, name), getattr(new, name)) for name in Arrays.__slots__)
            new = Arrays(*(np.concatenate(pair) for pair in pairs))
        self._cached = new
        return new

    def copy(self) -> Table:
        """Return an independent copy that can grow."""
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

    @property
    def words(self) -> int:
        """Return the number of distinct stems per row, summed over all rows."""
        return len(self._words)

    @property
    def stems(self) -> int:
        """Return the number of distinct stems."""
        return len(self._buckets)

    def shares(self, words: Indices) -> Floats:
        """Return how common each of the given words is in chats in general."""
        return self._general.take(np.array(self._buckets, dtype=np.intp).take(words))

    def values(self, words: Indices) -> Floats:
        """Return how informative each of the given words is by its length, 0 to 1."""
        return np.array(self._values, dtype=np.float32).take(words)


def _newest(numbers: dict[str, int], known: int) -> list[str]:
    """Return the words after the first `known`, in order."""
    return [*islice(reversed(numbers), len(numbers) - known)][::-1]


def _first_words(words: Sequence[str]) -> list[str]:
    """Remove words whose stems come after `MAX_WORDS` others."""
    stems = {*islice(dict.fromkeys([word[:STEM] for word in words if len(word) > 1]), MAX_WORDS)}
    return [word for word in words if word[:STEM] in stems]


def _row_signals(flags: array[int], lengths: Ints) -> Floats:
    row = np.empty((len(lengths), len(FLAGS) + 1), np.float32)
    row[:, :-1] = np.array(flags, dtype=np.int32)[:, None] >> _SHIFTS & 1
    row[:, -1] = np.log1p(lengths.astype(np.float64)) / 3
    return row


def _rhythm(old: float, gap: float, place: int) -> float:
    """Return the typical gap (logarithm) after one more: a mean in which recent gaps weigh most."""
    new = _log1p(gap if gap < _MOST else _MOST) if gap > 0 else 0.0
    return old + (new - old) / (place if place < SLOW else SLOW)


def _numbering(known: Mapping[str, int]) -> defaultdict[str, int]:
    """Return a copy that assigns the next number to each unknown key."""
    return defaultdict(count(len(known)).__next__, known)


_LISTS = (
    "rows",
    "parents",
    "gone",
    "_stem_of",
    "_buckets",
    "_values",
    "_columns",
    "_flags",
    "_lengths",
    "_rhythm",
    "_times",
    "_words",
    "_word_rows",
)
