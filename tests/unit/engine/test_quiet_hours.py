"""Quiet hours of a chat, in the agent's time zone."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chimein_gui.domain.chats import QuietHours
from chimein_gui.engine.policy.timing import quiet_until

LISBON, BERLIN, APIA, LORD_HOWE = (
    ZoneInfo(name) for name in ("Europe/Lisbon", "Europe/Berlin", "Pacific/Apia", "Australia/Lord_Howe")
)
NIGHT = QuietHours(time(22), time(7))
NOON = QuietHours(time(12), time(13, 30))

times = st.times().map(lambda at: at.replace(second=0, microsecond=0))
zones = st.sampled_from([UTC, LISBON, BERLIN, APIA, LORD_HOWE])
instants = st.datetimes(datetime(2020, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


def at(zone: ZoneInfo, *local: int) -> datetime:
    return datetime(*local, tzinfo=zone).astimezone(UTC)  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("hours", "now", "until"),
    [
        (NOON, (2026, 11, 20, 11, 59), None),
        (NOON, (2026, 11, 20, 12, 0), (2026, 11, 20, 13, 30)),
        (NOON, (2026, 11, 20, 13, 30), None),
        (NIGHT, (2026, 11, 20, 22, 0), (2026, 11, 21, 7, 0)),
        (NIGHT, (2026, 11, 21, 6, 59), (2026, 11, 21, 7, 0)),
        (NIGHT, (2026, 11, 21, 7, 0), None),
        # Over the last day of a year.
        (NIGHT, (2026, 12, 31, 23, 0), (2027, 1, 1, 7, 0)),
    ],
)
def test_the_end_is_told_while_it_is_quiet(
    hours: QuietHours, now: tuple[int, ...], until: tuple[int, ...] | None
) -> None:
    expected = at(BERLIN, *until) if until is not None else None
    assert quiet_until(hours, BERLIN, at(BERLIN, *now)) == expected


def test_they_are_meant_in_the_agents_zone() -> None:
    now = datetime(2026, 11, 20, 22, 30, tzinfo=UTC)
    assert quiet_until(NIGHT, UTC, now) == datetime(2026, 11, 21, 7, tzinfo=UTC)
    assert quiet_until(NIGHT, BERLIN, now) == datetime(2026, 11, 21, 6, tzinfo=UTC)
    assert quiet_until(NIGHT, APIA, now) is None  # half past eleven in the morning


def test_a_night_with_a_change_of_the_clocks_is_an_hour_shorter_or_longer() -> None:
    def length(*evening: int) -> timedelta:
        until = quiet_until(NIGHT, BERLIN, at(BERLIN, *evening))
        assert until is not None
        assert until.astimezone(BERLIN).time() == time(7)
        return until - at(BERLIN, *evening)

    assert length(2026, 3, 27, 22) == timedelta(hours=9)
    assert length(2026, 3, 28, 22) == timedelta(hours=8)
    assert length(2026, 10, 24, 22) == timedelta(hours=10)


@given(begins=times, ends=times, zone=zones, now=instants)
def test_quiet_ends_later_than_now_and_within_a_day(begins: time, ends: time, zone: ZoneInfo, now: datetime) -> None:
    until = quiet_until(QuietHours(begins, ends), zone, now)
    if until is None:
        return
    assert until.tzinfo is UTC
    assert now < until <= now + timedelta(hours=25)
    # It holds all the way, and the end does not run away while one waits for it.
    for part in (0.1, 0.5, 0.9):
        assert quiet_until(QuietHours(begins, ends), zone, now + (until - now) * part) is not None


@given(begins=times, ends=times, now=instants)
def test_without_changes_of_the_clocks_it_is_the_time_of_day_that_counts(
    begins: time, ends: time, now: datetime
) -> None:
    of_day = now.time()
    inside = begins <= of_day < ends if begins <= ends else of_day >= begins or of_day < ends
    until = quiet_until(QuietHours(begins, ends), UTC, now)
    assert (until is not None) == inside
    if until is not None:
        assert until.time() == ends
        assert quiet_until(QuietHours(begins, ends), UTC, until) is None
