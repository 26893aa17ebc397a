"""The one place through which text of others reaches a widget (SPEC §12).

Names are capped and isolated, invisible characters that could mislead are shown, and nothing is ever read as markup.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

NAME_GRAPHEMES = 64
MARKS_PER_GRAPHEME = 4

BODY_CHARS = 8_192
"""Most characters of one text that are laid out: twice what Telegram lets anybody send."""

_FSI, _PDI = "\u2068", "\u2069"
_EMBEDDINGS = frozenset("\u202a\u202b\u202c\u202d\u202e")
_ISOLATES = frozenset("\u2066\u2067\u2068\u2069")
_MISLEADING = frozenset("\u200b\u2060\ufeff\u00ad\u180e\u034f\u115f\u1160\u3164\uffa0\u200e\u200f\u061c")
_JOINERS = frozenset("\u200c\u200d")
_SHOWN = "\u2423"
"""Stands for a character that cannot be seen."""
_LINE_BREAKS = frozenset("\n\r\u2028\u2029\u0085\v\f")

_HARMLESS = (
    " -~\u00a1-\u00ac\u00ae-\u02ff"  # Latin
    "\u0400-\u0482\u048a-\u052f"  # Cyrillic
    "\u2010-\u2027\u2030-\u205e"  # punctuation
    "\u3041-\u3096\u30a1-\u30fa\u4e00-\u9ffc\uac00-\ud7a3"  # kana, Han, Hangul
)
"""What most texts consist of: letters that need no look at each."""

_REMEMBERED = 1024
"""Results kept of each function, for texts of at most `_SHORT` characters: a few MB at the worst."""

_SHORT = 512


def _visible(char: str, before: str, after: str) -> str:
    """Return what to show for one character; joiners stay where letters or emoji need them."""
    if char in _EMBEDDINGS or char in _ISOLATES:
        return ""
    if char in _MISLEADING:
        return _SHOWN
    if char in _JOINERS:
        return char if _joins(before) and _joins(after) else _SHOWN
    if unicodedata.category(char) in {"Cc", "Cs", "Cn"} or "\U000e0000" <= char <= "\U000e007f":
        return char if char >= "\U000e0020" and before >= "\U0001f000" else _SHOWN
    return char


def _joins(neighbour: str) -> bool:
    # Letters of joining scripts, marks, and emoji with their variation selectors.
    return bool(neighbour) and (ord(neighbour) >= 0x300) and neighbour not in _MISLEADING


@lru_cache(maxsize=2)
def _plain(extra: str) -> re.Pattern[str]:
    # Compiled when it is first needed: it takes 5 ms, which the first paint should not wait for.
    return re.compile(f"[{_HARMLESS}{extra}]*")


def _clean(text: str, *, keep_breaks: bool) -> str:
    if text.isascii() and text.isprintable():
        return text
    if _plain("\n" if keep_breaks else "").fullmatch(text):
        return text
    out: list[str] = []
    marks = 0
    for place, char in enumerate(text):
        if char in _LINE_BREAKS or char == "\t":
            out.append("\n" if keep_breaks and char != "\t" else " ")
            continue
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks > MARKS_PER_GRAPHEME:
            continue
        before = text[place - 1] if place else ""
        out.append(_visible(char, before, text[place + 1 : place + 2]))
    return "".join(out)


def name(text: str) -> str:
    """Return a foreign name for a place of its own: one line, at most 64 graphemes."""
    # A grapheme has at most a handful of code points here; reading more of a 100 kB name is a waste.
    head = text[: NAME_GRAPHEMES * 16]
    return _short_name(head) if len(head) <= _SHORT else _short_name.__wrapped__(head)


@lru_cache(maxsize=_REMEMBERED)
def _short_name(text: str) -> str:
    cleaned = " ".join(_clean(text, keep_breaks=False).split())
    capped = _first_graphemes(cleaned, NAME_GRAPHEMES)
    return capped if len(capped) == len(cleaned) else capped + "…"


def short(text: str, graphemes: int) -> str:
    """Return the beginning of a foreign name, where a whole one would push out what matters more."""
    whole = name(text)
    head = _first_graphemes(whole, graphemes - 1)
    return whole if len(_first_graphemes(whole, graphemes)) == len(whole) else head.rstrip() + "…"


def isolated(text: str) -> str:
    """Return a foreign name for use in a sentence: its direction stays inside."""
    return f"{_FSI}{name(text)}{_PDI}"


def line(text: str, limit: int = 200) -> str:
    """Return a foreign text as one line, cut to what a row could ever show."""
    head = text[: limit * 2]
    cleaned = _short_line(head) if len(head) <= _SHORT else _short_line.__wrapped__(head)
    return cleaned[:limit]


@lru_cache(maxsize=_REMEMBERED)
def _short_line(text: str) -> str:
    return " ".join(_clean(text, keep_breaks=False).split())


def body(text: str) -> str:
    """Return a foreign text for a bubble: line breaks stay, overrides do not; what no message can hold is cut."""
    shown = text if len(text) <= BODY_CHARS else text[:BODY_CHARS] + "…"
    return _clean(shown.replace("\r\n", "\n"), keep_breaks=True)


def action(text: str) -> str:
    """Return a foreign name for a menu entry or a tab, where & would make a shortcut."""
    return name(text).replace("&", "&&")


def tool_tip(text: str) -> str:
    """Return a foreign text for a tool tip, which Qt would read as markup."""
    escaped = body(text[:2000]).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return f"<span>{escaped}</span>"


def initials(text: str) -> str:
    """Return one or two letters that stand for a person."""
    return _initials_of(name(text))


@lru_cache(maxsize=_REMEMBERED)
def _initials_of(cleaned: str) -> str:
    words = [word for word in cleaned.split() if word[0].isalnum()]
    if not words:
        return _first_graphemes(cleaned, 1) or "?"
    if unicodedata.bidirectional(words[0][0]) in {"R", "AL"} or ord(words[0][0]) >= 0x2E80:
        return words[0][0]
    return "".join(word[0] for word in (words[:1] + words[-1:] if len(words) > 1 else words)).upper()


def initial(text: str) -> str:
    """Return the one letter that stands for an agent."""
    return initials(text)[:1]


def _first_graphemes(text: str, count: int) -> str:
    """Cut after so many graphemes: a base with its marks, selectors and joined parts."""
    seen = 0
    for place, char in enumerate(text):
        joined = place and (unicodedata.combining(char) or char in "\ufe0f\u200d" or text[place - 1] == "\u200d")
        if not joined:
            seen += 1
            if seen > count:
                return text[:place]
    return text
