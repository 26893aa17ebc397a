"""Differences between two texts, line by line, and in lines that were rewritten word by word."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.domain.text.word_changes import Piece, WordChange, word_sides

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_LINES = 20_000
"""Longer texts are not compared line by line: one replaces the other as a whole."""

MOST_PAIRS = 2_500
"""Most pairs of a removed and an added line that are tried; in larger changes no words are marked."""

LEAST_ALIKE = 0.4
"""Part of the words that a removed and an added line must share, so that the words that differ are marked."""


class LineChange(NamedTuple):
    """One line of two texts.

    Attributes:
        change: Whether both texts have it, or only the older or the newer one.
        old: Its number in the older text, from 1; 0 for an added line.
        new: Its number in the newer text; 0 for a removed line.
        pieces: The line in pieces. A removed line has no added words, and an added line no removed ones. A line without
            a counterpart is one piece.
    """

    change: WordChange
    old: int
    new: int
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """Return the whole line."""
        return "".join(piece.text for piece in self.pieces)


def line_changes(before: str, after: str) -> tuple[LineChange, ...]:
    """Return both texts as one: the lines of both, and before the added lines of a place those removed there."""
    old, new = before.split("\n"), after.split("\n")
    made: list[LineChange] = []
    for tag, old_from, old_to, new_from, new_to in _opcodes(old, new):
        if tag == "equal":
            numbers = zip(range(old_from, old_to), range(new_from, new_to), strict=True)
            made += [_line(WordChange.SAME, one + 1, other + 1, new[other]) for one, other in numbers]
            continue
        rewritten = _rewritten(old[old_from:old_to], new[new_from:new_to])
        of_old = {old_from + one: removed for one, (_other, removed, _added) in rewritten.items()}
        of_new = {new_from + other: added for other, _removed, added in rewritten.values()}
        for number in range(old_from, old_to):
            made.append(_line(WordChange.REMOVED, number + 1, 0, old[number], of_old.get(number)))
        for number in range(new_from, new_to):
            made.append(_line(WordChange.ADDED, 0, number + 1, new[number], of_new.get(number)))
    return tuple(made)


def _opcodes(old: list[str], new: list[str]) -> Sequence[tuple[str, int, int, int, int]]:
    if max(len(old), len(new)) > MOST_LINES:
        return [("replace", 0, len(old), 0, len(new))]
    return SequenceMatcher(None, old, new).get_opcodes()


def _line(change: WordChange, old: int, new: int, text: str, pieces: tuple[Piece, ...] | None = None) -> LineChange:
    return LineChange(change, old, new, pieces if pieces is not None else (Piece(change, text),))


_Pair = tuple[int, tuple[Piece, ...], tuple[Piece, ...]]


def _rewritten(old: Sequence[str], new: Sequence[str]) -> dict[int, _Pair]:
    """Return for removed lines which added line each became, with the words of both; in their order."""
    found: dict[int, _Pair] = {}
    if len(old) * len(new) > MOST_PAIRS:
        return found
    first = 0
    for number, line in enumerate(old):
        for place in range(first, len(new)):
            removed, added = word_sides(line, new[place])
            if _alike((*removed, *added)) >= LEAST_ALIKE:
                found[number] = place, removed, added
                first = place + 1
                break
    return found


def _alike(pieces: tuple[Piece, ...]) -> float:
    """Return the part of the characters of two lines that both share, from 0 to 1."""
    same, other = (
        sum(len(piece.text.strip()) for piece in pieces if (piece.change is WordChange.SAME) is is_same)
        for is_same in (True, False)
    )
    return same / (same + other) if same else 0.0
