"""The main job on a real store in virtual time: message → plan → decision → exactly one send."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import Approve, AskReason, Verdict
from chimein_gui.domain.chats import ChatSettings, TrustLevel
from chimein_gui.domain.errors import (
    ModelRefusedError,
    ModelTransientError,
    OutcomeUnknownError,
)
from chimein_gui.domain.events import ChatChanged
from chimein_gui.domain.ids import ChatId, PeerId
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.note_words import problem_words
from tests.fakes.model import FakeModel
from tests.fakes.telegram import HANG, LOSE, FakeTelegram
from tests.support.engine_room import Room, close, engine_room


async def test_an_approved_draft_is_delivered_once(room: Room) -> None:
    approval = await room.drafted()
    assert room.telegram.requests == []
    assert AskReason.FIRST_MESSAGE in approval.reasons
    outcome = await room.decide(approval, Approve())
    assert outcome.verdict is Verdict.ACCEPTED
    sent = await room.approval(TaskStatus.DONE)
    assert sent.message_id is not None
    assert room.telegram.delivered() == ["answer 1"]
    assert room.telegram.read[-1][1] == approval.covers_up_to


async def test_a_restart_finds_the_same_draft(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    async with engine_room(tmp_path, telegram=telegram) as room:
        before = await room.drafted()
    model = FakeModel()
    async with engine_room(tmp_path, telegram=telegram, model=model) as room:
        assert (await room.engine.load_approvals()).rows == (before,)
        await room.delivered(before)
        assert telegram.delivered() == ["answer 1"]
        assert model.prompts == []


async def test_a_message_that_came_while_offline_is_planned_once(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    async with engine_room(tmp_path, telegram=telegram) as room:
        approval = await room.drafted()
        await room.delivered(approval)
    telegram.gateway = None
    telegram.partner_writes("while you were out")
    async with engine_room(tmp_path, telegram=telegram) as room:
        await room.approval(TaskStatus.AWAITING_DECISION)
        assert "message_id 3" in room.model.prompts[-1].system_instruction
    async with engine_room(tmp_path, telegram=telegram) as room:
        assert len((await room.engine.load_approvals()).rows) == 1
        assert room.model.prompts == []


async def test_a_stranger_who_wrote_while_offline_is_heard(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    async with engine_room(tmp_path, telegram=telegram):
        pass
    telegram.gateway = None
    telegram.partner_writes("hello, we have not met", peer=PeerId(7_000_005_009))
    async with engine_room(tmp_path, telegram=telegram) as room:
        approval = await room.approval(TaskStatus.AWAITING_DECISION)
        assert approval.peer_id == 7_000_005_009
        assert AskReason.FIRST_MESSAGE in approval.reasons


async def test_the_first_start_answers_nothing_old(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    telegram.store("long ago", out=False)
    async with engine_room(tmp_path, telegram=telegram) as room:
        chats = (await room.engine.load_chats()).rows
        assert [chat.planned_up_to for chat in chats] == [1]
        history = await room.engine.transcripts.before(chats[0].chat_id, None, 10)
        assert [message.text for message in history.rows] == ["long ago"]
        assert room.model.prompts == []


async def test_trusted_chats_send_by_a_named_rule_but_ask_for_the_first_message(room: Room) -> None:
    first = await room.drafted()
    await trust(room, first.chat_id, TrustLevel.AUTO)
    await room.delivered(first, "answer 1")
    room.telegram.partner_writes("more?")
    second = await room.approval(TaskStatus.DONE, "answer 2")
    assert second.decided_by == "auto trust"
    assert room.telegram.delivered() == ["answer 1", "answer 2"]


@pytest.mark.parametrize("answer", [HANG, OutcomeUnknownError("connection lost")])
async def test_a_send_without_an_answer_is_unknown_and_found_in_the_history(room: Room, answer: object) -> None:
    room.telegram.script.append(answer)  # type: ignore[arg-type]
    await room.send_off()
    if isinstance(answer, OutcomeUnknownError):
        room.telegram.store("answer 1", out=True)
    else:
        room.clock.advance(20)
    await room.approval(TaskStatus.UNKNOWN)
    await room.reach(lambda: room.find(TaskStatus.DONE))
    assert room.telegram.delivered() == ["answer 1"]
    assert len(room.telegram.requests) == 1
    assert room.telegram.connects == 2


@pytest.mark.parametrize("executed", [True, False])
async def test_a_cancelled_send_is_unknown_over_a_restart(tmp_path: Path, executed: bool) -> None:
    telegram = FakeTelegram()
    async with engine_room(tmp_path, telegram=telegram) as room:
        telegram.script.append(HANG if executed else LOSE)
        await room.send_off()
        await room.jobs.aclose()
        await close_with_time(room)
    async with engine_room(tmp_path, telegram=telegram) as room:
        await room.approval(TaskStatus.DONE)
        assert (await room.engine.load_approvals()).rows == ()
        assert telegram.delivered() == ["answer 1"]
        assert len(telegram.requests) == (1 if executed else 2)
        assert len({request.random_id for request in telegram.requests}) == 1


async def test_a_model_that_fails_for_a_moment_is_asked_again(room: Room) -> None:
    room.model.script.append(ModelTransientError("overloaded"))
    room.telegram.partner_writes("hello")
    await room.until(
        lambda: any(
            isinstance(e, ChatChanged) and "overloaded" in problem_words(e.chat.planning_problem) for e in room.events
        )
    )
    room.clock.advance(10)
    await room.approval(TaskStatus.AWAITING_DECISION)
    assert (await room.engine.load_chats()).rows[0].planning_problem is None


async def test_a_model_that_refuses_is_explained_and_the_next_message_tries_again(room: Room) -> None:
    room.model.script.append(ModelRefusedError("The prompt was blocked"))
    room.telegram.partner_writes("hello")
    await room.until(
        lambda: any(
            isinstance(e, ChatChanged) and "blocked" in problem_words(e.chat.planning_problem) for e in room.events
        )
    )
    await room.drafted("again")
    assert "Still unanswered before it: 1" in room.model.prompts[-1].system_instruction


async def test_a_message_during_the_model_call_is_part_of_the_plan(room: Room) -> None:
    room.model.gate = asyncio.Event()
    room.telegram.partner_writes("hello")
    await room.until(lambda: room.model.prompts)
    room.telegram.partner_writes("and this")
    await room.until(lambda: any(isinstance(e, ChatChanged) and e.chat.unread == 2 for e in room.events))
    room.model.gate.set()
    approval = await room.approval(TaskStatus.AWAITING_DECISION)
    assert approval.text == "answer 2"
    assert AskReason.CHANGED not in approval.reasons


async def trust(room: Room, chat_id: ChatId, level: TrustLevel) -> None:
    """Set a chat's trust level."""
    await room.store.transact(lambda tx: tx.chats.set_settings(chat_id, ChatSettings(trust=level)))


async def close_with_time(room: Room) -> None:
    """An orderly end waits up to 3 s for answers; virtual time has to be moved on."""
    closing = asyncio.ensure_future(close(room))  # noqa: TID251 - a test's own
    while not closing.done():
        room.clock.advance(1)
        await asyncio.wait([closing], timeout=0.01)
