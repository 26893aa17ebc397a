"""Sends without an answer: each is looked up until it is known, and the operator learns what is not."""

from __future__ import annotations

import asyncio
from pathlib import Path

from chimein_gui.domain.approvals import Approve, AskReason, Verdict
from chimein_gui.domain.errors import SendRefusedError
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.outcomes import PAGE
from chimein_gui.engine.ports import SentReceipt
from chimein_gui.viewmodels.note_words import note_words
from tests.fakes.telegram import HANG, LOSE, FakeGateway, FakeTelegram
from tests.support.engine_room import Room, engine_room


async def test_a_delivered_send_is_found_behind_many_newer_messages(room: Room) -> None:
    room.telegram.script.append(HANG)
    approval = await room.approved()
    await room.approval(TaskStatus.SENDING)
    for number in range(PAGE + 50):
        newest = room.telegram.partner_writes(f"spam {number}")
    await room.stored(newest)
    room.clock.advance(20)
    await room.approval(TaskStatus.UNKNOWN)
    found = await room.reach(lambda: room.find(TaskStatus.DONE))
    assert (found.approval_id, found.message_id) == (approval.approval_id, 2)


class NoIdAndNoHistory(FakeGateway):
    """Telegram says that it has this message already, and then nothing more."""

    async def send_text(self, request):
        await super().send_text(request)
        return SentReceipt(None, None)

    async def history(self, peer_id, **kwargs):
        await asyncio.Event().wait()
        return ()


async def test_a_receipt_without_id_does_not_hang_on_the_history(tmp_path: Path) -> None:
    telegram = FakeTelegram(make=NoIdAndNoHistory)
    async with engine_room(tmp_path, telegram=telegram) as room:
        await room.send_off()
        sent = await room.reach(lambda: room.find(TaskStatus.DONE))
        assert sent.message_id is None
        assert telegram.delivered() == ["answer 1"]


class NoHistory(FakeGateway):
    async def history(self, peer_id, **kwargs):
        raise SendRefusedError("Telegram does not let this account address that chat.", "PEER_ID_INVALID")


async def test_the_operator_is_told_that_a_lost_message_has_arrived_after_all(tmp_path: Path) -> None:
    telegram = FakeTelegram(make=NoHistory)
    async with engine_room(tmp_path, telegram=telegram) as room:
        telegram.script.append(LOSE)
        await room.send_off()
        room.clock.advance(20)
        back = await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
        assert AskReason.NOT_DELIVERED in back.reasons
        late = telegram.operator_writes("answer 1")
        await room.until(lambda: room.newest(back).task_status is TaskStatus.DONE)
        assert room.newest(back).message_id == late.key.message_id
        assert "after all" in note_words(room.newest(back).note)
        hasty = await room.decide(back, Approve())
        assert hasty.verdict is Verdict.CLOSED
        assert telegram.delivered() == ["answer 1"]
        chat = (await room.engine.load_chats()).rows[0]
        assert chat.takeover_until is None, "it is ours, not the operator's own"
