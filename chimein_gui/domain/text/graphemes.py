"""Foreign names as people see them: so many characters, with so many marks on each."""

from __future__ import annotations

import unicodedata

NAME_GRAPHEMES = 64
"""Characters of a name, as a reader counts them."""

MARKS_PER_GRAPHEME = 4

_CODE_POINTS = 16
"""Looked at for each character of a name: few have more, and nobody needs all of a name of 100 kB."""


def is_mark(char: str) -> bool:
    """Tell whether a character stands on the one before; Thai vowels do, though they combine with nothing."""
    return char > "\u02ff" and unicodedata.category(char) in {"Mn", "Me"}


def first_graphemes(text: str, count: int) -> str:
    """Cut after so many graphemes: a base with its marks, selectors and joined parts."""
    seen = 0
    for place, char in enumerate(text):
        joined = place and (is_mark(char) or char in "\ufe0f\u200d" or text[place - 1] == "\u200d")
        if not joined:
            seen += 1
            if seen > count:
                return text[:place]
    return text


def head_of_name(text: str) -> str:
    """Return as much of a name as can be shown of it."""
    return text[: NAME_GRAPHEMES * _CODE_POINTS]


def capped_name(text: str) -> str:
    """Return a name in one line, of at most `NAME_GRAPHEMES` with `MARKS_PER_GRAPHEME` each; what is cut ends in …."""
    name = " ".join(head_of_name(text).split())
    if not name.isascii():
        name = _fewer_marks(name)
    capped = first_graphemes(name, NAME_GRAPHEMES) if len(name) > NAME_GRAPHEMES else name
    return capped if capped == name and len(text) <= NAME_GRAPHEMES * _CODE_POINTS else capped + "…"


def _fewer_marks(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for char in text:
        marks = marks + 1 if is_mark(char) else 0
        if marks <= MARKS_PER_GRAPHEME:
            kept.append(char)
    return "".join(kept)
