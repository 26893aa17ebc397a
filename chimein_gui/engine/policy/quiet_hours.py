"""Quiet hours of a chat: local times of day between which nothing leaves automatically."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date, time, tzinfo

    from chimein_gui.domain.chats import QuietHours


def quiet_until(hours: QuietHours | None, zone: tzinfo, now: datetime) -> datetime | None:
    """Return when the quiet that holds now ends, or None if it is not quiet.

    Where the clocks change, a time of day may come twice or not at all; then the longer quiet counts.

    Args:
        hours: The chat's quiet hours; None = never quiet.
        zone: The agent's time zone, in which they are meant.
        now: Aware UTC.

    Returns:
        Aware UTC, later than `now`; or None.
    """
    if hours is None or hours.begins == hours.ends:
        return None
    length = timedelta(days=1 if hours.ends < hours.begins else 0)
    today = now.astimezone(zone).date()
    ends: list[datetime] = []
    for began in (today - timedelta(days=1), today, today + timedelta(days=1)):
        begins_at = min(_instants(began, hours.begins, zone))
        ends_at = max(_instants(began + length, hours.ends, zone))
        if begins_at <= now < ends_at:
            ends.append(ends_at)
    return max(ends, default=None)


def _instants(day: date, at: time, zone: tzinfo) -> tuple[datetime, datetime]:
    """Return when the clocks of a zone show a time of day, once as read before and once as read after a change."""
    local = datetime.combine(day, at.replace(tzinfo=None), tzinfo=zone)
    return local.replace(fold=0).astimezone(UTC), local.replace(fold=1).astimezone(UTC)
