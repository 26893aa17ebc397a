"""Choices of when a postponed card comes back, in the machine's time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from PySide6.QtCore import QCoreApplication

EVENING = time(18, 0)
MORNING = time(9, 0)


@dataclass(frozen=True, slots=True)
class Later:
    """One choice.

    Attributes:
        words: Its label.
        until: Aware UTC.
    """

    words: str
    until: datetime


translate = QCoreApplication.translate


def later_choices(now: datetime) -> tuple[Later, ...]:
    """Return the choices at this time; this evening only before 18:00.

    Args:
        now: Aware UTC.
    """
    today = now.astimezone().date()
    choices = [
        Later(translate("Later", "In 15 minutes"), now + timedelta(minutes=15)),
        Later(translate("Later", "In 1 hour"), now + timedelta(hours=1)),
        Later(translate("Later", "This evening, 18:00"), _local(datetime.combine(today, EVENING))),
        Later(translate("Later", "Tomorrow, 9:00"), _local(datetime.combine(today + timedelta(days=1), MORNING))),
    ]
    return tuple(choice for choice in choices if choice.until > now)


def _local(wall: datetime) -> datetime:
    """Return a wall-clock time of this machine in UTC, with that day's daylight saving time."""
    return wall.astimezone().astimezone(UTC)
