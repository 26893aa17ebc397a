"""A step is over: followers, marks, and what counts as answered."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import Approval, Approve, AskReason, Reject
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.plans.planned_steps import PlannedStep
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import ApprovalState, CancelReason, LedgerState, TaskKind, TaskStatus
from chimein_gui.engine.sending.confirmation import refused
from chimein_gui.engine.tasks.completion import mark_later_steps
from tests.support.decision_room import DecisionRoom, decision_room

S = TaskStatus
SLOW = Preferences(undo_s=5, typing_base_s=2, typing_s_per_60=1, sticker_typing_s=4, countdown_s=30)


async def three(room: DecisionRoom) -> list[Approval]:
    return await room.plan("one", "two", "three", triggers=(5, 6))


async def answered_up_to(room: DecisionRoom) -> int:
    return (await room.chat()).planned_up_to


async def test_rejecting_the_middle_keeps_the_order_of_what_is_left(room: DecisionRoom) -> None:
    one, two, last = await three(room)
    await room.press(last)
    await room.press(two, Reject())
    assert (await room.now(last)).task_status is S.APPROVED
    assert (await room.claim(last)).claim is None
    await room.press(one)
    await room.sent(one)
    assert (await room.sent(last)).task_status is S.DONE


@pytest.mark.parametrize("trust", [TrustLevel.AUTO, TrustLevel.COUNTDOWN])
async def test_an_earlier_step_that_is_rejected_or_edited_sends_automatic_ones_to_review(
    room: DecisionRoom, trust: TrustLevel
) -> None:
    await room.trust(trust)
    action = PlannedStep(TaskKind.BLOCK)
    first, second = await room.plan(action, "two")
    assert second.task_status is S.APPROVED
    assert first.task_status is S.AWAITING_DECISION
    await room.press(first, Reject())
    second = await room.now(second)
    assert (second.task_status, second.state) == (S.AWAITING_DECISION, ApprovalState.OPEN)
    assert AskReason.EARLIER_STEP in second.reasons
    first, second = await room.plan(action, "two")
    await room.do(lambda tx: mark_later_steps(tx, first.task_id))
    second = await room.now(second)
    assert (second.task_status, second.note) == (S.AWAITING_DECISION, Note(NoteKind.EARLIER_EDITED))


async def test_the_time_of_a_follower_counts_from_when_the_step_before_it_is_over(tmp_path: Path) -> None:
    async with decision_room(tmp_path, preferences=SLOW) as room:
        one, two, _ = await three(room)
        await room.press(two)
        await room.press(one)
        assert (await room.now(two)).due_at is None
        room.clock.advance(100)
        await room.sent(one)
        typing = timedelta(seconds=2 + 3 / 60)
        assert (await room.now(two)).due_at == room.clock.now() + typing


async def test_the_undo_time_of_a_follower_still_counts(tmp_path: Path) -> None:
    async with decision_room(tmp_path, preferences=SLOW) as room:
        one, two, _ = await three(room)
        await room.press(one)
        room.clock.advance(7)
        await room.press(two)
        decided_at = room.clock.now()
        await room.sent(one)
        assert (await room.now(two)).due_at == decided_at + timedelta(seconds=5)


async def test_the_followers_of_a_failed_step_are_cancelled_approved_ones_too(room: DecisionRoom) -> None:
    one, two, last = await three(room)
    await room.press(last)
    await room.press(one)
    claimed = await room.claim(one)
    assert claimed.claim is not None
    row_id = claimed.claim.row.ledger_id
    await room.do(lambda tx: refused(tx, row_id, "You are blocked.", room.environment, repeated=False))
    assert (await room.now(one)).task_status is S.FAILED
    for later in (two, last):
        now = await room.now(later)
        assert (now.task_status, now.state) == (S.CANCELLED, ApprovalState.SUPERSEDED)
        assert now.note == Note(CancelReason.PREDECESSOR_FAILED)
    assert await room.rows(last) == ()
    assert await answered_up_to(room) == 0


async def test_a_trigger_is_answered_by_the_first_message_that_is_sent(room: DecisionRoom) -> None:
    one, two, _ = await three(room)
    await room.press(one)
    await room.sent(one)
    assert await answered_up_to(room) == 6
    assert (await room.now(two)).task_status is S.AWAITING_DECISION


async def test_a_deed_answers_with_the_end_of_its_plan(room: DecisionRoom) -> None:
    (block,) = await room.plan(PlannedStep(TaskKind.BLOCK), triggers=(5,))
    await room.press(block)
    await room.sent(block)
    assert await answered_up_to(room) == 5


async def test_what_stands_beside_the_plan_is_not_behind_it(room: DecisionRoom) -> None:
    one, *_ = await three(room)
    beside = await room.beside("from me")
    await room.press(one, Reject())
    assert (await room.now(beside)) == beside


async def test_the_card_covers_what_its_prompt_held_not_what_came_later(room: DecisionRoom) -> None:
    one, *_ = await three(room)
    await room.written(9, out=False)
    await room.press(one, Approve())
    await room.claim(one)
    await room.end_request(one, LedgerState.SENT)
    assert await answered_up_to(room) == MessageId(6)
