"""The main job on a real store, and what came while an account was away: neither lost nor answered twice."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.agents import Health
from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.events import ChatChanged
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.messages import Message
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.ports import DialogInfo
from tests.fakes.telegram import HANG, FakeGateway, FakeTelegram
from tests.support.engine_room import QUICK, Room, engine_room

PAUL = PeerId(7_000_005_002)


class HasRead(FakeGateway):
    """The operator has read, on his phone, what was there when it was connected."""

    async def dialogs(self) -> tuple[DialogInfo, ...]:
        found = await super().dialogs()
        old = {one.key.peer_id: one.key.message_id for one in self._server.messages if one.text.startswith("old")}
        return tuple(replace(one, read_up_to=old.get(one.chat.peer_id, MessageId(0))) for one in found)


async def test_a_chat_that_first_shows_itself_by_a_live_message_counts_what_was_read_as_answered(
    tmp_path: Path,
) -> None:
    telegram = FakeTelegram(make=HasRead)
    async with engine_room(tmp_path, telegram=telegram):
        pass
    telegram.store("old and read", out=False, peer=PAUL)
    telegram.dialogs_gate = asyncio.Event()
    preferences = replace(QUICK, debounce_s=1)
    rooms = engine_room(tmp_path, telegram=telegram, preferences=preferences, online=False)
    async with rooms as room:
        await room.reach(telegram.is_heard)
        await room.stored(telegram.partner_writes("live", peer=PAUL))
        telegram.dialogs_gate.set()
        await room.until(lambda: room.health() is Health.ONLINE)
        await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
        assert "Still unanswered" not in room.model.prompts[-1].last_block
        assert (await room.engine.queries.chats()).rows[0].planned_up_to == 1


async def test_a_trigger_behind_an_unknown_outcome_is_planned_once_that_is_resolved(room: Room) -> None:
    telegram = room.telegram
    telegram.script.append(HANG)
    await room.approved()
    await room.until(lambda: telegram.requests)
    await room.stored(telegram.partner_writes("and now?"))
    await room.pass_time(25)
    await room.approval(TaskStatus.DONE, "answer 1")
    await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION, "answer 2"))
    assert telegram.delivered() == ["answer 1"]


async def test_a_missed_message_below_a_live_one_is_answered_too_where_all_is_automatic(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    quick = replace(QUICK, debounce_s=0, typing_base_s=3)
    async with engine_room(tmp_path, telegram=telegram, preferences=quick) as room:
        draft = await room.approved()
        await room.reach(lambda: room.find(TaskStatus.DONE))
        await room.engine.chat_settings.set_trust(draft.chat_id, TrustLevel.AUTO)
    missed: Message = telegram.partner_writes("missed: my address is Rua Nova 5")
    telegram.dialogs_gate = asyncio.Event()
    rooms = engine_room(tmp_path, telegram=telegram, preferences=quick, online=False)
    async with rooms as room:
        await room.reach(telegram.is_heard)
        await room.stored(telegram.partner_writes("live"))
        await room.approval(TaskStatus.APPROVED)
        telegram.dialogs_gate.set()
        await room.stored(missed)
        await room.pass_time(10)
        assert "Rua Nova 5" in str(room.model.prompts[-1].turns)
        assert telegram.delivered() == ["answer 1", f"answer {len(room.model.prompts)}"]


async def test_a_message_that_came_while_offline_is_planned_once(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    async with engine_room(tmp_path, telegram=telegram) as room:
        approval = await room.drafted()
        await room.delivered(approval)
    telegram.gateway = None
    telegram.partner_writes("while you were out")
    async with engine_room(tmp_path, telegram=telegram) as room:
        await room.approval(TaskStatus.AWAITING_DECISION)
        assert "message_id 3" in room.model.prompts[-1].last_block
    async with engine_room(tmp_path, telegram=telegram) as room:
        assert len((await room.engine.queries.approvals()).rows) == 1
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
    await room.model.asked(1)
    room.telegram.partner_writes("and this")
    await room.until(lambda: any(isinstance(e, ChatChanged) and e.chat.unread == 2 for e in room.events))
    room.model.gate.set()
    approval = await room.approval(TaskStatus.AWAITING_DECISION)
    assert approval.text == "answer 2"
    assert AskReason.CHANGED not in approval.reasons
