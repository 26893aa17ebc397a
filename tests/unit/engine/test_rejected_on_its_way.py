"""A plan is rejected while a part of it is on its way: nothing of it leaves by itself any more."""

from __future__ import annotations

from chimein_gui.domain.approvals import AskReason, RejectPlan, Verdict
from chimein_gui.domain.events import TaskStatusChanged
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import LedgerState, TaskStatus
from chimein_gui.engine.sends import put_back
from tests.fakes.telegram import LOSE
from tests.support.decision_room import DecisionRoom
from tests.support.send_room import SendRoom

S = TaskStatus


async def test_what_is_unknown_is_not_sent_again_by_itself_after_the_plan_was_rejected(room: SendRoom) -> None:
    chat_id = await room.chat()
    one, two = await room.plan(chat_id, "one", "two")
    room.telegram.script.append(LOSE)
    await room.carry_out(one)
    await room.lose_connection()
    await room.worked_off()
    assert await room.status(one) == [S.UNKNOWN]
    assert (await room.decide(two, RejectPlan("no"))).verdict is Verdict.ACCEPTED
    told = [event.approval for event in room.of(TaskStatusChanged) if event.approval.approval_id == one.approval_id]
    assert AskReason.CHANGED in told[-1].reasons
    await room.back_online()
    await room.pass_time(60)
    assert room.texts() == []
    card = await room.get(one)
    assert card.task_status is S.AWAITING_DECISION
    assert AskReason.NOT_DELIVERED in card.reasons


async def test_what_telegram_puts_off_comes_back_after_the_plan_was_rejected(room: DecisionRoom) -> None:
    one, two = await room.plan("one", "two", triggers=(4,))
    claimed = (await room.claim((await room.press(one)).approval)).claim
    assert claimed is not None
    await room.press(two, RejectPlan("no"))
    row_id, conditions = claimed.row.ledger_id, room.conditions
    note = Note(NoteKind.WAITS_FOR_TELEGRAM)
    await room.do(lambda tx: put_back(tx, row_id, None, note, conditions, repeated=False))
    assert (await room.claim(one)).claim is None
    card = await room.now(one)
    assert card.task_status is S.AWAITING_DECISION
    assert AskReason.CHANGED in card.reasons


async def test_what_arrived_while_its_plan_was_rejected_is_sent(room: DecisionRoom) -> None:
    one, two = await room.plan("one", "two", triggers=(4,))
    assert (await room.claim((await room.press(one)).approval)).claim is not None
    await room.press(two, RejectPlan("no"))
    await room.end_request(one, LedgerState.SENT)
    assert (await room.now(one)).task_status is S.DONE
    assert (await room.now(two)).task_status is S.CANCELLED
