"""Differences between two texts, word by word."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

MOST_WORDS = 3_000
"""Longer texts are not compared word by word: one replaces the other as a whole."""

ALONE = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Scripts without blanks between words: each character is a word."""

_WORDS = re.compile(rf"[{ALONE}]\s*|[^\s{ALONE}]+\s*|\s+")


class WordChange(StrEnum):
    """Whether words were kept, removed or added."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Piece:
    """Some consecutive words with the same change.

    Attributes:
        change: Whether they were kept, removed or added.
        text: The words, with the blanks behind them.
    """

    change: WordChange
    text: str


def word_changes(before: str, after: str) -> tuple[Piece, ...]:
    """Return both texts as one: kept, removed and added words; empty texts give no pieces."""
    pieces: list[Piece] = []
    for is_same, old, new in _spans(before, after):
        if is_same:
            pieces.append(Piece(WordChange.SAME, new))
        else:
            pieces += [Piece(WordChange.REMOVED, old), Piece(WordChange.ADDED, new)]
    return _joined(pieces)


def word_sides(before: str, after: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Return each text in pieces: kept and removed words of the older one, kept and added ones of the newer one."""
    spans = _spans(before, after)
    older = [Piece(WordChange.SAME if is_same else WordChange.REMOVED, old) for is_same, old, _new in spans]
    newer = [Piece(WordChange.SAME if is_same else WordChange.ADDED, new) for is_same, _old, new in spans]
    return _joined(older), _joined(newer)


def _spans(before: str, after: str) -> list[tuple[bool, str, str]]:
    """Return both texts in spans: whether its words are the same in both, and the words of each."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if max(len(old), len(new)) > MOST_WORDS:
        return [(False, before, after)]
    # Blanks behind a word do not change it: a line break, the end of the text.
    matcher = SequenceMatcher(None, [word.rstrip() for word in old], [word.rstrip() for word in new])
    return [
        (tag == "equal", "".join(old[old_from:old_to]), "".join(new[new_from:new_to]))
        for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes()
    ]


def words_in(text: str) -> int:
    """Count the words of a text; in scripts without blanks its characters."""
    return sum(1 for word in _WORDS.findall(text) if word.strip())


def _joined(pieces: list[Piece]) -> tuple[Piece, ...]:
    return tuple(piece for piece in pieces if piece.text)
