"""The entities that Telegram's server finds in a text: mentions, links, hashtags, bot commands."""

import re
from collections.abc import Iterator

from chimein_gui.sandbox.wire.tl import TLObject, types

_PATTERNS = (
    ("://", re.compile(r"https?://[^\s<>\"]+[^\s<>\".,;:!?)\]]"), types.MessageEntityUrl),
    ("@", re.compile(r"(?<![\w@/.])@[A-Za-z]\w{3,31}\b"), types.MessageEntityMention),
    ("#", re.compile(r"(?<![\w#/])#\w*[^\W\d]\w*"), types.MessageEntityHashtag),
)
"""For each kind: a character that must be in the text, the pattern, and the entity."""

_CLOSED = (
    types.MessageEntityCode,
    types.MessageEntityPre,
    types.MessageEntityTextUrl,
    types.MessageEntityMentionName,
    types.MessageEntityUrl,
    types.MessageEntityMention,
    types.MessageEntityHashtag,
)
"""Entities inside which nothing is searched."""


def units(text: str) -> int:
    """Return a text's length in UTF-16 units, as Telegram counts."""
    return len(text.encode("utf-16-le")) // 2


def completed(text: str, given: tuple[TLObject, ...]) -> tuple[TLObject, ...]:
    """Return the sender's entities and those that the server finds, in the order of the text."""
    if not any(sign in text for sign, _, _ in _PATTERNS):
        return given
    taken = [(one.offset, one.offset + one.length) for one in given if isinstance(one, _CLOSED)]
    found: list[TLObject] = []
    for entity in _found(text):
        start, end = entity.offset, entity.offset + entity.length
        if all(end <= other_start or start >= other_end for other_start, other_end in taken):
            taken.append((start, end))
            found.append(entity)
    return tuple(sorted((*given, *found), key=lambda one: one.offset)) if found else given


def covered(text: str, entity: TLObject) -> str:
    """Return the part of a text that an entity marks."""
    raw = text.encode("utf-16-le")
    return raw[entity.offset * 2 : (entity.offset + entity.length) * 2].decode("utf-16-le", "ignore")


def _found(text: str) -> Iterator[TLObject]:
    for sign, pattern, kind in _PATTERNS:
        if sign in text:
            for match in pattern.finditer(text):
                yield kind(units(text[: match.start()]), units(match.group()))
