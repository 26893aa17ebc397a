"""Shortens foreign names to a number of visible characters, with a limited number of marks on each."""

from __future__ import annotations

import unicodedata

NAME_GRAPHEMES = 64
"""Longest name, in characters as a reader counts them."""

MARKS_PER_GRAPHEME = 4

_CODE_POINTS = 16
"""Code points examined per character: few have more, and a name may have 100 kB."""


def is_mark(char: str) -> bool:
    """Return whether a character is a mark on the one before; includes Thai vowels, whose combining class is 0."""
    return char > "\u02ff" and unicodedata.category(char) in {"Mn", "Me"}


def first_graphemes(text: str, count: int) -> str:
    """Return the first graphemes of a text: bases with their marks, selectors and joined parts."""
    seen = 0
    for place, char in enumerate(text):
        joined = place and (is_mark(char) or char in "\ufe0f\u200d" or text[place - 1] == "\u200d")
        if not joined:
            seen += 1
            if seen > count:
                return text[:place]
    return text


def head_of_name(text: str) -> str:
    """Return the part of a name that can be shown."""
    return text[: NAME_GRAPHEMES * _CODE_POINTS]


def capped_name(text: str) -> str:
    """Return a name in one line, of at most `NAME_GRAPHEMES` with `MARKS_PER_GRAPHEME` each; a cut name ends in …."""
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
