"""Words to look for in texts: SQLite's LIKE knows the case of ASCII letters alone, so it only sorts out beforehand."""

from collections.abc import Sequence

ESCAPE = "\\"
_SPECIAL = frozenset("%_\\")


def contains(text: str, words: Sequence[str]) -> bool:
    """Tell whether a text holds all words, in any case of any script."""
    folded = text.casefold()
    return all(word.casefold() in folded for word in words)


def rough_pattern(word: str) -> str:
    r"""Return a pattern for LIKE, with the escape ``\``, that takes every text with the word, and few others.

    What has another case outside ASCII may be anything, and so may ``ss``, which is how ``ß`` is folded; what LIKE
    finds is looked at again with `contains`.
    """
    pattern = "".join(_for_like(letter) for letter in word.casefold().replace("ss", "ß"))
    return f"%{pattern}%"


def _for_like(letter: str) -> str:
    if letter in _SPECIAL:
        return ESCAPE + letter
    return letter if letter.isascii() or letter.lower() == letter.upper() else "%"
