"""Fuzzy matching, for an operator who knows a name only roughly."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

WORD_START, IN_A_ROW, WHOLE_PREFIX = 8, 5, 12
GAP_COST = 1
MOST_GAPS = 12


@dataclass(frozen=True, slots=True)
class Match:
    """How well a text matches.

    Attributes:
        score: Higher is better.
        spans: Where the letters were found, as (from, to) in the text.
    """

    score: int
    spans: tuple[tuple[int, int], ...]


def folded(text: str) -> str:
    """Return a text for comparison: without case and accents, each letter still at its place."""
    return text.lower() if text.isascii() else _folded(text)


@lru_cache(maxsize=16384)
def _folded(text: str) -> str:
    return "".join(_plain(char) for char in text)


def _plain(char: str) -> str:
    base = unicodedata.normalize("NFD", char)[:1].lower()
    return base if len(base) == 1 else char


def match(query: str, text: str) -> Match | None:
    """Return how `query` (already folded) matches `text`, or None.

    The letters must occur in this order; beginnings of words and runs of letters count more. The words of the query may
    occur in any order.
    """
    target = folded(text)
    if not query:
        return Match(0, ())
    place = target.find(query)
    if place >= 0:
        return Match(score_of_run(target, place, len(query)), ((place, place + len(query)),))
    words = query.split()
    if len(words) > 1:
        return _all_words(words, text)
    return _scattered(query, target, jump=True) or _scattered(query, target, jump=False)


def score_of_run(target: str, place: int, length: int) -> int:
    """Return the score of a run of letters at a place of a folded text."""
    score = length * IN_A_ROW - min(place, MOST_GAPS)
    if place == 0:
        return score + WHOLE_PREFIX + WORD_START
    return score + (WORD_START if not target[place - 1].isalnum() else 0)


def _all_words(words: list[str], text: str) -> Match | None:
    score, spans = 0, list[tuple[int, int]]()
    for word in words:
        found = match(word, text)
        if found is None:
            return None
        score += found.score
        spans += found.spans
    return Match(score, _joined(sorted(spans)))


def _scattered(query: str, target: str, *, jump: bool) -> Match | None:
    """Match letters with gaps, such as "mol" in "Marta OLiveira".

    Args:
        query: The letters, folded.
        target: The text, folded.
        jump: Prefer the beginning of a word for each letter; otherwise its next occurrence.
    """
    score, place, spans = 0, 0, list[tuple[int, int]]()
    for char in query:
        at = _next(char, target, place) if jump else target.find(char, place)
        if at < 0:
            return None
        if at == place and spans:
            score += IN_A_ROW
        elif at == 0 or not target[at - 1].isalnum():
            score += WORD_START
        else:
            score -= GAP_COST * min(at - place, MOST_GAPS)
        spans.append((at, at + 1))
        place = at + 1
    # Letters scattered over a long text match nearly anything: below this score it is no match.
    return Match(score, _joined(spans)) if score >= len(query) * IN_A_ROW else None


def _next(char: str, target: str, place: int) -> int:
    if place < len(target) and target[place] == char:
        return place
    at = target.find(char, place)
    start = at
    while start >= 0:
        if start == 0 or not target[start - 1].isalnum():
            return start
        start = target.find(char, start + 1)
    return at


def _joined(spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    joined: list[tuple[int, int]] = []
    for begin, end in spans:
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return tuple(joined)
