"""A time to stop a send that ran out while nobody could stop it begins anew."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import Approval, Approve, Rule
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.notes import NoteKind, is_of
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.core.environment import FROZEN, START_GRACE_S, AwakeTime
from tests.fakes.clock import START, VirtualClock
from tests.fakes.telegram import FakeTelegram
from tests.support.engine_room import Room, engine_room

PREFERENCES = Preferences(debounce_s=0)


async def planned(room: Room, trust: TrustLevel) -> Approval:
    """Let the partner write in a chat that knows us, and return what is planned."""
    room.telegram.store("hi", out=True)
    first = await room.drafted("hello there")
    if trust is TrustLevel.REVIEW:
        await room.decide(first, Approve())
        return await room.approval(TaskStatus.APPROVED)
    await room.engine.chat_settings.set_trust(first.chat_id, trust)
    room.telegram.partner_writes("hello again")
    return await room.approval(TaskStatus.APPROVED)


def left(room: Room, approval: Approval) -> timedelta:
    """Return how long the send can still be stopped."""
    due_at = room.newest(approval).due_at
    assert due_at is not None
    return due_at - room.clock.now()


@pytest.mark.parametrize(("trust", "whole_s"), [(TrustLevel.REVIEW, 5.0), (TrustLevel.COUNTDOWN, 30.0)])
async def test_what_ran_out_while_the_program_was_closed_begins_anew(
    tmp_path: Path, trust: TrustLevel, whole_s: float
) -> None:
    telegram = FakeTelegram()
    async with engine_room(tmp_path, telegram=telegram, preferences=PREFERENCES) as room:
        approval = await planned(room, trust)
    telegram.clock.advance(32)
    async with engine_room(tmp_path, telegram=telegram, preferences=PREFERENCES) as room:
        await room.worked_off()
        anew = await room.approval(TaskStatus.APPROVED)
        assert anew.approval_id == approval.approval_id
        assert telegram.requests == []
        assert is_of(anew.note, NoteKind.BEGAN_ANEW)
        assert left(room, anew) == timedelta(seconds=whole_s)
        await room.pass_time(whole_s - 1)
        assert telegram.requests == []
        await room.pass_time(2)
        assert len(telegram.requests) == 1


async def test_what_had_time_left_at_the_start_goes_on_where_it_was(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    async with engine_room(tmp_path, telegram=telegram, preferences=PREFERENCES) as room:
        approval = await planned(room, TrustLevel.COUNTDOWN)
    telegram.clock.advance(12)
    async with engine_room(tmp_path, telegram=telegram, preferences=PREFERENCES) as room:
        await room.pass_time(17)
        assert telegram.requests == []
        await room.reach(lambda: room.find(TaskStatus.DONE))
        assert room.newest(approval).due_at == approval.due_at


@pytest.mark.parametrize(("trust", "whole_s"), [(TrustLevel.REVIEW, 5.0), (TrustLevel.COUNTDOWN, 30.0)])
async def test_what_ran_out_while_the_machine_slept_begins_anew(
    tmp_path: Path, trust: TrustLevel, whole_s: float
) -> None:
    async with engine_room(tmp_path, preferences=PREFERENCES) as room:
        approval = await planned(room, trust)
        room.clock.advance(120)
        await room.until(lambda: is_of(room.newest(approval).note, NoteKind.BEGAN_ANEW))
        assert left(room, approval) == timedelta(seconds=whole_s)
        await room.pass_time(whole_s - 1)
        assert room.telegram.requests == []
        await room.pass_time(2)
        assert len(room.telegram.requests) == 1


async def test_nothing_automatic_leaves_in_the_first_seconds_of_a_start(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=PREFERENCES, start_grace_s=START_GRACE_S) as room:
        approval = await planned(room, TrustLevel.AUTO)
        assert approval.decided_by == Rule.AUTO_TRUST
        await room.pass_time(9)
        assert room.telegram.requests == []
        await room.pass_time(2)
        assert len(room.telegram.requests) == 1


def test_a_round_that_comes_late_is_a_break_for_whoever_asks_first() -> None:
    clock = VirtualClock()
    awake = AwakeTime(clock.now)
    awake.start()
    awake.expect_round(2.0)
    clock.advance(2 + FROZEN.total_seconds())
    assert awake.since() == START
    clock.advance(0.001)
    assert awake.since() == clock.now()
    woken = clock.now()
    awake.expect_round(2.0)
    clock.advance(2)
    awake.expect_round(2.0)
    assert awake.since() == woken


async def test_several_short_sleeps_make_it_overdue_like_a_long_one(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=PREFERENCES) as room:
        approval = await planned(room, TrustLevel.COUNTDOWN)
        room.clock.advance(14 * 60)
        await room.until(lambda: is_of(room.newest(approval).note, NoteKind.BEGAN_ANEW))
        assert room.newest(approval).task_status is TaskStatus.APPROVED
        room.clock.advance(14 * 60)
        await room.until(lambda: room.newest(approval).task_status is TaskStatus.AWAITING_DECISION)
        assert is_of(room.newest(approval).note, NoteKind.OVERDUE)
        assert room.telegram.requests == []


async def test_a_later_approval_is_not_overdue_because_an_earlier_one_was(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=PREFERENCES) as room:
        approval = await planned(room, TrustLevel.REVIEW)
        for _ in range(3):
            room.clock.advance(14 * 60)
            await room.worked_off()
        assert room.newest(approval).task_status is TaskStatus.AWAITING_DECISION
        await room.decide(room.newest(approval), Approve())
        await room.reach(lambda: room.find(TaskStatus.DONE))
        assert len(room.telegram.requests) == 1
