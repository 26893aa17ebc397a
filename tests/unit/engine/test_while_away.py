"""What came while an account was away is neither lost nor answered a second time."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.agents import Health
from chimein_gui.domain.chats import TrustLevel
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
        assert "Still unanswered" not in room.model.prompts[-1].system_instruction
        assert (await room.engine.load_chats()).rows[0].planned_up_to == 1


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
