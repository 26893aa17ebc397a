"""Cleans foreign text: removes or marks overrides, invisible characters and stacked marks.

Shown text goes through `ui.widgets.text.foreign_text`, which uses this; text that is only read out goes through
`spoken`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from chimein_gui.domain.text.graphemes import MARKS_PER_GRAPHEME, is_mark
from chimein_gui.viewmodels.core.roles import SPOKEN

JOINS_PER_GRAPHEME = 6
"""The longest emoji joins four people; one that joins four hundred takes longer to shape than a frame."""

_EMBEDDINGS = frozenset("\u202a\u202b\u202c\u202d\u202e")
_ISOLATES = frozenset("\u2066\u2067\u2068\u2069")
_MISLEADING = frozenset("\u200b\u2060\ufeff\u00ad\u180e\u034f\u115f\u1160\u3164\uffa0\u200e\u200f\u061c")
_JOINERS = frozenset("\u200c\u200d")
_SKIN = frozenset("\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
_FLAG = "\U0001f3f4"
_SHOWN = "\u2423"
"""Shown instead of a misleading character."""
_LINE_BREAKS = frozenset("\n\r\u2028\u2029\u0085\v\f")

_HARMLESS = (
    " -~\u00a1-\u00ac\u00ae-\u02ff"  # Latin
    "\u0400-\u0482\u048a-\u052f"  # Cyrillic
    "\u2010-\u2027\u2030-\u205e\u27e6\u27e7"  # punctuation, and the brackets of marks
    "\u3041-\u3096\u30a1-\u30fa\u4e00-\u9ffc\uac00-\ud7a3"  # kana, Han, Hangul
)
"""The characters of most texts: a text of these alone needs no check of each character."""

_LETTERS_KEPT = 20_000
_TEXTS_KEPT = 256
_LONGEST_KEPT = 8_200
"""The same text is shown in many places; 256 texts of 8,200 characters take at most 8 MB."""


def _visible(char: str, before: str, after: str) -> str:
    """Return what to show for one character; joiners stay where letters or emoji need them."""
    if char in _EMBEDDINGS or char in _ISOLATES:
        return ""
    if char in _MISLEADING:
        return _SHOWN
    if char in _JOINERS:
        return char if _joins(before) and _joins(after) else _SHOWN
    if unicodedata.category(char) in {"Cc", "Cs", "Cn"} or "\U000e0000" <= char <= "\U000e007f":
        return _SHOWN
    return char


def _is_tag(char: str) -> bool:
    return "\U000e0020" <= char < "\U000e007f"


def _joins(neighbour: str) -> bool:
    # Letters of joining scripts, marks, and emoji with their variation selectors.
    return bool(neighbour) and (ord(neighbour) >= 0x300) and neighbour not in _MISLEADING


@lru_cache(maxsize=2)
def _plain(extra: str) -> re.Pattern[str]:
    # Compiled at the first use: it takes 5 ms, which the first paint should not wait for.
    return re.compile(f"[{_HARMLESS}{extra}]*")


class _PlainLetters(dict[str, bool]):
    """Caches which characters can be shown unchanged, whatever their neighbours are."""

    def __missing__(self, char: str) -> bool:
        if len(self) > _LETTERS_KEPT:
            self.clear()
        plain = char not in _LINE_BREAKS and char != "\t" and char not in _JOINERS and not is_mark(char)
        self[char] = plain = plain and _visible(char, "", "") == char
        return plain


_plain_letters = _PlainLetters()


def sanitize(text: str, *, keep_breaks: bool) -> str:
    """Return a foreign text without characters that reorder, hide or stack; a misleading character becomes ␣.

    Args:
        text: The text as it came.
        keep_breaks: False turns line breaks into spaces.
    """
    if text.isascii() and text.isprintable():
        return text
    if _plain("\n" if keep_breaks else "").fullmatch(text):
        return text
    return _tamed(text, keep_breaks) if len(text) <= _LONGEST_KEPT else _tamed.__wrapped__(text, keep_breaks)


@lru_cache(maxsize=_TEXTS_KEPT)
def _tamed(text: str, keep_breaks: bool) -> str:
    out: list[str] = []
    marks = joins = 0
    for place, char in enumerate(text):
        before = text[place - 1] if place else ""
        if _plain_letters[char]:
            marks = 0
            joins = joins if before in _JOINERS or char in _SKIN else 0
            out.append(char)
            continue
        if char in _LINE_BREAKS or char == "\t":
            out.append("\n" if keep_breaks and char != "\t" else " ")
            continue
        marks = marks + 1 if is_mark(char) else 0
        if marks > MARKS_PER_GRAPHEME:
            continue
        joins += char in _JOINERS
        if joins > JOINS_PER_GRAPHEME and char in _JOINERS:
            continue
        # The flags of England, Scotland and Wales are a black flag and tags; anywhere else tags are hidden words.
        flag = "\U000e0020" <= char <= "\U000e007f" and bool(out) and (out[-1] == _FLAG or _is_tag(out[-1]))
        out.append(char if flag else _visible(char, before, text[place + 1 : place + 2]))
    return "".join(out)


def spoken(text: str, most: int = SPOKEN) -> str:
    """Return a foreign text as one line for a screen reader, cut to `most` characters."""
    return " ".join(sanitize(text[:most], keep_breaks=False).split())
