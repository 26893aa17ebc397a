"""Block, unblock, clear-conversation, shutdown: ledger rows like any send, each on exactly one decision."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui.domain.approvals import Approval, AskReason
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.events import MessageStored
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.plans.planned_steps import PlannedStep
from chimein_gui.domain.tasks import LedgerState, TaskKind, TaskStatus
from chimein_gui.engine.ports import Transaction
from chimein_gui.engine.sending.claim import claim
from tests.fakes.telegram import ACCOUNT, HANG, LOSE, MARTA, FakeTelegram
from tests.support.send_room import SendRoom, send_room

D = TaskStatus.DONE
BLOCK, UNBLOCK = PlannedStep(TaskKind.BLOCK, "rude"), PlannedStep(TaskKind.UNBLOCK)
CLEAR, SHUTDOWN = PlannedStep(TaskKind.CLEAR_CONVERSATION), PlannedStep(TaskKind.SHUTDOWN, "enough")


async def test_deeds_always_ask_and_happen_once_approved_in_plan_order(room: SendRoom) -> None:
    chat = await room.chat(trust=TrustLevel.AUTO)
    block, unblock = await room.plan(chat, BLOCK, UNBLOCK)
    await room.worked_off()
    assert room.telegram.actions == []
    assert AskReason.IRREVERSIBLE in block.reasons
    await room.execute(unblock, block)
    assert room.telegram.actions == [("block", MARTA), ("unblock", MARTA)]
    assert await room.status(block, unblock) == [D, D]
    assert [row.state for row in await room.rows(block)] == [LedgerState.SENT]
    assert room.telegram.read == [], "an action is no answer, so nothing is marked as read"


async def test_clearing_takes_what_the_operator_saw_here_and_there(room: SendRoom) -> None:
    chat = await room.chat()
    (clear,) = await room.plan(chat, CLEAR)
    await room.approve(clear)
    newer = room.telegram.store("wait, one more thing", out=False)
    await room.keep(chat, newer)
    await room.worked_off()
    assert [one.text for one in room.telegram.messages if not one.deleted] == [newer.text]
    kept = await room.store.read(lambda tx: tx.messages.get(MessageKey(ACCOUNT, MARTA, clear.covers_up_to)))
    assert kept is not None
    assert kept.deleted
    left = await room.store.read(lambda tx: tx.messages.get(newer.key))
    assert left is not None
    assert not left.deleted
    told = {event.message.text for event in room.of(MessageStored) if event.message.deleted}
    assert told == {"long ago", "hello"}


async def left_unanswered(room: SendRoom, step: PlannedStep, answer: str, words: str) -> Approval:
    """Approve an action that gets no answer, after which the partner writes and the connection comes back."""
    chat = await room.chat()
    (action,) = await room.plan(chat, step)
    room.telegram.script.append(answer)
    await room.approve(action)
    await room.pass_time(20)
    await room.partner_writes(chat, words)
    await room.connect()
    await room.worked_off()
    return action


async def test_clearing_without_an_answer_is_found_done_although_somebody_wrote_since(room: SendRoom) -> None:
    assert await room.status(await left_unanswered(room, CLEAR, HANG, "and now?")) == [D]
    assert len(room.telegram.actions) == 1


@pytest.mark.parametrize("step", [BLOCK, UNBLOCK, CLEAR], ids=lambda step: step.kind)
@pytest.mark.parametrize("answer", [HANG, LOSE])
async def test_a_deed_without_an_answer_is_looked_up_and_done_once(
    room: SendRoom, step: PlannedStep, answer: str
) -> None:
    if step is UNBLOCK:
        room.telegram.blocked.add(MARTA)
    (action,) = await room.plan(await room.chat(), step)
    room.telegram.script.append(answer)
    await room.approve(action)
    await room.pass_time(20)
    assert await room.status(action) == [TaskStatus.UNKNOWN]
    await room.connect()
    await room.worked_off()
    assert await room.status(action) == [D]
    assert len(room.telegram.actions) == 1


async def test_a_deed_that_was_not_done_goes_to_review_when_the_conversation_went_on(room: SendRoom) -> None:
    back = await room.get(await left_unanswered(room, BLOCK, LOSE, "sorry!"))
    assert back.task_status is TaskStatus.AWAITING_DECISION
    assert AskReason.NOT_DELIVERED in back.reasons
    assert room.telegram.actions == []


async def test_a_shutdown_stops_its_agent_even_offline(tmp_path: Path) -> None:
    async with send_room(tmp_path, online=False) as room:
        (shutdown,) = await room.plan(await room.chat(), SHUTDOWN)
        await room.execute(shutdown)
        assert await room.status(shutdown) == [D]
        assert room.stopped == [shutdown.agent_id]


async def test_a_crash_in_a_shutdown_does_not_stop_the_agent_at_every_start(tmp_path: Path) -> None:
    telegram = FakeTelegram()

    def claimed(tx: Transaction) -> None:
        claim(tx, shutdown.approval_id, room.environment)

    async with send_room(tmp_path, telegram=telegram, online=False) as room:
        (shutdown,) = await room.plan(await room.chat(), SHUTDOWN)
        await room.holds.hold(HoldScope.ALL)
        await room.approve(shutdown)
        await room.store.transact(lambda tx: tx.holds.release(HoldScope.ALL, 0))
        await room.store.transact(claimed)
        assert await room.status(shutdown) == [TaskStatus.SENDING]
    for _ in range(2):
        async with send_room(tmp_path, telegram=telegram) as room:
            await room.worked_off()
            assert await room.status(shutdown) == [D], "the program has ended, and its agents with it"
            assert room.stopped == []
