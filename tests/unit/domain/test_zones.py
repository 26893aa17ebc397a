"""The machine's own time zone, where an agent file names none."""

import time
from datetime import UTC, datetime, timedelta

import pytest

from chimein_gui.domain.accounts.zones import MachineZone, local_time, zone_named, zone_words


@pytest.fixture
def in_lisbon(monkeypatch):
    monkeypatch.setenv("TZ", "Europe/Lisbon")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("in_lisbon")
def test_every_hour_of_a_year_is_as_the_zone_has_it():
    named, machine = zone_named("Europe/Lisbon"), MachineZone()
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    for hour in range(366 * 24):
        at = moment + timedelta(hours=hour)
        local, expected = at.astimezone(machine), at.astimezone(named)
        assert local.replace(tzinfo=None, fold=0) == expected.replace(tzinfo=None, fold=0)
        assert (local.fold, local.utcoffset()) == (expected.fold, expected.utcoffset())
        assert local.astimezone(UTC) == at
        assert {local_time(at, zone).isoformat() for zone in (machine, named)} == {expected.isoformat()}


@pytest.mark.usefixtures("in_lisbon")
def test_words():
    summer = datetime(2026, 7, 1, 12, tzinfo=UTC)
    assert zone_words("", summer.astimezone(zone_named(""))) == "WEST, UTC+01:00"
    assert zone_words("Asia/Tokyo", summer.astimezone(zone_named("Asia/Tokyo"))) == "Asia/Tokyo"
    assert isinstance(zone_named("No/Where"), MachineZone)
