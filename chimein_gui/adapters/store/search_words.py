"""Search words, and the pieces of them in the search index.

SQLite's LIKE ignores case only for ASCII letters; GLOB accepts sets of letters, at three times the cost. Both are only
filters: `contains` decides.

The index holds runs of three letters of casefolded texts. In scripts without blanks a word often has only two letters,
so each letter is enclosed in marks, and runs of three contain one or two of them.
"""

import re
import sys
from collections.abc import Sequence
from functools import cache

ESCAPE = "\\"
_SPECIAL = frozenset("%_\\")
_GLOB_SPECIAL = frozenset("*?[")
_LAST_WITH_CASE = 0x1FFFF

MARK = "\x1f"
"""Separates the letters of scripts without blanks."""

PIECE = 3
"""Letters of a piece."""

MOST_PIECES = 16
"""Most pieces of a long word that are searched."""

_UNSPACED = re.compile("[\u0e00-\U0010ffff]+")
"""Letters of scripts without blanks; also signs and emoji, which are searched one by one."""


def contains(text: str, words: Sequence[str]) -> bool:
    """Return whether a text contains all words; case is ignored in all scripts."""
    folded = text.casefold()
    return all(word.casefold() in folded for word in words)


def rough_match(column: str, word: str) -> tuple[str, str]:
    """Return a condition for a column, and its value, that matches every text with the word and few others.

    ``ss`` matches anything, because ``ß`` is folded to it.
    """
    folded = word.casefold().replace("ss", "ß")
    if all(letter.isascii() or letter == "ß" or not _others(letter) for letter in folded):
        return f"{column} LIKE ? ESCAPE '{ESCAPE}'", f"%{''.join(map(_for_like, folded))}%"
    return f"{column} GLOB ?", f"*{''.join(map(_for_glob, folded))}*"


def as_indexed(text: str) -> str:
    """Return a text or word in the form of the index: casefolded, letters of scripts without blanks between marks.

    The form of a substring is a substring of the text's form.
    """
    folded = text.casefold().replace("\0", " ")
    if folded.isascii():
        return folded
    return _UNSPACED.sub(lambda run: f"{MARK}{MARK.join(run.group())}{MARK}", folded)


def pieces_of(word: str) -> tuple[str, ...]:
    """Return the pieces that every indexed text with the word contains; none if the word is too short."""
    indexed = as_indexed(word)
    runs = dict.fromkeys(indexed[at : at + PIECE] for at in range(len(indexed) - PIECE + 1))
    return tuple(runs)[:MOST_PIECES]


def _for_like(letter: str) -> str:
    if letter == "ß":
        return "%"
    return ESCAPE + letter if letter in _SPECIAL else letter


def _for_glob(letter: str) -> str:
    if letter == "ß":
        return "*"
    either = letter + _others(letter)
    return f"[{either}]" if len(either) > 1 or letter in _GLOB_SPECIAL else letter


def _others(letter: str) -> str:
    """Return the other letters with the same folded form."""
    return _folded_letters().get(letter, "")


@cache
def _folded_letters() -> dict[str, str]:
    found: dict[str, str] = {}
    for number in range(min(_LAST_WITH_CASE, sys.maxunicode) + 1):
        letter = chr(number)
        folded = letter.casefold()
        if len(folded) == 1 and folded != letter:
            found[folded] = found.get(folded, "") + letter
    return found
