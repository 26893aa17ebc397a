"""Sanitizes foreign text before it reaches a widget (docs/behaviour.md, "Foreign text").

Names are shortened and isolated, misleading invisible characters are shown, and nothing is interpreted as markup.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from chimein_gui.domain.text.graphemes import NAME_GRAPHEMES, first_graphemes, head_of_name
from chimein_gui.viewmodels.core.sanitize import sanitize

BODY_CHARS = 8_192
"""Most characters of one text that are laid out: twice Telegram's limit."""

_FSI, _PDI = "\u2068", "\u2069"

_REMEMBERED = 1024
"""Cached results of each function, for texts of at most `_SHORT` characters: a few MB at most."""

_SHORT = 512


def name(text: str) -> str:
    """Return a foreign name for a label of its own: one line, at most 64 graphemes."""
    head = head_of_name(text)
    return _short_name(head) if len(head) <= _SHORT else _short_name.__wrapped__(head)


@lru_cache(maxsize=_REMEMBERED)
def _short_name(text: str) -> str:
    cleaned = " ".join(sanitize(text, keep_breaks=False).split())
    capped = first_graphemes(cleaned, NAME_GRAPHEMES)
    return capped if len(capped) == len(cleaned) else capped + "…"


def short(text: str, graphemes: int) -> str:
    """Return the beginning of a foreign name, at most so many graphemes, for places with little space."""
    whole = name(text)
    head = first_graphemes(whole, graphemes - 1)
    return whole if len(first_graphemes(whole, graphemes)) == len(whole) else head.rstrip() + "…"


def isolated(text: str) -> str:
    """Return a foreign name for use in a sentence, in a bidirectional isolate."""
    return f"{_FSI}{name(text)}{_PDI}"


def isolate(shown: str) -> str:
    """Return an already sanitized text for use in a sentence, in a bidirectional isolate."""
    return f"{_FSI}{shown}{_PDI}"


def line(text: str, limit: int = 200) -> str:
    """Return a foreign text as one line of at most `limit` characters; a cut text ends in …."""
    head = text[: limit * 2]
    cleaned = _short_line(head) if len(head) <= _SHORT else _short_line.__wrapped__(head)
    return cleaned if len(cleaned) <= limit else cleaned[: limit - 1].rstrip() + "…"


@lru_cache(maxsize=_REMEMBERED)
def _short_line(text: str) -> str:
    return " ".join(sanitize(text, keep_breaks=False).split())


def body(text: str) -> str:
    """Return a foreign text for a bubble: line breaks are kept, direction overrides are not. Cut at `BODY_CHARS`."""
    shown = text if len(text) <= BODY_CHARS else text[:BODY_CHARS] + "…"
    return sanitize(shown.replace("\r\n", "\n"), keep_breaks=True)


def action(text: str) -> str:
    """Return a foreign name for a menu entry or a tab, with & escaped."""
    return name(text).replace("&", "&&")


def tool_tip(text: str) -> str:
    """Return a foreign text for a tool tip, escaped, because Qt interprets markup there."""
    escaped = body(text[:2000]).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return f"<span>{escaped}</span>"


def initials(text: str) -> str:
    """Return one or two letters for a person's avatar."""
    return _initials_of(name(text))


@lru_cache(maxsize=_REMEMBERED)
def _initials_of(cleaned: str) -> str:
    words = [word for word in cleaned.split() if word[0].isalnum()]
    if not words:
        return cleaned[:2] if _is_half_a_flag(cleaned[:1]) else first_graphemes(cleaned, 1) or "?"
    if unicodedata.bidirectional(words[0][0]) in {"R", "AL"} or ord(words[0][0]) >= 0x2E80:
        return words[0][0]
    return "".join(word[0] for word in (words[:1] + words[-1:] if len(words) > 1 else words)).upper()


def initial(text: str) -> str:
    """Return the letter for an agent's avatar."""
    letter = initials(text)[:1]
    return "?" if _is_half_a_flag(letter) else letter


def _is_half_a_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
