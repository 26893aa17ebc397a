"""The arguments of a tool call, read without trusting them: what is wrong is said in a sentence."""

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
"""Characters of a query or a name."""

_WHOLE = re.compile(r"[0-9]{1,11}", re.ASCII)
_SHOWN = 40


class BadArgumentError(Exception):
    """What the model must do otherwise, in a short sentence."""


def quoted(text: str) -> str:
    """Return the beginning of a word of the model's as it may be repeated to it."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:_SHOWN])


@dataclass(frozen=True, slots=True)
class Arguments:
    """What the model gave for the parameters of a tool; each is read by what it must be.

    Attributes:
        given: By name, null left out.
        zone: Of the agent: what the model reads and writes is in its time.
    """

    given: Mapping[str, object]
    zone: tzinfo

    @classmethod
    def of(cls, given: Mapping[str, object], known: Iterable[str], zone: tzinfo) -> Arguments:
        """Take the arguments of a call.

        Raises:
            BadArgumentError: One has a name that the tool does not know.
        """
        names = tuple(known)
        unknown = next((name for name in given if name not in names), None)
        if unknown is not None:
            raise BadArgumentError(f"There is no argument {quoted(str(unknown))!r}; there are {', '.join(names)}.")
        return cls({name: value for name, value in given.items() if value is not None}, zone)

    def message_id(self, name: str) -> int | None:
        """Return an id, or None where it was left out.

        Raises:
            BadArgumentError: It can't be one.
        """
        return self._whole(name, 1, LARGEST_ID)

    def number(self, name: str, otherwise: int, most: int) -> int:
        """Return a number from 1 to `most`.

        Raises:
            BadArgumentError: It is none.
        """
        found = self._whole(name, 1, most)
        return otherwise if found is None else found

    def words(self, name: str) -> str:
        """Return a text in one line, empty where it was left out.

        Raises:
            BadArgumentError: It is no text, or too long.
        """
        value = self.given.get(name, "")
        if not isinstance(value, str):
            raise BadArgumentError(f"{name} must be a text.")
        if len(value) > LONGEST_WORDS:
            raise BadArgumentError(f"{name} must be no longer than {LONGEST_WORDS} characters.")
        # What can't be written as UTF-8, the database can't look for.
        return " ".join(value.encode("utf-8", "ignore").decode().replace("\0", " ").split())

    def moment(self, name: str, *, end_of_day: bool) -> datetime | None:
        """Return a time, aware UTC, or None where it was left out.

        Args:
            name: Of the argument.
            end_of_day: A bare date means the end of that day, not its beginning.

        Raises:
            BadArgumentError: It is no date and no time.
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
