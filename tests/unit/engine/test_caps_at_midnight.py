"""Midnight ends a cap's day, also where zone, clock, holds, log-outs or a closed program come between."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chimein_gui.domain.agents import Health
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.notes import PlanningKind
from chimein_gui.domain.prompt.prompts import ModelReply
from chimein_gui.domain.spending.caps import EVERYTHING, Release
from chimein_gui.domain.spending.days import day_around
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.scheduling.scheduler import TICK_S
from tests.fakes.clock import VirtualClock
from tests.fakes.telegram import FakeTelegram
from tests.support.capped_room import CENT
from tests.support.engine_room import Room, engine_room
from tests.support.login_room import ONE, login_room

HOUR = 3_600.0
DAY = 24 * HOUR


@pytest.fixture
def live_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Return what sets the machine's zone, as a change of the system's settings does: the program is not told."""
    yield lambda zone: monkeypatch.setenv("TZ", zone)
    monkeypatch.undo()
    time.tzset()


def telegram_at(moment: datetime) -> FakeTelegram:
    return FakeTelegram(VirtualClock(moment))


async def paused(room: Room) -> None:
    """Spend a cap of a cent; another message waits."""
    room.model.script.append(ModelReply("# «send»\nthe first", CENT))
    await room.drafted("one", "the first")
    await room.engine.caps.set_cap(EVERYTHING, 0.01)
    room.telegram.partner_writes("two")
    await room.chat(lambda chat: chat.planning_problem and chat.planning_problem.kind is PlanningKind.CAP)
    assert len(room.model.prompts) == 1


async def planned_once(room: Room) -> None:
    """See that what waited is planned, and planned once."""
    await room.approval(TaskStatus.AWAITING_DECISION, "answer 2")
    await room.worked_off()
    assert len(room.model.prompts) == 2


async def not_planned(room: Room) -> None:
    await room.worked_off()
    assert len(room.model.prompts) == 1
    (cap,) = await room.engine.caps.standings()
    assert (cap.is_reached, cap.waiting) == (True, 1)


def to_midnight(room: Room, *, more_s: float = 0.0) -> None:
    now = room.clock.now()
    room.clock.advance((day_around(now)[1] - now).total_seconds() + more_s)


async def test_what_waits_is_planned_at_midnight_and_not_before(tmp_path: Path) -> None:
    async with engine_room(tmp_path) as room:
        await paused(room)
        to_midnight(room, more_s=-1.0)
        await not_planned(room)
        room.clock.advance(TICK_S)
        await planned_once(room)


async def test_a_zone_further_east_begins_its_day_earlier(tmp_path: Path, live_in: Callable[[str], None]) -> None:
    live_in("America/New_York")
    time.tzset()
    async with engine_room(tmp_path, telegram=telegram_at(datetime(2026, 11, 20, 14, tzinfo=UTC))) as room:
        await paused(room)
        live_in("Asia/Tokyo")  # 23:00 there
        room.clock.advance(HOUR - 1)
        await not_planned(room)
        room.clock.advance(TICK_S)
        await planned_once(room)


async def test_a_zone_further_west_begins_its_day_later(tmp_path: Path, live_in: Callable[[str], None]) -> None:
    live_in("Asia/Tokyo")
    time.tzset()
    async with engine_room(tmp_path, telegram=telegram_at(datetime(2026, 11, 20, 6, tzinfo=UTC))) as room:
        await paused(room)
        live_in("Europe/Berlin")  # 7:00 there
        room.clock.advance(10 * HOUR)  # past midnight in Tokyo
        await not_planned(room)
        room.clock.advance(7 * HOUR + TICK_S)
        await planned_once(room)


@pytest.mark.parametrize(
    ("zone", "began_at", "hours"),
    [
        ("Europe/Berlin", datetime(2026, 3, 28, 23, tzinfo=UTC), 23),
        ("Europe/Berlin", datetime(2026, 10, 24, 22, tzinfo=UTC), 25),
        ("America/Santiago", datetime(2026, 9, 5, 4, tzinfo=UTC), 24),  # the next day begins at 1:00
        ("America/Santiago", datetime(2026, 4, 4, 3, tzinfo=UTC), 25),  # 23:00 comes twice
        ("America/Havana", datetime(2026, 10, 31, 4, tzinfo=UTC), 24),  # the next day's midnight comes twice
    ],
)
async def test_a_day_may_have_23_or_25_hours_and_midnight_may_be_missing(
    tmp_path: Path, live_in: Callable[[str], None], zone: str, began_at: datetime, hours: int
) -> None:
    live_in(zone)
    time.tzset()
    async with engine_room(tmp_path, telegram=telegram_at(began_at)) as room:
        await paused(room)
        room.clock.advance((began_at - room.clock.now()).total_seconds() + hours * HOUR - 1)
        await not_planned(room)
        room.clock.advance(TICK_S)
        await planned_once(room)


