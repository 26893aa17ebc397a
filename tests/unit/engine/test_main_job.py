"""The main job on a real store in virtual time: message → plan → decision → exactly one send."""

from __future__ import annotations

import asyncio
from pathlib import Path

from chimein_gui.domain.approvals import Approve, AskReason, Verdict
from chimein_gui.domain.events import ChatChanged
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.tasks import TaskStatus
from tests.fakes.telegram import FakeTelegram
from tests.support.engine_room import Room, engine_room


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
