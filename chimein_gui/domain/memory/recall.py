"""Recall: the entries of memory files as they are searched, and what a search found."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.memory.entries import MemoryScope

TOP = 5
"""Entries that a search puts into a prompt."""
LOSERS = 5
"""Entries behind them that are kept to explain the choice."""
RRF = 60
"""Constant of reciprocal rank fusion: an entry scores 1 / (RRF + rank) for each ranking that has it."""
BY_WORDS = "words"
"""`Recall.by` of a search without vectors."""


@dataclass(frozen=True, slots=True)
class IndexedEntry:
    """An entry of a memory file, as it is searched.

    Attributes:
        id: As `entry_id` makes it.
        file: Which file has it.
        text: What it says, unescaped.
        line: The line of the file with which it begins, from 1.
        at: When it was written, aware UTC; None if unknown.
        chat: The chat in which it was learned; None if unknown.
        in_own_words: The partner ordered it: *I* in its text is the partner. An index does not keep it.
    """

    id: str
    file: MemoryFile
    text: str
    line: int
    at: datetime | None
    chat: PeerId | None
    in_own_words: bool = False


@dataclass(frozen=True, slots=True)
class Recalled:
    """One entry that a search found.

    Attributes:
        entry: The entry.
        score: How well it fits, 0 to 1, for display.
        words: How well its words fit, 0 to 1; None if no word fits.
        meaning: Cosine of its vector and the query's, -1 to 1; None without vectors.
        rank: Its place, from 1.
    """

    entry: IndexedEntry
    score: float
    words: float | None
    meaning: float | None
    rank: int


@dataclass(frozen=True, slots=True)
class Recall:
    """What a search found.

    Attributes:
        query: What was searched.
        best: The best entries, best first.
        losers: The next ones, as far as they were asked for.
        searched: Number of entries that were searched.
        without_vector: How many of them could be found by words only, because they have no vector of the model;
            0 in a search by words alone.
        took_s: Seconds that the search took.
        by: `BY_WORDS`, or the name of the model whose vectors were used, too.
    """

    query: str
    best: tuple[Recalled, ...] = ()
    losers: tuple[Recalled, ...] = ()
    searched: int = 0
    without_vector: int = 0
    took_s: float = 0.0
    by: str = BY_WORDS


def entry_id(file: MemoryFile, text: str) -> str:
    """Return the id of an entry: 64 hex digits that stay the same whatever else changes in the file."""
    peer = "" if file.peer is None else str(int(file.peer))
    return _sha256("\x00".join((file.kind.value, file.agent_name, peer, text.strip())))


def text_hash(text: str) -> str:
    """Return the hash of a text, 64 hex digits; texts that look the same have the same."""
    return _sha256(unicodedata.normalize("NFC", text).strip())


def readable_files(scope: MemoryScope) -> tuple[MemoryFile, ...]:
    """Return the files that a chat may see, also those that do not exist."""
    curated = MemoryFile(MemoryKind.CURATED, scope.agent_name, scope.chat)
    remembered = MemoryFile(MemoryKind.REMEMBERED, scope.agent_name)
    about = () if scope.person is None else (MemoryFile(MemoryKind.ABOUT_PARTNER, scope.agent_name, scope.person),)
    return (curated, remembered, *about)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
