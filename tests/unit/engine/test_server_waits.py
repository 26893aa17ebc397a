"""Waits that Telegram imposes: each on its own clock, exactly as told, and approved sends stay approved."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.errors import RateLimitedError, SlowModeError
from chimein_gui.domain.events import ServerWaitBegan
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.plans.planned_steps import PlannedStep
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.viewmodels.words.notes import note_words
from tests.fakes.telegram import ACCOUNT, MARTA, FakeTelegram
from tests.support.send_room import SendRoom, send_room

D = TaskStatus.DONE
APPROVED = TaskStatus.APPROVED


async def test_a_flood_wait_is_waited_out_exactly_and_seen(room: SendRoom) -> None:
    (draft,) = await room.plan(await room.chat(), "hi")
    (block,) = await room.plan(await room.chat(PeerId(MARTA + 1)), PlannedStep(TaskKind.BLOCK))
    began = room.clock.now()
    room.telegram.script.append(RateLimitedError("FLOOD_WAIT_42", 42, "send_text"))
    await room.execute(draft)
    await room.approve(block)
    await room.pass_time(41)
    assert await room.status(draft, block) == [APPROVED, D], "it counts for no other method"
    assert "42 s" in note_words((await room.get(draft)).note)
    (wait,) = room.of(ServerWaitBegan)
    assert (wait.account_id, wait.chat_id, wait.until) == (ACCOUNT, None, began + timedelta(seconds=42))
    assert len(room.telegram.requests) == 1
    await room.pass_time(1)
    first, second = room.telegram.requests
    assert first.random_id == second.random_id
    assert await room.status(draft) == [D]
    assert (await room.get(draft)).note is None, "a wait of Telegram's is no retry"


async def test_slow_mode_counts_for_its_chat_alone(room: SendRoom) -> None:
    slow, free = await room.chat(), await room.chat(PeerId(MARTA + 1))
    sticker = room.telegram.put_sticker("cats", "😺")
    text, cat = await room.plan(slow, "text", PlannedStep(TaskKind.STICKER, "😺", sticker=sticker))
    (other,) = await room.plan(free, "other")
    room.telegram.script.append(SlowModeError("SLOWMODE_WAIT_30", 30, "send_text"))
    await room.execute(text, cat)
    await room.approve(other)
    await room.pass_time(29)
    assert await room.status(text, cat, other) == [APPROVED, APPROVED, D]
    (wait,) = room.of(ServerWaitBegan)
    assert wait.chat_id == slow
    await room.pass_time(1)
    assert await room.status(text, cat) == [D, D]


async def test_a_20_min_flood_with_three_approved_chats(tmp_path: Path) -> None:
    types = Preferences(debounce_s=0, undo_s=0, typing_base_s=3, typing_s_per_60=0)
    async with send_room(tmp_path, preferences=types) as room:
        chats = [await room.chat(PeerId(MARTA + number)) for number in range(3)]
        drafts = [(await room.plan(chat, f"to {chat}"))[0] for chat in chats]
        room.telegram.script.append(RateLimitedError("FLOOD_WAIT_1200", 1200, "send_text"))
        await room.approve(drafts[0])
        await room.pass_time(1)
        await room.approve(*drafts[1:])
        await room.pass_time(3)
        room.telegram.typing.clear()
        await room.pass_time(1190, 10)
        assert await room.status(*drafts) == [APPROVED] * 3, "visible and approved for as long as it lasts"
        assert len(room.telegram.requests) == 1
        assert room.telegram.typing == []
        await room.pass_time(20, 10)
        assert await room.status(*drafts) == [TaskStatus.AWAITING_DECISION] * 3
        assert all([AskReason.OVERDUE in (await room.get(draft)).reasons for draft in drafts])
        assert len(room.telegram.requests) == 1
        assert room.telegram.typing == [], "nobody is shown typing for what goes to review"
        await room.approve(*drafts)
        await room.pass_time(3)
        assert sorted(room.texts()) == sorted(f"to {chat}" for chat in chats)


async def test_a_wait_survives_a_restart(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    async with send_room(tmp_path, telegram=telegram) as room:
        (draft,) = await room.plan(await room.chat(), "hi")
        telegram.script.append(RateLimitedError("FLOOD_WAIT_60", 60, "send_text"))
        await room.execute(draft)
    async with send_room(tmp_path, telegram=telegram) as room:
        await room.pass_time(59)
        assert len(telegram.requests) == 1
        await room.pass_time(1)
        assert await room.status(draft) == [D]


async def test_a_wait_that_runs_under_hold_ends_in_review(room: SendRoom) -> None:
    (draft,) = await room.plan(await room.chat(), "hi")
    room.telegram.script.append(RateLimitedError("FLOOD_WAIT_60", 60, "send_text"))
    await room.execute(draft)
    await room.holds.hold(HoldScope.ALL)
    assert await room.status(draft) == [APPROVED]
    await room.pass_time(60)
    back = await room.get(draft)
    assert back.task_status is TaskStatus.AWAITING_DECISION
    assert AskReason.HELD in back.reasons
    await room.holds.release(HoldScope.ALL)
    await room.pass_time(10)
    assert len(room.telegram.requests) == 1
