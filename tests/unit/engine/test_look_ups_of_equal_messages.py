"""Look-ups that must not be fooled: by the operator's equal message, by a clock that was put back, by half a step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import Approve, AskReason
from chimein_gui.domain.tasks import TaskStatus
from tests.fakes.telegram import HANG, LOSE, Unreachable
from tests.support.engine_room import Room
from tests.support.log_guard import ExpectedLogs
from tests.support.send_room import SendRoom, send_room

D = TaskStatus.DONE
REVIEW = TaskStatus.AWAITING_DECISION
UNKNOWN = TaskStatus.UNKNOWN


async def test_what_the_operator_wrote_before_the_claim_is_never_taken_for_our_lost_send(room: SendRoom) -> None:
    chat = await room.chat()
    his = room.telegram.store("ok", out=True)
    assert not await room.hear(chat, his)
    room.clock.advance(30)
    draft = await room.cut_off(chat, LOSE, "ok")
    await room.back_online()
    assert await room.status(draft) == [D]
    assert room.texts() == ["ok"], "the partner has got ours too"
    assert (await room.get(draft)).message_id != his.key.message_id


async def test_of_two_equal_messages_the_one_nobody_knew_before_is_ours(room: SendRoom) -> None:
    chat = await room.chat()
    his = room.telegram.store("ok", out=True)
    assert not await room.hear(chat, his)
    draft = await room.cut_off(chat, HANG, "ok")
    ours = room.telegram.messages[-1]
    await room.back_online()
    assert (await room.get(draft)).message_id == ours.key.message_id
    assert len(room.telegram.requests) == 1


async def test_what_a_bot_or_a_schedule_sent_is_not_taken_for_ours(room: SendRoom) -> None:
    chat = await room.chat()
    draft = await room.cut_off(chat)
    assert not await room.hear(chat, replace(room.telegram.store("hi", out=True), is_automatic=True))
    assert await room.status(draft) == [UNKNOWN]


@pytest.mark.parametrize(("back_s", "again"), [(3600, False), (30, True)])
async def test_after_the_clock_was_put_back_nobody_knows_how_old_a_claim_is(
    room: SendRoom, back_s: int, again: bool
) -> None:
    chat = await room.chat()
    draft = await room.cut_off(chat)
    room.clock.advance(-back_s)
    await room.connect()
    room.wake(chat, room.clock.now())
    await room.worked_off()
    assert await room.status(draft) == [D if again else REVIEW]
    assert len(room.telegram.requests) == (2 if again else 1)
    assert again or AskReason.NOT_DELIVERED in (await room.get(draft)).reasons


async def test_a_step_that_breaks_between_two_parts_does_not_stop_its_chat(
    room: Room, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"ERROR chimein_gui\.engine\.scheduling\.chat_runner: A step of chat 1 failed")
    broken = [True]

    async def break_once() -> None:
        if broken:
            broken.clear()
            raise RuntimeError("the next part is not claimed")

    room.model.script.append(f"{'a' * 4000}\n\n{'b' * 4000}")
    room.before_each("Dispatcher._next_part", break_once)
    room.telegram.partner_writes("hello")
    first = await room.approval(REVIEW)
    await room.decide(first, Approve())
    await room.reach(lambda: room.find(D))
    assert [text[0] for text in room.telegram.delivered()] == ["a", "b"]


@pytest.mark.parametrize("ahead_s", [7200, -7200])
async def test_a_machine_whose_clock_is_hours_off_finds_what_was_delivered(room: SendRoom, ahead_s: int) -> None:
    room.telegram.clock_ahead_s = ahead_s
    chat = await room.chat()
    draft = await room.cut_off(chat, HANG)
    await room.back_online()
    assert await room.status(draft) == [D]
    assert (await room.get(draft)).message_id == room.telegram.messages[-1].key.message_id
    assert len(room.telegram.requests) == 1


async def test_a_clock_that_is_behind_does_not_make_old_messages_ours(room: SendRoom) -> None:
    room.telegram.clock_ahead_s = -7200
    chat = await room.chat()
    room.telegram.store("hi", out=True)
    room.clock.advance(61)
    draft = await room.cut_off(chat, LOSE)
    await room.back_online()
    assert await room.status(draft) == [D]
    assert len(room.telegram.requests) == 2


@pytest.mark.parametrize("ahead_s", [7200, -7200])
async def test_an_engine_with_a_wrong_clock_recognises_its_own_message(room: Room, ahead_s: int) -> None:
    room.telegram.clock_ahead_s = ahead_s
    assert room.telegram.gateway is not None
    await room.telegram.gateway.disconnect()
    await room.reach(lambda: room.telegram.connects == 2 and room.telegram.is_heard())
    room.telegram.script.append(HANG)
    room.telegram.partner_writes("hello")
    first = await room.approval(REVIEW)
    await room.decide(first, Approve())
    await room.approval(TaskStatus.SENDING)
    room.telegram.report(room.telegram.messages[-1])
    await room.approval(D)
    assert (await room.engine.queries.chats()).rows[0].takeover_until is None
    room.clock.advance(25)  # nobody waits for the answer any more


async def test_a_delivered_send_whose_message_has_no_name_yet_is_not_taken_for_the_next_equal_one(
    tmp_path: Path,
) -> None:
    async with send_room(tmp_path, online=False) as room:
        room.telegram.make = Unreachable
        await room.connect()
        chat = await room.chat()
        (first,) = await room.plan(chat, "ok")
        await room.approve(first)
        (row,) = await room.rows(first)
        delivered = room.telegram.store("ok", out=True)
        room.telegram.random_ids[row.random_id] = delivered.key.message_id
        await room.worked_off()
        assert (await room.get(first)).message_id is None
        room.telegram.make = None
        second = await room.cut_off(chat, LOSE, "ok")
        await room.back_online()
        assert await room.status(first, second) == [D, D]
        assert room.texts() == ["ok", "ok"], "the partner has got both"
