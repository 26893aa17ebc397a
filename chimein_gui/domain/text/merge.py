"""Three-way merge of texts, word by word and paragraph by paragraph."""

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from chimein_gui.domain.text.word_changes import ALONE

MOST_TOKENS = 6_000
"""A longer text is not compared; it counts as one change."""

MOST_IN_GAP = 100
"""Longest gap that is compared closely, in words; this keeps the cost linear."""

_WORDS = re.compile(rf"[{ALONE}]|[^\s{ALONE}]+|\n|[^\S\n]+")
_ENDS = ".,;:!?…"


class Side(StrEnum):
    """One of the three texts."""

    BASE = "base"
    MINE = "mine"
    THEIRS = "theirs"


class Change(StrEnum):
    """Who changed some words."""

    NONE = "none"
    MINE = "mine"
    THEIRS = "theirs"
    AGREED = "agreed"  # both sides made the same change
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some consecutive words, in the version of each of the three texts.

    Attributes:
        change: Who changed them.
        base: The words of the first text.
        mine: Those of one side.
        theirs: Those of the other side.
    """

    change: Change
    base: str
    mine: str
    theirs: str

    def of(self, side: Side) -> str:
        """Return the words of one text."""
        return {Side.BASE: self.base, Side.MINE: self.mine, Side.THEIRS: self.theirs}[side]

    @property
    def proposed(self) -> str:
        """Return the words that the merge takes by default; for a conflict mine, or theirs if mine is empty."""
        if self.change is Change.THEIRS:
            return self.theirs
        return self.mine or self.theirs if self.change is Change.CONFLICT else self.mine


def merge(base: str, mine: str, theirs: str) -> tuple[Chunk, ...]:
    """Merge two texts that were made from the same base.

    The words of all chunks in a row are exactly the base, mine or theirs. There is a conflict only where both sides
    changed the same words, or added some at the same place.
    """
    first, one, other = (_tokens(text) for text in (base, mine, theirs))
    if max(len(first), len(one), len(other)) > MOST_TOKENS:
        return (_chunk(base, mine, theirs),)
    in_mine, in_theirs = dict(_pairs(first, one)), dict(_pairs(first, other))
    chunks: list[Chunk] = []
    at = 0, 0, 0
    common = [place for place in range(len(first)) if place in in_mine and place in in_theirs]
    for place in (*common, len(first)):
        to = place, in_mine.get(place, len(one)), in_theirs.get(place, len(other))
        parts = ["".join(tokens[start:end]) for tokens, start, end in zip((first, one, other), at, to, strict=True)]
        if any(parts):
            chunks.append(_chunk(*parts))
        if place < len(first):
            chunks.append(Chunk(Change.NONE, first[place], first[place], first[place]))
        at = to[0] + 1, to[1] + 1, to[2] + 1
    return tuple(_joined(chunks))


def merged(chunks: Sequence[Chunk], choices: Mapping[int, Side] | None = None) -> str:
    """Return the result, with the words of the chosen side where there is a choice.

    Args:
        chunks: From `merge`.
        choices: Chosen side by index of the chunk.
    """
    chosen = choices or {}
    return "".join(chunk.of(chosen[place]) if place in chosen else chunk.proposed for place, chunk in enumerate(chunks))


def _tokens(text: str) -> list[str]:
    """Split a text into words, blanks, line breaks, and punctuation at the end of words."""
    tokens: list[str] = []
    for word in _WORDS.findall(text):
        bare = word.rstrip(_ENDS)
        tokens += [part for part in (bare, word[len(bare) :]) if part]
    return tokens


def _chunk(base: str, mine: str, theirs: str) -> Chunk:
    if mine == theirs:
        change = Change.NONE if mine == base else Change.AGREED
    elif mine == base:
        change = Change.THEIRS
    else:
        change = Change.MINE if theirs == base else Change.CONFLICT
    return Chunk(change, base, mine, theirs)


def _joined(chunks: Sequence[Chunk]) -> Iterator[Chunk]:
    """Join neighbours of one kind, also across a blank, so that consecutive changed words are one change."""
    held: list[Chunk] = []  # a change, and the blank behind it
    for chunk in chunks:
        if held and chunk.change is held[0].change:
            held = [_together((*held, chunk))]
        elif len(held) == 1 and held[0].change is not Change.NONE and _is_blank(chunk):
            held.append(chunk)
        else:
            yield from held
            held = [chunk]
    yield from held


def _together(chunks: Sequence[Chunk]) -> Chunk:
    texts = ("".join(chunk.of(side) for chunk in chunks) for side in Side)
    return Chunk(chunks[0].change, *texts)


def _is_blank(chunk: Chunk) -> bool:
    return chunk.change is Change.NONE and chunk.base.isspace() and "\n" not in chunk.base


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the index pairs of equal tokens of both texts, in order."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        yield start, start
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    at_old, at_new = start, start
    last = len(old) - end, len(new) - end
    for to_old, to_new in (*_anchors(old, new, start, last), last):
        yield from _close_pairs(old, new, (at_old, to_old), (at_new, to_new))
        if (to_old, to_new) != last:
            yield to_old, to_new
        at_old, at_new = to_old + 1, to_new + 1
    for back in range(end, 0, -1):
        yield len(old) - back, len(new) - back


def _anchors(old: Sequence[str], new: Sequence[str], start: int, last: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the longest sequence of tokens that occur exactly once in both texts, in the same order."""
    once_old = {token for token, count in Counter(old[start : last[0]]).items() if count == 1}
    once_new = {token for token, count in Counter(new[start : last[1]]).items() if count == 1}
    place_in_new = {new[place]: place for place in range(start, last[1]) if new[place] in once_new & once_old}
    ends: list[int] = []  # the lowest place in the new text at which a row of each length ends
    last_of: list[tuple[int, int]] = []
    before: dict[tuple[int, int], tuple[int, int] | None] = {}
    for place in range(start, last[0]):
        found = place_in_new.get(old[place])
        if found is None:
            continue
        length = bisect_left(ends, found)
        pair = place, found
        before[pair] = last_of[length - 1] if length else None
        ends[length : length + 1] = [found]
        last_of[length : length + 1] = [pair]
    row: list[tuple[int, int]] = []
    link = last_of[-1] if last_of else None
    while link is not None:
        row.append(link)
        link = before[link]
    return row[::-1]


