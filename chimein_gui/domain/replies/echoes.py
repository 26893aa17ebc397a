"""Removes marks of the prompt that a model repeats in its reply; no partner may see them.

Foreign text in a prompt never contains ⟦ or ⟧ (`foreign.mask`), so a mark in a reply repeats ours. It is removed at the
beginning of a line, and if it stands alone. Brackets with other content belong to the text: in logic ⟦x⟧ is the meaning
of x.
"""

from __future__ import annotations

import re

_MARK = re.compile(r"\s*⟦(?P<inside>[^⟦⟧]*)⟧\s*")
_ONLY_MARKS = re.compile(r"\s*(?:⟦[^⟦⟧]*⟧\s*)+")
_NAME = re.compile(r"⟦name:(?P<name>[^⟦⟧]*)⟧")
_WHOLE = re.compile(
    r"(?:section|metadata)\b.*|quote|end of quote|not from the chat"
    r"|(?:photo|video|round video|gif|voice|audio|sticker|document|location|contact|poll|checklist|dice|game|invoice"
    r"|paid media|story|giveaway|unknown)(?:\s*[:,].*)?|sticker .*::.*",
    re.IGNORECASE | re.DOTALL,
)
"""Content of our marks other than headers."""
_FIELD = re.compile(
    r"(?:from|sender)\s*[:=].*|message(?:[ _]?(?:id|no\.?|number))?\s*[:=#]?\s*\d+|reply[ _]to\b.*"
    r"|\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*",
    re.IGNORECASE | re.DOTALL,
)
"""One field of a header; one is enough, because models leave some out."""
_METADATA = re.compile(r"\s*metadata\b", re.IGNORECASE)
_KEY = (
    r"(?:(?:sender|from|user|author|chat|message|msg|reply)(?:_?(?:id|name|to|no|number|time))*"
    r"|id|name|role|type|media|date|time|timestamp|sent_at)\s*[=:]"
)
_PAIR = re.compile(rf"[\s,;|]*(?P<key>{_KEY})\s*(?:\"[^\"]*\"|'[^']*'|[^\s,;|]*)", re.IGNORECASE)
_REST_OF_NAME = re.compile(rf"(?:\s+[^\s=:]+){{1,3}}(?=\s+{_KEY})", re.IGNORECASE)
"""The rest of an unquoted name; it ends where the next key begins, so the last name of a header has none."""
_NAMES = frozenset({"sender", "from", "user", "author", "chat", "name", "sender_name", "user_name", "chat_name"})
_REST_OF_TIME = re.compile(r"\s+\d\d:\d\d(?::\d\d)?(?!\S)")


def without_echoes(line: str) -> str | None:
    """Return a line of a message without echoes; None if nothing is left of it."""
    if "⟦" not in line:
        return line
    line = with_plain_names(line)
    return None if _ONLY_MARKS.fullmatch(line) else behind_echoes(line) or None


def with_plain_names(line: str) -> str:
    """Return a line in which each name mark is replaced by its name."""
    return _NAME.sub(lambda found: found["name"].strip(), line) if "⟦" in line else line


def behind_echoes(line: str) -> str:
    """Return the rest of a line behind our marks at its beginning."""
    if "⟦" not in line:
        return line
    place = 0
    while (found := _MARK.match(line, place)) is not None and _is_ours(found["inside"]):
        place = found.end()
        if _METADATA.match(found["inside"]):
            place = _behind_pairs(line, place)
    return line[place:]


def _is_ours(inside: str) -> bool:
    if _WHOLE.fullmatch(inside.strip()):
        return True
    return any(_FIELD.fullmatch(field.strip()) for field in inside.split("|"))


def _behind_pairs(line: str, place: int) -> int:
    """Return where the text begins behind the headers that some models write: ``sender=Zora Vale message_id=9``."""
    while (pair := _PAIR.match(line, place)) is not None:
        place = pair.end()
        key = pair["key"].rstrip("=: ").casefold()
        is_time = "time" in key or key in {"date", "sent_at"}
        rest = None
        if is_time:
            rest = _REST_OF_TIME.match(line, place)
        elif key in _NAMES:
            rest = _REST_OF_NAME.match(line, place)
        place = place if rest is None else rest.end()
    while place < len(line) and line[place].isspace():
        place += 1
    return place
