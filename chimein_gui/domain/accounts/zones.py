"""Time zones of agents: the one that a file names, else the machine's."""

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


class MachineZone(tzinfo):
    """The time zone of this machine, summer time included."""

    def utcoffset(self, dt: datetime | None) -> timedelta | None:
        """Return how far local time is ahead of UTC."""
        return None if dt is None else dt.replace(tzinfo=None).astimezone().utcoffset()

    def dst(self, dt: datetime | None) -> timedelta | None:  # noqa: ARG002 - the signature is Python's
        """Return None: the machine reports only the total offset."""
        return None

    def tzname(self, dt: datetime | None) -> str | None:
        """Return the machine's name for its zone at that moment, such as CET."""
        return None if dt is None else dt.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, dt: datetime) -> datetime:
        """Return local time; for an hour that occurs twice, with the matching fold."""
        known = dt.replace(tzinfo=UTC).astimezone()
        local = known.replace(tzinfo=self)
        return local if local.utcoffset() == known.utcoffset() else local.replace(fold=1)


_MACHINE = MachineZone()


def zone_named(name: str) -> tzinfo:
    """Return the zone of an IANA name; the machine's for an empty or unknown one."""
    try:
        return ZoneInfo(name) if name else _MACHINE
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return _MACHINE


def local_time(at: datetime, zone: tzinfo) -> datetime:
    """Return a moment in a zone. For the machine's own zone this is many times as fast as `at.astimezone(zone)`.

    Args:
        at: Aware.
        zone: From `zone_named`.
    """
    return at.astimezone() if isinstance(zone, MachineZone) else at.astimezone(zone)


def zone_words(name: str, at: datetime) -> str:
    """Name the zone of a local time: its IANA name, else the machine's short name with its offset from UTC."""
    if isinstance(at.tzinfo, ZoneInfo):
        return name
    return f"{at.tzname()}, UTC{at.isoformat(timespec='minutes')[16:22]}"
