"""What one message says by itself: its words, whom it seems to name, what kind of utterance it is."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from chimein_gui.domain.context.lexicon import ANYWHERE, EARLY, FIRST, KIND_BITS, KINDS
from chimein_gui.domain.context.rows import MAX_TEXT, HistoryRow

STEM = 6
"""Characters of a word that count, so that its inflections meet."""

MAX_WORDS = 64
"""Words of a message that are compared."""

MAX_MARKED = 8
"""Explicit names of a message that are looked up."""

FLAGS = (
    *KINDS,
    "question_mark",
    "url",
    "odd_signs",
    "shouts",
    "lower_start",
    "trails_off",
    "long",
    "short",
    "media",
    "forwarded",
    "bot",
    "service",
    "marked",
)
"""What a message is, one bit each."""

LONG, SHORT = 14, 3
_KINDS = dict(KIND_BITS)  # is asked faster than its read-only face
_BIT = {name: 1 << place for place, name in enumerate(FLAGS)}

# Han, kana, hangul and the scripts of South-East Asia that put no spaces between words.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
_WORD = re.compile(r"\w+")
_ODD = re.compile(r"[/\\~$#_=<>{}|\d]")
_MARKED = re.compile(r"@([\w.-]{2,40})")
_LEADING = re.compile(r"\s*@?([^\s,:;!?()\"'<>，：]{2,40})\s?[,:;，：]\s?(?!/)")
_MARKS_OFF = re.compile(r"[,:;，：]")
_HEAD = 80
_BARE = re.compile(r"[^\W\d_]+")


class Digest(NamedTuple):
    """One message, read once.

    Attributes:
        stems: Its distinct words, cut to `STEM` characters; pairs of characters where a script has no spaces.
        leading: What stands before a colon or comma at the start, lower case; empty if nothing does.
        marked: Names with an ``@`` or from entities, lower case.
        tokens: All that could be a name, lower case.
        flags: A bit for each of `FLAGS`.
        length: Words in all.
    """

    stems: tuple[str, ...]
    leading: str
    marked: tuple[str, ...]
    tokens: frozenset[str]
    flags: int
    length: int


def digest(row: HistoryRow) -> Digest:
    """Read a message; texts of any kind and length are fine."""
    read = _read(row.text[:MAX_TEXT])
    flags, marked = read.flags | _row_flags(row), read.marked
    if row.mentions:
        flags |= _BIT["marked"]
        marked = (*(name.lstrip("@").lower() for name in row.mentions[:MAX_MARKED]), *marked)
    if flags == read.flags and marked == read.marked:
        return read
    return read._replace(flags=flags, marked=marked)


@lru_cache(maxsize=1024)
def _read(text: str) -> Digest:
    """Read a text; what was read lately is still known when a chat is worked through again."""
    lower = text.lower()
    words = _WORD.findall(lower)
    found = _LEADING.match(lower) if _MARKS_OFF.search(lower, 0, _HEAD) else None
    marked: tuple[str, ...] = ()
    if "@" in lower:
        marked = tuple(name.rstrip(".-") for name in _MARKED.findall(lower)[:MAX_MARKED])
    tokens = words[:MAX_WORDS] + lower.split(None, MAX_WORDS)[:MAX_WORDS]
    flags = _kind_flags(words) | _sign_flags(text, lower) | (_BIT["marked"] if marked else 0)
    if len(words) > LONG:
        flags |= _BIT["long"]
    elif len(words) <= SHORT:
        flags |= _BIT["short"]
    return Digest(_stems(lower, words), found.group(1) if found else "", marked, frozenset(tokens), flags, len(words))


def forget_texts() -> None:
    """Forget the texts read lately, so that the next are read as if new."""
    _read.cache_clear()


def bare(name: str) -> str:
    """Strip the decoration of a nickname: ``|quad-_`` and ``quad2`` become ``quad``; empty if there is not a letter."""
    found = _BARE.search(name)
    return found.group() if found else ""


def _stems(lower: str, words: list[str]) -> tuple[str, ...]:
    if not lower.isascii():
        runs = _UNSPACED.findall(lower)
        if runs:
            words = _WORD.findall(_UNSPACED.sub(" ", lower))
            words += [run[place : place + 2] for run in runs for place in range(max(1, len(run) - 1))]
    stems = dict.fromkeys([word[:STEM] for word in words if len(word) > 1])
    return tuple(stems) if len(stems) <= MAX_WORDS else tuple(stems)[:MAX_WORDS]


def _kind_flags(words: list[str]) -> int:
    kind = _KINDS.get
    bits = kind(words[0], 0) if words else 0
    for word in words[1:4]:
        bits |= kind(word, 0) & EARLY
    for word in words[4:8]:
        bits |= kind(word, 0) & ANYWHERE
    if not bits & FIRST and len(words) > 1:
        bits |= kind(words[1], 0) & FIRST
    return bits


def _sign_flags(text: str, lower: str) -> int:
    bits = 0
    if "?" in lower or "？" in lower or "؟" in lower:
        bits |= _BIT["question_mark"]
    if "http" in lower or "www." in lower:
        bits |= _BIT["url"]
    if _ODD.search(lower):
        bits |= _BIT["odd_signs"]
    if "!" in lower:
        bits |= _BIT["shouts"]
    if text[:1].islower():
        bits |= _BIT["lower_start"]
    if lower.endswith(("..", "…", ",", ":")):
        bits |= _BIT["trails_off"]
    return bits


def _row_flags(row: HistoryRow) -> int:
    bits = 0
    if row.media_kind:
        bits |= _BIT["media"]
    if row.forwarded:
        bits |= _BIT["forwarded"]
    if row.is_bot:
        bits |= _BIT["bot"]
    if row.is_service:
        bits |= _BIT["service"]
    return bits
