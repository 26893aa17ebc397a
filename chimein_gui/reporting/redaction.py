"""Removes from a text what must not be written: known secrets, and whatever has the shape of one.

See docs/behaviour.md, "Secrets".
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from contextlib import suppress

HIDDEN = "[secret]"
"""Replaces a secret."""

NUMBER = "[number]"
"""Replaces a telephone number."""

FEWEST = 4
"""Fewest characters of a secret; a shorter one would match anywhere in a text."""

_NAMES = re.compile(r"API_?(KEY|HASH|ID)|TOKEN|SECRET|PASSW", re.IGNORECASE)
"""Matches the names of environment variables that hold a secret."""

_NAMED_PARTS = frozenset({"secret", "pass", "password", "user", "token"})

_SHAPES = (
    (re.compile(r"AIza[\w-]{16,}"), HIDDEN),
    (re.compile(r"(?<=://)[^\s/@'\"]+(?=@)"), HIDDEN),
    (re.compile(r"([?&](?:token|secret|password|pass|key)=)[^\s&'\"]+", re.IGNORECASE), rf"\1{HIDDEN}"),
    (re.compile(r"(?<![0-9a-f])[0-9a-f]{32,}(?![0-9a-f])", re.IGNORECASE), HIDDEN),
    (re.compile(r"\bb(['\"])(?:\\.|(?!\1)[^\\\n]){16,4096}\1"), "b'…'"),
)
"""Google API keys, user names in URLs, query values, API hashes, bytes: hidden without being named as secrets."""

_NAMED_NUMBER = re.compile(r"(phone[\w ]{0,20}[=:'\" ]{1,4})\+?\d[\d ()-]{5,}\d", re.IGNORECASE)
"""A telephone number as Telethon's objects and errors write it: after "phone", without a plus."""

_NUMBER = re.compile(r"\+\d[\d ()-]{5,}\d|(?<![\w.+:-])(?!\d{4}-\d\d-\d\d)\d(?:[ ()-]{0,2}\d){9,14}(?![\w-])")
"""Any telephone number. Without a plus it has at least ten digits, so that a date or a message count stays."""


class Redaction:
    """Keeps the known secrets while the program runs, and removes them from texts."""

    def __init__(self) -> None:
        """Start without known secrets; `clean` then removes what has the shape of one."""
        self._forms: set[str] = set()
        self._known: re.Pattern[str] | None = None
        self._known_forms = 0

    def __repr__(self) -> str:
        """Return the number of secret forms, never the secrets."""
        return f"Redaction({len(self._forms)} forms)"

    def hide(self, value: str) -> None:
        """Hide a text from now on, in every encoding it may be written in; of a URL also user, password and tokens."""
        for part in (value, *_parts(value)):
            if len(part) >= FEWEST:
                self._forms |= _forms(part)

    def hide_environment(self, environment: Mapping[str, str]) -> None:
        """Hide the values of environment variables that are named like secrets."""
        for name, value in environment.items():
            if _NAMES.search(name):
                self.hide(value)

    def clean(self, text: str) -> str:
        """Return a text with known secrets, secret-like strings and named telephone numbers replaced."""
        if self._known_forms != len(self._forms):  # forms are only added, and often many at once
            longest_first = sorted(self._forms.copy(), key=len, reverse=True)
            self._known = re.compile("|".join(re.escape(form) for form in longest_first), re.IGNORECASE)
            self._known_forms = len(longest_first)
        if self._known is not None:
            text = self._known.sub(HIDDEN, text)
        for shape, instead in _SHAPES:
            text = shape.sub(instead, text)
        return _NAMED_NUMBER.sub(rf"\1{NUMBER}", text)


def without_numbers(text: str) -> str:
    """Return a text with all telephone numbers replaced."""
    return _NUMBER.sub(NUMBER, text)


def _parts(value: str) -> list[str]:
    """Return the secret parts of a URL: user, password, and named query values; empty for any other text."""
    if ":" not in value:
        return []
    from urllib.parse import parse_qsl, unquote, urlsplit

    with suppress(ValueError):
        found = urlsplit(value)
        named = [part for name, part in parse_qsl(found.query) if name.lower() in _NAMED_PARTS]
        return [part for part in (unquote(found.username or ""), unquote(found.password or ""), *named) if part]
    return []


def _forms(value: str) -> set[str]:
    """Return the forms in which a text may be written: plain, URL-quoted, as a repr, in JSON, in base64."""
    from urllib.parse import quote

    raw = value.encode("utf-8", "surrogatepass")
    return {
        value,
        quote(raw),
        quote(raw, safe=""),
        repr(value)[1:-1],
        repr(raw)[2:-1],
        json.dumps(value)[1:-1],
        base64.b64encode(raw).rstrip(b"=").decode(),
        base64.urlsafe_b64encode(raw).rstrip(b"=").decode(),
    }