def _close_pairs(
    old: Sequence[str], new: Sequence[str], of_old: tuple[int, int], of_new: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    gap_old, gap_new = old[slice(*of_old)], new[slice(*of_new)]
    if not gap_old or not gap_new or max(len(gap_old), len(gap_new)) > MOST_IN_GAP:
        return
    for block in SequenceMatcher(None, gap_old, gap_new, autojunk=False).get_matching_blocks():
        for step in range(block.size):
            yield of_old[0] + block.a + step, of_new[0] + block.b + step


class MergedText:
    """The merge result while the operator works on it: chunks, their positions, and open conflicts.

    Attributes:
        chunks: From `merge`.
        text: The current result. An open conflict shows the proposed words.
        spans: Position of each chunk in it: begin and end, in characters.
        open: Indexes of the conflicts without a choice.
        is_touched: Whether the operator has chosen or typed something.
    """

    def __init__(self, base: str, mine: str, theirs: str) -> None:
        """Create the default result of the merge."""
        self.base, self.mine, self.theirs = base, mine, theirs
        self.chunks = merge(base, mine, theirs)
        self.text = ""
        self.spans: list[tuple[int, int]] = []
        for chunk in self.chunks:
            end = len(self.text)
            self.text += chunk.proposed
            self.spans.append((end, len(self.text)))
        self.is_touched = False
        self.open = {place for place, chunk in enumerate(self.chunks) if chunk.change is Change.CONFLICT}

    def state(self) -> str:
        """Return the result in a form that `restored` reads; empty while nothing was chosen or typed."""
        if not self.is_touched:
            return ""
        texts = {"base": self.base, "mine": self.mine, "theirs": self.theirs, "text": self.text}
        return json.dumps({**texts, "spans": self.spans, "open": sorted(self.open)})

    @classmethod
    def restored(cls, state: str) -> "MergedText | None":
        """Return the result from `state`; None if it is empty, or if its texts now give other chunks."""
        if not state:
            return None
        kept = json.loads(state)
        made = cls(kept["base"], kept["mine"], kept["theirs"])
        if len(kept["spans"]) != len(made.chunks) or not made.open >= set(kept["open"]):
            return None
        made.text, made.is_touched = kept["text"], True
        made.spans = [(first, last) for first, last in kept["spans"]]
        made.open = set(kept["open"])
        return made

    def changes(self) -> list[int]:
        """Return the indexes of all changes."""
        return [place for place, chunk in enumerate(self.chunks) if chunk.change is not Change.NONE]

    def next_open(self, after: int) -> int | None:
        """Return the next open conflict behind an index, else the first; None if all are chosen."""
        behind = [place for place in self.open if place > after]
        return min(behind or self.open, default=None)

    def choose(self, place: int, side: Side) -> tuple[int, int, str]:
        """Choose the words of one side for a chunk.

        Returns:
            The replacement in the text: from, to, the new words. The caller must also pass the edited text to `typed`.
        """
        self.is_touched = True
        start, end = self.spans[place]
        words = self.chunks[place].of(side)
        self._replace(start, end, len(words), inside=place)
        self.text = self.text[:start] + words + self.text[end:]
        self.open.discard(place)
        return start, end, words

    def choose_all(self, side: Side) -> None:
        """Choose one of the three texts as a whole and discard what was typed."""
        self.is_touched = True
        self.text, self.spans = "", []
        for chunk in self.chunks:
            end = len(self.text)
            self.text += chunk.of(side)
            self.spans.append((end, len(self.text)))
        self.open.clear()

    def typed(self, text: str) -> None:
        """Take over an edit by the operator; typing at an open conflict counts as a choice."""
        old = self.text
        if text == old:
            return
        self.is_touched = True
        start = 0
        while start < min(len(old), len(text)) and old[start] == text[start]:
            start += 1
        tail = 0
        while tail < min(len(old), len(text)) - start and old[-1 - tail] == text[-1 - tail]:
            tail += 1
        end = len(old) - tail
        self.open -= {place for place in self.open if self.spans[place][0] <= end and start <= self.spans[place][1]}
        self._replace(start, end, len(text) - tail - start)
        self.text = text

    def _replace(self, start: int, end: int, length: int, inside: int | None = None) -> None:
        """Move the spans for a replacement of the text from start to end by `length` characters."""
        by = length - (end - start)
        for place, (first, last) in enumerate(self.spans):
            if inside is not None:
                moved = (first, last) if place < inside else (first + by, last + by)
                self.spans[place] = (start, start + length) if place == inside else moved
            elif first <= start and end <= last and last > first:
                self.spans[place] = first, last + by
                inside = place  # it belongs to one chunk only; the rest moves
            elif last > start:
                kept = max(first, end) + by if first >= start else first
                self.spans[place] = kept, max(kept, max(last, end) + by if last > end else start)
