"""How like two memories are by their words, and one text that says both."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

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
    first, second = _parts_of(one), _parts_of(other)
    if first.plain == second.plain:
        return 1.0
    return max(_share(first.words, second.words), _share(first.pieces, second.pieces))


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


class _Parts(NamedTuple):
    """A folded text, its words, and its pieces of three letters."""

    plain: str
    words: frozenset[str]
    pieces: frozenset[str]


@lru_cache(maxsize=4096)
def _parts_of(text: str) -> _Parts:
    """Return the parts of a text; the newest are kept, because each entry is compared with each proposal."""
    plain = folded(text)
    padded = f" {plain} "
    pieces = frozenset(padded[start : start + _PIECE] for start in range(len(padded) - _PIECE + 1))
    return _Parts(plain, frozenset(plain.split()), pieces)


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0
