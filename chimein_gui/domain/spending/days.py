"""Where the operator's days begin and end."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo


def day_around(now: datetime, zone: tzinfo | None = None) -> tuple[datetime, datetime]:
    """Return the beginning and end of the local day of a moment, aware UTC; a day may have 23 or 25 hours."""
    today = now.astimezone(zone).date()
    return day_begins(today, zone), day_begins(today + timedelta(days=1), zone)


def day_begins(day: date, zone: tzinfo | None = None) -> datetime:
    """Return the first moment of a day, aware UTC, in a zone or in the machine's own."""
    # astimezone() takes a naive time as the machine's local time; with a zone it is that zone's. Where clocks are set
    # forward at midnight, the day begins later: fold 0 then means a moment of the day before.
    moments = [datetime.combine(day, time(fold=fold), zone).astimezone(UTC) for fold in (0, 1)]
    return next((one for one in moments if one.astimezone(zone).date() == day), moments[0])
