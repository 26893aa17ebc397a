"""Approved sends when things go wrong: only while a decision holds, never twice, looked up until they are known."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest  # noqa: TC002 - which room a test gets is read from its annotations

from chimein_gui.domain.approvals import Approve, AskReason, Verdict
from chimein_gui.domain.errors import NotConnectedError
from chimein_gui.domain.events import FaultReported
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.core.commits import UnitOfWork
from chimein_gui.engine.ports import SentReceipt
from chimein_gui.engine.sending.reconciliation import PAGE
from chimein_gui.viewmodels.words.notes import note_sentence, note_words
from tests.fakes.telegram import HANG, LOSE, FakeGateway, FakeTelegram, Unaddressable
from tests.support.engine_room import Room, engine_room
from tests.support.log_guard import ExpectedLogs

ROUNDS_OF_60_S = 100
"""Waiting for quiet commits some nine times a step itself."""


async def test_an_outcome_nobody_foresaw_is_unknown_and_looked_up(room: Room, expected_logs: ExpectedLogs) -> None:
    expected_logs(r"ERROR chimein_gui\.engine\.sending\.dispatch: A send failed unexpectedly")
    room.telegram.script.append(ValueError("an answer that cannot be read"))
    await room.approved()
    await room.approval(TaskStatus.UNKNOWN)
    await room.reach(lambda: room.find(TaskStatus.DONE))
    first, second = room.telegram.requests
    assert first.random_id == second.random_id
    assert room.telegram.delivered() == ["answer 1"]


async def test_an_outcome_that_cannot_be_recorded_is_looked_up_like_any_unknown(
    room: Room, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"ERROR chimein_gui\.engine\.scheduling\.chat_runner: A step of chat 1 failed")

    async def lose_the_outcome() -> None:
        raise RuntimeError("the outcome is not stored")

    room.before_each("Dispatcher._commit", lose_the_outcome)
    await room.approved()
    done = await room.reach(lambda: room.find(TaskStatus.DONE))
    assert done.message_id is not None
    assert len(room.telegram.requests) == 1
    await room.worked_off()
    faults = [note_sentence(e.cause) for e in room.events if isinstance(e, FaultReported) and e.key.startswith("chat ")]
    assert faults[0] == "A step could not be finished. RuntimeError."
    assert faults[-1] == "", "it is told until a step of the chat goes well"


async def test_its_chat_looks_round_only_once_the_send_is_known_to_be_in_doubt(
    room: Room, expected_logs: ExpectedLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that is slow to note it must not let the chat's next look pass: there would be no other."""
    expected_logs(r"ERROR chimein_gui\.engine\.scheduling\.chat_runner: A step of chat 1 failed")
    plain = UnitOfWork.submit
    late: list[tuple[UnitOfWork, Any]] = []
    monkeypatch.setattr(UnitOfWork, "submit", lambda commits, work: late.append((commits, work)))

    async def lose_the_outcome() -> None:
        raise RuntimeError("the outcome is not stored")

    room.before_each("Dispatcher._commit", lose_the_outcome)
    await room.approved()
    await room.pass_time(20, 1)
    for commits, work in late:
        plain(commits, work)
    await room.pass_time(20, 1)
    assert room.find(TaskStatus.DONE) is not None


async def test_a_chat_whose_send_is_unknown_neither_claims_nor_spins(room: Room) -> None:
    room.telegram.script.append(LOSE)
    await room.send_off()
    room.telegram.refuse_connect = NotConnectedError("no way to the server")
    room.clock.advance(20)
    await room.approval(TaskStatus.UNKNOWN)
    before = await room.store.transact(lambda tx: tx.revision)
    await room.pass_time(60, 10)
    after = await room.store.transact(lambda tx: tx.revision)
    assert len(room.telegram.requests) == 1
    assert after - before < ROUNDS_OF_60_S, "nothing is stored over and over"


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


async def test_the_operator_is_told_that_a_lost_message_has_arrived_after_all(tmp_path: Path) -> None:
    telegram = FakeTelegram(make=Unaddressable)
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
        chat = (await room.engine.queries.chats()).rows[0]
        assert chat.takeover_until is None, "it is ours, not the operator's own"
