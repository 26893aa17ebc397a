"""Features of a single message: its words, the names in it, the kind of utterance."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from chimein_gui.domain.context.lexicon import ANYWHERE, EARLY, FIRST, KIND_BITS, KINDS
from chimein_gui.domain.context.rows import MAX_TEXT, HistoryRow

STEM = 6
"""Characters of a word that are compared, so that inflected forms match."""

MAX_WORDS = 64
"""Words of a message that are compared."""

MAX_MARKED = 8
"""Most explicit names of a message that are looked up."""

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
"""Features of a message, one bit each."""

LONG, SHORT = 14, 3
_KINDS = dict(KIND_BITS)  # a dict is faster to query than its read-only proxy
_EARLY = {word: bits & EARLY for word, bits in _KINDS.items() if bits & EARLY}
_ANYWHERE = {word: bits & ANYWHERE for word, bits in _KINDS.items() if bits & ANYWHERE}
_BIT = {name: 1 << place for place, name in enumerate(FLAGS)}
_LONG, _SHORT, _LOWER_START, _URL, _MARKS = (_BIT[name] for name in ("long", "short", "lower_start", "url", "marked"))

# Han, kana, hangul and the scripts of South-East Asia that put no spaces between words.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
_WORD = re.compile(r"\w+")
_ODD = re.compile(r"[/\\~$#_=<>{}|\d]")
_MARKED = re.compile(r"@([\w.-]{2,40})")
_LEADING = re.compile(r"\s*@?([^\s,:;!?()\"'<>，：]{2,40})\s?[,:;，：]\s?(?!/)")
_MARKS_OFF = re.compile(r"[,:;，：]")
_HEAD = 80
_BARE = re.compile(r"[^\W\d_]+")

# The same for plain ASCII, where whole texts are mapped at once.
_IN_WORDS = bytes(code if chr(code).isalnum() or code == ord("_") else ord(" ") for code in range(128)).ljust(256)
_LETTERS = string.ascii_lowercase.encode() + string.whitespace.encode()


class Digest(NamedTuple):
    """Features of one message.

    Attributes:
        words: The compared units: words, or pairs of characters in scripts without spaces.
        leading: Text before a colon or comma at the start, lower case; empty without one.
        marked: Names with an ``@`` or from entities, lower case.
        tokens: All words that could be a name, lower case.
        flags: A bit for each of `FLAGS`.
        length: Number of words.
    """

    words: Sequence[str]
    leading: str
    marked: tuple[str, ...]
    tokens: Sequence[str]
    flags: int
    length: int

    @property
    def stems(self) -> tuple[str, ...]:
        """Return its distinct words, cut to `STEM` characters."""
        return tuple(dict.fromkeys([word[:STEM] for word in self.words if len(word) > 1]))[:MAX_WORDS]


def digest(row: HistoryRow) -> Digest:
    """Compute the features of a message; texts of any kind and length are accepted."""
    read = _read(row.text[:MAX_TEXT])
    if not (row.media_kind or row.forwarded or row.is_bot or row.is_service or row.mentions):
        return read
    flags, marked = read.flags | _row_flags(row), read.marked
    if row.mentions:
        flags |= _BIT["marked"]
        marked = (*(name.lstrip("@").lower() for name in row.mentions[:MAX_MARKED]), *marked)
    return read._replace(flags=flags, marked=marked)


@lru_cache(maxsize=1024)
def _read(text: str) -> Digest:
    """Compute the features of a text; cached, because chats are worked through repeatedly."""
    lower = text.lower()
    plain = lower.encode() if lower.isascii() else None
    if plain is None:
        words, signs = _WORD.findall(lower), lower
    else:
        signs = plain.translate(None, _LETTERS).decode()
        words = (plain.translate(_IN_WORDS).decode() if signs else lower).split()
    length = len(words)
    flags = _kind_flags(words)
    if length > LONG:
        flags |= _LONG
    elif length <= SHORT:
        flags |= _SHORT
    if text[:1].islower():
        flags |= _LOWER_START
    if "http" in lower:
        flags |= _URL
    if not signs:
        return _DIGEST((words, "", (), words if length <= MAX_WORDS else words[:MAX_WORDS], flags, length))
    compared = words if plain is not None else _compared(lower, words)
    tokens = words[:MAX_WORDS] + lower.split(None, MAX_WORDS)[:MAX_WORDS]
    marked: tuple[str, ...] = ()
    if "@" in signs:
        marked = tuple([name.rstrip(".-") for name in _MARKED.findall(lower)[:MAX_MARKED]])
        if marked:
            flags |= _MARKS
    return _DIGEST((compared, _leading(lower, signs), marked, tokens, flags | _sign_flags(signs, lower), length))


_DIGEST: Callable[[tuple[Sequence[str], str, tuple[str, ...], Sequence[str], int, int]], Digest]
_DIGEST = partial(tuple.__new__, Digest)
"""Creates a digest from its parts, twice as fast as calling `Digest`."""


def forget_texts() -> None:
    """Clear the cache of texts."""
    _read.cache_clear()


def bare(name: str) -> str:
    """Strip the decoration of a nickname: ``|quad-_`` and ``quad2`` become ``quad``; empty without a letter."""
    found = _BARE.search(name)
    return found.group() if found else ""


def _compared(lower: str, words: list[str]) -> list[str]:
    """Return the words; text without spaces is replaced by pairs of characters."""
    runs = _UNSPACED.findall(lower)
    if not runs:
        return words
    pairs = [run[place : place + 2] for run in runs for place in range(max(1, len(run) - 1))]
    return [*_WORD.findall(_UNSPACED.sub(" ", lower)), *pairs]


def _leading(lower: str, signs: str) -> str:
    if not _MARKS_OFF.search(signs) or not _MARKS_OFF.search(lower, 0, _HEAD):
        return ""
    found = _LEADING.match(lower)
    return found.group(1) if found else ""


def _kind_flags(words: list[str]) -> int:
    bits = 0
    for word in words[4:8]:
        if word in _ANYWHERE:
            bits |= _ANYWHERE[word]
    for word in words[1:4]:
        if word in _EARLY:
            bits |= _EARLY[word]
    if words:
        bits |= _KINDS.get(words[0], 0)
        if not bits & FIRST and len(words) > 1:
            bits |= _KINDS.get(words[1], 0) & FIRST
    return bits


def _sign_flags(signs: str, lower: str) -> int:
    """Return the flags of punctuation; `signs` contains all that of the text, perhaps with more."""
    bits = 0
    if "?" in signs or "？" in signs or "؟" in signs:
        bits |= _BIT["question_mark"]
    if _ODD.search(signs):
        bits |= _BIT["odd_signs"]
    if "!" in signs:
        bits |= _BIT["shouts"]
    if "www." in lower:
        bits |= _URL
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
