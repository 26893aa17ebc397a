"""Three-way merge of texts by whole lines, for files that two programs have changed."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import NamedTuple

MOST_LINES = 20_000
"""Longer texts are not compared; two changes in them are a conflict."""

MINE, PARTING, THEIRS = "<<<<<<< ", "=======", ">>>>>>> "
"""The marks of a conflict, as version control writes them."""


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
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            shown += old[a:b]
        else:
            marked = [MINE + words[0] + end, *old[a:b], PARTING + end, *new[c:d], THEIRS + words[1] + end]
            shown += [line if line.endswith(("\n", "\r")) else line + end for line in marked]
    return "".join(shown)


def _changes(old: list[str], new: list[str]) -> list[_Change]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [_Change(a, b, tuple(new[c:d])) for kind, a, b, c, d in matcher.get_opcodes() if kind != "equal"]


def _touch(one: _Change, other: _Change) -> bool:
    return one.start <= other.end and other.start <= one.end