async def test_a_clock_that_was_a_year_ahead_keeps_nothing_waiting(tmp_path: Path) -> None:
    async with engine_room(tmp_path) as room:
        room.clock.advance(365 * DAY)
        await paused(room)
        room.clock.set_back(365 * DAY)
        room.clock.advance(TICK_S)
        await planned_once(room)


async def test_a_clock_that_is_set_back_within_the_day_changes_nothing(tmp_path: Path) -> None:
    async with engine_room(tmp_path) as room:
        room.clock.advance(8 * HOUR)
        await paused(room)
        room.clock.set_back(8 * HOUR)
        room.clock.advance(TICK_S)
        await not_planned(room)
        to_midnight(room, more_s=TICK_S)
        await planned_once(room)


async def test_a_clock_that_is_set_back_over_midnight_counts_the_day_that_it_shows(tmp_path: Path) -> None:
    async with engine_room(tmp_path) as room:
        await paused(room)
        to_midnight(room, more_s=TICK_S)
        await planned_once(room)
        room.clock.set_back(60.0)
        room.telegram.partner_writes("three")
        await room.chat(lambda chat: chat.last_text == "three" and chat.planning_problem)
        assert len(room.model.prompts) == 2
        room.clock.advance(60.0 + TICK_S)
        await room.approval(TaskStatus.AWAITING_DECISION, "answer 3")
        assert len(room.model.prompts) == 3


async def test_under_hold_everything_it_is_planned_and_the_draft_waits_for_the_operator(tmp_path: Path) -> None:
    async with engine_room(tmp_path) as room:
        await paused(room)
        await room.engine.holds.hold(HoldScope.ALL)
        to_midnight(room, more_s=TICK_S)
        await planned_once(room)
        await room.engine.holds.release(HoldScope.ALL)
        await planned_once(room)
        assert room.telegram.delivered() == []


async def test_what_an_account_has_to_answer_that_was_logged_out_is_planned_once(tmp_path: Path) -> None:
    async with login_room(tmp_path, online=True) as it:
        room = it.room
        await paused(room)
        await it.logins.log_out(ONE)
        assert it.agent().health is Health.LOGGED_OUT
        to_midnight(room, more_s=TICK_S)
        await planned_once(room)


async def test_a_program_that_was_off_at_midnight_plans_at_its_start(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    async with engine_room(tmp_path, telegram=telegram) as room:
        await paused(room)
    telegram.clock.advance(DAY)
    async with engine_room(tmp_path, telegram=telegram, model=room.model) as room:
        await planned_once(room)


async def test_a_program_that_was_off_while_the_clock_was_set_back_plans_at_its_start(tmp_path: Path) -> None:
    telegram = telegram_at(datetime(2027, 11, 20, 14, tzinfo=UTC))
    async with engine_room(tmp_path, telegram=telegram) as room:
        await paused(room)
    telegram.clock.set_back(365 * DAY)
    async with engine_room(tmp_path, telegram=telegram, model=room.model) as room:
        await planned_once(room)


async def test_a_start_on_the_same_day_lets_it_wait(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    async with engine_room(tmp_path, telegram=telegram) as room:
        await paused(room)
    async with engine_room(tmp_path, telegram=telegram, model=room.model) as room:
        await not_planned(room)
        to_midnight(room, more_s=TICK_S)
        await planned_once(room)


async def test_what_was_permitted_until_midnight_ends_with_the_day_of_the_new_zone(
    tmp_path: Path, live_in: Callable[[str], None]
) -> None:
    live_in("America/New_York")
    time.tzset()
    async with engine_room(tmp_path, telegram=telegram_at(datetime(2026, 11, 20, 14, tzinfo=UTC))) as room:
        await paused(room)
        await room.engine.caps.release(EVERYTHING, Release.UNTIL_MIDNIGHT)
        await planned_once(room)
        live_in("Asia/Tokyo")
        room.clock.advance(HOUR + TICK_S)
        await room.worked_off()
        (cap,) = await room.engine.caps.standings()
        assert (cap.is_lifted, cap.spent_usd) == (False, 0.0)
