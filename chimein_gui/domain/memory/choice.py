"""What is asked of the memories for a prompt, which of those found go into it, and whether the reply used them."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.resource_files import resource_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.memory.recall import Recall, Recalled

QUERY_CHARACTERS = 1_000
"""Most characters of a query; of longer messages the newest words."""

EXCERPT = 120
"""Most characters of an entry that are stored to explain the choice."""

WEAKEST_WORDS = 0.10
"""Smallest share of words with which an entry goes into a prompt because of its words."""

SHARE_OF_BEST_WORDS, SHARE_OF_BEST_MEANING = 0.5, 0.7
"""An entry that fits less than this part of what the best one does is too weak."""


class RecallStatus(StrEnum):
    """What became of an entry that was found. The database keeps the values, so they must never be changed."""

    IN_PROMPT = "in prompt"
    BELOW = "below"
    """Enough others fit better."""
    NO_ROOM = "no room"
    """The section has only so many characters."""
    TOO_WEAK = "too weak"
    """It hardly fits."""


class RecallFact(NamedTuple):
    """What is known about an entry that was found for a prompt.

    Attributes:
        text: The entry, or its beginning.
        path: Its file; empty if that is not known.
        first_line: Line of the file with which it began, from 1.
        last_line: Line with which it ended.
        rank: Its place, from 1.
        score: How well it fits, 0 to 1.
        words: How well its words fit, 0 to 1; None if no word fits.
        meaning: Cosine of its vector and the query's, -1 to 1; None without vectors.
        status: What became of it.
        is_used: The reply probably used it.
    """

    text: str
    path: str
    first_line: int
    last_line: int
    rank: int
    score: float
    words: float | None
    meaning: float | None
    status: RecallStatus
    is_used: bool = False

    def after(self, query: str, reply: str) -> RecallFact:
        """Return what is stored of it once there is a reply to what was searched for."""
        is_used = self.status is RecallStatus.IN_PROMPT and probably_used(self.text, query, reply)
        return self._replace(text=" ".join(self.text[: 2 * EXCERPT].split())[:EXCERPT], is_used=is_used)


def query_from(texts: Iterable[str]) -> str:
    """Return what is searched for when these messages are answered, oldest first; blank if they say nothing."""
    query = "\n".join(filter(None, (" ".join(text.split()) for text in texts)))
    if len(query) <= QUERY_CHARACTERS:
        return query
    newest = query[-QUERY_CHARACTERS:]
    return newest.split(maxsplit=1)[-1] if newest[0].strip() and query[-QUERY_CHARACTERS - 1].strip() else newest


def statuses_by_rank(recall: Recall) -> tuple[tuple[Recalled, RecallStatus], ...]:
    """Return what becomes of each entry that was found, best first, if there is room for all."""
    best_words = max((one.words or 0.0 for one in recall.best), default=0.0)
    best_meaning = max((one.meaning or 0.0 for one in recall.best), default=0.0)

    def status(one: Recalled) -> RecallStatus:
        has_words = (one.words or 0.0) >= max(WEAKEST_WORDS, SHARE_OF_BEST_WORDS * best_words)
        has_meaning = one.meaning is not None and one.meaning >= SHARE_OF_BEST_MEANING * best_meaning
        return RecallStatus.IN_PROMPT if has_words or has_meaning else RecallStatus.TOO_WEAK

    strong = tuple((one, status(one)) for one in recall.best)
    return (*strong, *((one, RecallStatus.BELOW) for one in recall.losers))


_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
_SHORTEST, _STEM = 4, 5


def probably_used(entry: str, query: str, reply: str) -> bool:
    """Tell whether a reply has a telling word of an entry that the messages it answers do not have.

    Telling are words and numbers of four letters and more, but for the most common ones, compared by their first five;
    in scripts without blanks pairs of letters, of which two are needed.
    """
    words, pairs = _telling(entry)
    asked_words, asked_pairs = _telling(query)
    said_words, said_pairs = _telling(reply)
    return bool(words & said_words - asked_words - _common_words()) or len(pairs & said_pairs - asked_pairs) > 1


@cache
def _common_words() -> frozenset[str]:
    """Return the beginnings of words of four letters and more that say nothing about a subject."""
    text = resource_path("memory", "common_words.txt").read_text(encoding="utf-8")
    return frozenset(word[:_STEM] for word in text.split())


def _telling(text: str) -> tuple[set[str], set[str]]:
    """Return the beginnings of the long words, and the pairs of letters where there are no blanks."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    runs = _UNSPACED.findall(folded)
    pairs = {run[place : place + 2] for run in runs for place in range(len(run) - 1)}
    spaced = _UNSPACED.sub(" ", folded)
    return {word[:_STEM] for word in _WORD.findall(spaced) if len(word) >= _SHORTEST}, pairs
