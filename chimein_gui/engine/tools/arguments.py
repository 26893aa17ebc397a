"""Arguments of a tool call, read without trusting them: errors are sentences for the model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.accounts.group_moves import LARGEST_ID

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import tzinfo

LONGEST_WORDS = 200
"""Longest query or name, in characters."""

_WHOLE = re.compile(r"[0-9]{1,11}", re.ASCII)
_SHOWN = 40


class BadArgumentError(Exception):
    """An argument is invalid; the text tells the model what to write instead."""


def quoted(text: str) -> str:
    """Return the beginning of the model's text in a form that may be repeated to it."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:_SHOWN])


@dataclass(frozen=True, slots=True)
class Arguments:
    """Arguments by the model for a tool; each is validated when it is read.

    Attributes:
        given: By name, null left out.
        zone: The agent's time zone, in which the model reads and writes times.
    """

    given: Mapping[str, object]
    zone: tzinfo

    @classmethod
    def of(cls, given: Mapping[str, object], known: Iterable[str], zone: tzinfo) -> Arguments:
        """Create the arguments of a call.

        Raises:
            BadArgumentError: The tool has no argument of this name.
        """
        names = tuple(known)
        unknown = next((name for name in given if name not in names), None)
        if unknown is not None:
            raise BadArgumentError(f"There is no argument {quoted(str(unknown))!r}; there are {', '.join(names)}.")
        return cls({name: value for name, value in given.items() if value is not None}, zone)

    def message_id(self, name: str) -> int | None:
        """Return a message id, or None if it was left out.

        Raises:
            BadArgumentError: It is no valid id.
        """
        return self._whole(name, 1, LARGEST_ID)

    def number(self, name: str, otherwise: int, most: int) -> int:
        """Return a number from 1 to `most`, or `otherwise` if it was left out.

        Raises:
            BadArgumentError: It is no such number.
        """
        found = self._whole(name, 1, most)
        return otherwise if found is None else found

    def words(self, name: str) -> str:
        """Return a text in one line, empty if it was left out.

        Raises:
            BadArgumentError: It is no text, or too long.
        """
        value = self.given.get(name, "")
        if not isinstance(value, str):
            raise BadArgumentError(f"{name} must be a text.")
        if len(value) > LONGEST_WORDS:
            raise BadArgumentError(f"{name} must be no longer than {LONGEST_WORDS} characters.")
        # The database can't search for characters that UTF-8 can't encode.
        return " ".join(value.encode("utf-8", "ignore").decode().replace("\0", " ").split())

    def moment(self, name: str, *, end_of_day: bool) -> datetime | None:
        """Return a time, aware UTC, or None if it was left out.

        Args:
            name: Of the argument.
            end_of_day: A bare date means the end of that day, not its beginning.

        Raises:
            BadArgumentError: It is neither a date nor a time.
        """
        text = self.words(name)
        if not text:
            return None
        try:
            found = datetime.fromisoformat(text)
            if end_of_day and len(text) <= len("2026-11-20"):
                found += timedelta(days=1)
            return (found if found.tzinfo is not None else found.replace(tzinfo=self.zone)).astimezone(UTC)
        except (ValueError, OverflowError):
            raise BadArgumentError(f"{name} must be a date such as 2026-11-20 or 2026-11-20 14:30.") from None

    def _whole(self, name: str, least: int, most: int) -> int | None:
        value = self.given.get(name)
        if value is None:
            return None
        if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
            value = int(value.strip())
        elif isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise BadArgumentError(f"{name} must be a whole number from {least} to {most}.")
        return value
