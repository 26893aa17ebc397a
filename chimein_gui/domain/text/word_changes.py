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
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if max(len(old), len(new)) > MOST_WORDS:
        return _joined([Piece(WordChange.REMOVED, before), Piece(WordChange.ADDED, after)])
    # Blanks behind a word do not change it: a line break, the end of the text.
    matcher = SequenceMatcher(None, [word.rstrip() for word in old], [word.rstrip() for word in new])
    pieces: list[Piece] = []
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            pieces.append(Piece(WordChange.SAME, "".join(new[new_from:new_to])))
        else:
            pieces.append(Piece(WordChange.REMOVED, "".join(old[old_from:old_to])))
            pieces.append(Piece(WordChange.ADDED, "".join(new[new_from:new_to])))
    return _joined(pieces)


def words_in(text: str) -> int:
    """Count the words of a text; in scripts without blanks its characters."""
    return sum(1 for word in _WORDS.findall(text) if word.strip())


def _joined(pieces: list[Piece]) -> tuple[Piece, ...]:
    return tuple(piece for piece in pieces if piece.text)
