"""How like two memories are by their words, and one text that says both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.memory.folding import folded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.memory.edits import FileEntry

ALIKE = 0.5
"""From this likeness on an entry counts as about the same."""
_PIECE = 3
_ENDS = tuple(".!?…。！？")  # noqa: RUF001 - the marks of East Asian sentences


def likeness(one: str, other: str) -> float:
    """Return how like two texts are, 0 to 1: the share of common words and of common pieces of three letters."""
    first, second = folded(one), folded(other)
    if first == second:
        return 1.0
    return max(_share(set(first.split()), set(second.split())), _share(_pieces(first), _pieces(second)))


def nearest(entries: Iterable[FileEntry], text: str) -> tuple[FileEntry | None, float]:
    """Return the entry that is most like a text, and how like; None without entries."""
    best: FileEntry | None = None
    score = 0.0
    for entry in entries:
        found = likeness(entry.entry.text, text)
        if found > score:
            best, score = entry, found
    return best, score


def merged(old: str, new: str) -> str:
    """Return a text that says what both say: one of them if it has all words of the other, else both."""
    first, second = set(folded(old).split()), set(folded(new).split())
    if first <= second:
        return new
    if second <= first:
        return old
    begin = old.strip()
    return f"{begin}{'' if begin.endswith(_ENDS) else '.'} {new.strip()}"


def _share(one: set[str], other: set[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def _pieces(text: str) -> set[str]:
    padded = f" {text} "
    return {padded[start : start + _PIECE] for start in range(len(padded) - _PIECE + 1)}
