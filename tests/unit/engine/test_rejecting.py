"""Rejecting, postponing and taking back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from chimein_gui.domain.approvals import AskReason, Decision, Postpone, Reject, RejectPlan, Undo, Verdict
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.events import ApprovalResolved
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.plans.planned_steps import PlannedWait
from chimein_gui.domain.tasks import ApprovalState, CancelReason, LedgerState, Origin, TaskStatus
from chimein_gui.engine.ports import GraphStanding
from chimein_gui.engine.sending.confirmation import put_back
from tests.support.decision_room import DecisionRoom, said

S, L, R, V = TaskStatus, LedgerState, AskReason, Verdict


async def test_rejecting_one_of_three_skips_it_and_tells_the_others(room: DecisionRoom) -> None:
    one, two, three = await room.plan("one", "two", "three", triggers=(4,))
    await room.press(three)
    rejected = (await room.press(one, Reject("too early"))).approval
    assert (rejected.task_status, rejected.state) == (S.SKIPPED, ApprovalState.REJECTED)
    assert (rejected.note, rejected.decided_by) == (Note(NoteKind.REJECTED, "too early"), "operator")
    told = await room.now(two)
    assert (told.task_status, R.EARLIER_STEP in told.reasons) == (S.AWAITING_DECISION, True)
    assert (told.note, told.version) == (Note(NoteKind.EARLIER_REJECTED), two.version + 1)
    assert (await room.now(three)).task_status is S.APPROVED  # the operator approved it, knowing both
    assert (await room.chat()).planned_up_to == 0
    sent = await room.sent((await room.press(told)).approval)
    assert sent.task_status is S.DONE
    assert (await room.claim(three)).claim is not None


@pytest.mark.parametrize("decision", [Reject("no"), RejectPlan("no")], ids=["all one by one", "the plan"])
async def test_with_the_whole_plan_rejected_its_trigger_is_answered(room: DecisionRoom, decision: Decision) -> None:
    plan = await room.plan("one", "two", triggers=(3, 4))
    for approval in plan:
        card = await room.now(approval)
        if card.state is ApprovalState.OPEN:
            assert (await room.chat()).planned_up_to == 0
            await room.press(card, decision)
    assert [(await room.now(one)).state for one in plan] == [ApprovalState.REJECTED] * 2
    assert (await room.chat()).planned_up_to == 4
    assert await room.do(lambda tx: tx.decisions.last_rejection(room.chat_id, room.clock.now())) == "no"


async def test_rejecting_the_plan_cancels_whatever_has_not_left(room: DecisionRoom) -> None:
    one, two, three, four = await room.plan("one", "two", PlannedWait(60), "three", "four", triggers=(4,))
    variant = await room.one("variant", standing=GraphStanding.VARIANT, variant_of=one.graph_id)
    mine = await room.beside("mine", origin=Origin.OPERATOR)
    await room.sent((await room.press(one)).approval)
    approved = (await room.press(two)).approval
    shown = await room.now(four)
    outcome = await room.press(shown, RejectPlan("not now"))
    assert outcome.verdict is V.ACCEPTED
    cards = [await room.now(approval) for approval in (one, two, three, four)]
    assert [card.task_status for card in cards] == [S.DONE, S.CANCELLED, S.CANCELLED, S.CANCELLED]
    assert [card.state for card in cards[1:]] == [ApprovalState.REJECTED] * 3
    assert {card.note for card in cards[1:]} == {Note(NoteKind.REJECTED, "not now")}
    assert await room.rows(approved) == ()
    steps = await room.do(lambda tx: tx.tasks.of_graph(one.graph_id))
    assert {step.reason for step in steps[1:]} == {Note(CancelReason.PLAN_REJECTED)}
    assert (await room.now(variant)).task_status is S.CANCELLED
    assert (await room.now(mine)).task_status is S.APPROVED
    resolved = {event.approval.approval_id for event in room.events if isinstance(event, ApprovalResolved)}
    assert {card.approval_id for card in cards[1:]} <= resolved


async def test_a_plan_may_be_rejected_on_a_card_that_is_approved_but_not_on_one_that_left(room: DecisionRoom) -> None:
    one, two = await room.plan("one", "two")
    approved = (await room.press(one)).approval
    await room.claim(approved)
    on_its_way = await room.now(approved)
    assert (await room.press(on_its_way, RejectPlan())).verdict is V.CLOSED
    second = (await room.press(two)).approval
    assert (await room.press(second, RejectPlan())).verdict is V.ACCEPTED
    assert (await room.now(one)).task_status is S.SENDING
    await room.end_request(one, L.SENT)
    assert (await room.now(one)).task_status is S.DONE, "what arrived meanwhile is sent"
    assert (await room.now(two)).task_status is S.CANCELLED


async def test_postponed_it_stays_open_and_comes_back_at_its_time(room: DecisionRoom) -> None:
    shown, until = await room.one(), room.clock.now() + timedelta(hours=1)
    postponed = (await room.press(shown, Postpone(until))).approval
    assert (postponed.postponed_until, postponed.task_status) == (until, S.AWAITING_DECISION)
    assert postponed.version == shown.version
    again = (await room.press(postponed, Postpone(None))).approval
    assert again == shown
    past = await room.press(shown, Postpone(room.clock.now()))
    assert said(past) == (V.INVALID, True)


@pytest.mark.parametrize("by", ["operator", "rule"])
async def test_an_approval_can_be_taken_back_before_it_leaves(room: DecisionRoom, by: str) -> None:
    if by == "rule":
        await room.trust(TrustLevel.COUNTDOWN)
    approval = await room.one() if by == "rule" else await room.approved()
    assert approval.task_status is S.APPROVED
    opened = (await room.press(approval, Undo(), expected_version=99)).approval
    assert (opened.state, opened.task_status) == (ApprovalState.OPEN, S.AWAITING_DECISION)
    assert (opened.reasons, opened.due_at) == ((R.REVIEW,), None)
    assert await room.rows(approval) == ()
    assert (await room.claim(approval)).claim is None
    assert (await room.press(opened)).verdict is V.ACCEPTED


async def test_what_has_left_cannot_be_taken_back(room: DecisionRoom) -> None:
    approval = await room.approved()
    assert (await room.claim(approval)).claim is not None
    assert said(await room.press(approval, Undo())) == (V.CLOSED, True)
    assert (await room.now(approval)).task_status is S.SENDING


async def test_what_telegram_puts_off_comes_back_after_the_plan_was_rejected(room: DecisionRoom) -> None:
    one, two = await room.plan("one", "two", triggers=(4,))
    claimed = (await room.claim((await room.press(one)).approval)).claim
    assert claimed is not None
    await room.press(two, RejectPlan("no"))
    row_id, environment = claimed.row.ledger_id, room.environment
    note = Note(NoteKind.WAITS_FOR_TELEGRAM)
    await room.do(lambda tx: put_back(tx, row_id, None, note, environment, repeated=False))
    assert (await room.claim(one)).claim is None
    card = await room.now(one)
    assert card.task_status is S.AWAITING_DECISION
    assert AskReason.CHANGED in card.reasons
