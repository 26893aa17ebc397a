"""Three-way merge of texts by whole lines, for files that two programs have changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

MOST_LINES = 20_000
"""Longer texts are not compared; two changes in them are a conflict."""

MOST_PAIRS = 1_000_000
"""Most pairs of equal lines that are tried. Where there are more, as among thousands of blank lines, all between the
first line that differs and the last one counts as one change."""

MINE, PARTING, THEIRS = "<<<<<<< ", "=======", ">>>>>>> "
"""The marks of a conflict, as version control writes them."""


class Changed(NamedTuple):
    """Lines of a text that other ones replaced: the places in both, from 0, each end behind the last one."""

    start: int
    end: int
    new_start: int
    new_end: int


def changed_lines(old: Sequence[str], new: Sequence[str]) -> list[Changed]:
    """Return the lines that differ, in order; what is between two changes is the same in both."""
    first, least = 0, min(len(old), len(new))
    while first < least and old[first] == new[first]:
        first += 1
    behind = 0
    while behind < least - first and old[-1 - behind] == new[-1 - behind]:
        behind += 1
    whole = Changed(first, len(old) - behind, first, len(new) - behind)
    before, after = old[first : whole.end], new[first : whole.new_end]
    often = Counter(before)
    if sum(often[line] for line in after) > MOST_PAIRS:
        return [whole]
    return [
        Changed(first + a, first + b, first + c, first + d)
        for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if kind != "equal"
    ]


class _Change(NamedTuple):
    """Lines of the base that one side replaced."""

    start: int
    end: int
    lines: tuple[str, ...]


def merge_lines(base: str, mine: str, theirs: str) -> str | None:
    """Return a text with the changes of both sides; None if they changed the same lines, or neighbouring ones."""
    if mine in (base, theirs):
        return theirs
    if theirs == base:
        return mine
    old = base.splitlines(keepends=True)
    sides = [text.splitlines(keepends=True) for text in (mine, theirs)]
    if max(len(old), *map(len, sides)) > MOST_LINES:
        return None
    of_mine, of_theirs = (_changes(old, side) for side in sides)
    if any(_touch(one, other) for one in of_mine for other in of_theirs if one != other):
        return None
    merged: list[str] = []
    at = 0
    for change in sorted({*of_mine, *of_theirs}):
        merged += [*old[at : change.start], *change.lines]
        at = change.end
    return "".join((*merged, *old[at:]))


def with_both(mine: str, theirs: str, words: tuple[str, str]) -> str:
    """Return a text with both versions of the lines that differ, between marks.

    Args:
        mine: One version.
        theirs: The other one.
        words: What stands beside the marks of mine and of theirs.
    """
    end = "\r\n" if "\r\n" in mine else "\n"
    old, new = mine.splitlines(keepends=True), theirs.splitlines(keepends=True)
    shown: list[str] = []
    at = 0
    for a, b, c, d in changed_lines(old, new):
        marked = [MINE + words[0] + end, *old[a:b], PARTING + end, *new[c:d], THEIRS + words[1] + end]
        shown += [*old[at:a], *(line if line.endswith(("\n", "\r")) else line + end for line in marked)]
        at = b
    shown += old[at:]
    return "".join(shown)


def _changes(old: list[str], new: list[str]) -> list[_Change]:
    return [_Change(one.start, one.end, tuple(new[one.new_start : one.new_end])) for one in changed_lines(old, new)]


def _touch(one: _Change, other: _Change) -> bool:
    return one.start <= other.end and other.start <= one.end
