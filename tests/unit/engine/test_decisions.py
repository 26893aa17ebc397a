"""Decisions: compare-and-set, once a press, one by one or many."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from chimein_gui.domain.approvals import (
    Approval,
    Approve,
    ApproveEdited,
    AskReason,
    Decision,
    DecisionRequest,
    Edit,
    Postpone,
    Reject,
    RejectPlan,
    Undo,
    Verdict,
)
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.events import ApprovalResolved, ChatChanged
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.ids import ApprovalId, Revision
from chimein_gui.domain.plans.planned_steps import PlannedStep
from chimein_gui.domain.tasks import LedgerState, Origin, TaskKind, TaskStatus
from chimein_gui.engine.operator.decisions import DecisionService
from chimein_gui.engine.ports import Durability
from chimein_gui.engine.tasks.transitions import move_task
from tests.fakes.clock import START
from tests.support.decision_room import QUICK, DecisionRoom, said

S, L, R, V = TaskStatus, LedgerState, AskReason, Verdict
DECISIONS = [Approve(), ApproveEdited("mine"), Edit("mine"), Reject(), RejectPlan(), Postpone(None)]
named = pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: type(decision).__name__)


@named
async def test_an_outdated_decision_is_refused_with_the_new_card(room: DecisionRoom, decision: Decision) -> None:
    shown = await room.one()
    newer = await room.change(shown, version=shown.version + 1, reasons=(R.CHANGED,))
    outcome = await room.press(shown, decision)
    assert said(outcome) == (V.OUTDATED, True)
    assert outcome.approval == newer == await room.now(shown)


@named
async def test_what_is_decided_is_closed(room: DecisionRoom, decision: Decision) -> None:
    shown = await room.one()
    rejected = (await room.press(shown, Reject())).approval
    outcome = await room.press(rejected, decision)
    assert said(outcome) == (V.CLOSED, True)
    assert outcome.approval == rejected == await room.now(shown)


@pytest.mark.parametrize("decision", [Approve(), ApproveEdited("mine"), Edit("mine"), Reject(), Postpone(None)])
@pytest.mark.parametrize("status", [S.APPROVED, S.SENDING, S.UNKNOWN, S.DONE])
async def test_what_is_on_its_way_is_closed(room: DecisionRoom, decision: Decision, status: TaskStatus) -> None:
    approval = await room.approved()
    if status is not S.APPROVED:
        await room.claim(approval)
    if status in {S.UNKNOWN, S.DONE}:
        await room.end_request(approval, L.UNKNOWN if status is S.UNKNOWN else L.SENT)
    before = await room.now(approval)
    assert before.task_status is status
    assert said(await room.press(before, decision)) == (V.CLOSED, True)
    assert await room.now(approval) == before


async def test_of_two_presses_at_once_one_decides(room: DecisionRoom) -> None:
    shown = await room.one()
    outcomes = await asyncio.gather(room.press(shown), room.press(shown, Reject()), room.press(shown))
    assert [outcome.verdict for outcome in outcomes] == [V.ACCEPTED, V.CLOSED, V.CLOSED]
    assert (await room.now(shown)).task_status is S.APPROVED
    assert len(await room.rows(shown)) == 1


@pytest.mark.parametrize(
    ("decision", "verdict"),
    [
        (Approve(), V.ACCEPTED),
        (ApproveEdited("  "), V.INVALID),
        (Postpone(START), V.INVALID),
        (Reject("no"), V.ACCEPTED),
        (Edit("mine"), V.ACCEPTED),
        (ApproveEdited("mine"), V.ACCEPTED),
    ],
    ids=["approve", "blank", "postpone to the past", "reject", "edit", "approve edited"],
)
async def test_repeating_a_press_repeats_its_answer_and_changes_nothing(
    room: DecisionRoom, decision: Decision, verdict: Verdict
) -> None:
    shown = await room.one()
    first = await room.press(shown, decision, client_id="once")
    rows, card = await room.rows(shown), await room.now(shown)
    events = len(room.events)
    again = await room.press(shown, decision, client_id="once")
    assert (again.verdict, again.explanation) == (first.verdict, first.explanation)
    assert again.verdict is verdict
    assert (again.approval, await room.now(shown), await room.rows(shown)) == (card, card, rows)
    assert len(room.events) == events


async def test_a_repeated_refusal_does_not_decide_later(room: DecisionRoom) -> None:
    shown = await room.one()
    await room.change(shown, version=2)
    assert (await room.press(shown, client_id="once")).verdict is V.OUTDATED
    again = await room.press(shown, expected_version=2, client_id="once")
    assert said(again) == (V.OUTDATED, True)
    assert (await room.now(shown)).task_status is S.AWAITING_DECISION


async def test_every_decision_is_logged(room: DecisionRoom) -> None:
    shown = await room.one()
    await room.press(shown, ApproveEdited("mine"), client_id="a press")
    record = await room.do(lambda tx: tx.decisions.of_client("a press"))
    assert record is not None
    assert (record.decision, record.text, record.by) == ("ApproveEdited", "mine", "operator")
    assert (record.version, record.verdict, record.at) == (1, V.ACCEPTED, room.clock.now())


@pytest.mark.parametrize(
    ("decision", "durability"),
    [(Approve(), Durability.FULL), (Reject(), Durability.FULL), (Edit("half a thou"), Durability.NORMAL)],
    ids=["approve", "reject", "typing"],
)
async def test_a_decision_survives_a_power_cut(room: DecisionRoom, decision: Decision, durability: Durability) -> None:
    shown = await room.one()
    pressed: list[Durability] = []
    real = room.store.transact

    async def transact(work: Any, *, durability: Durability = Durability.NORMAL) -> Any:
        pressed.append(durability)
        return await real(work, durability=durability)

    room.store.transact = transact  # type: ignore[method-assign]
    await room.press(shown, decision)
    assert pressed == [durability]


async def test_the_window_hears_after_the_commit_and_the_chat_is_woken(room: DecisionRoom) -> None:
    shown = await room.one()
    reached: list[tuple[Failpoint, int]] = []
    deciding = DecisionService(room.unit, room.environment, lambda point: reached.append((point, len(room.events))))
    outcome = await deciding.decide(
        shown.approval_id,
        expected_version=shown.version,
        decision=Approve(),
        seen_up_to=shown.seen_up_to,
        client_id="x",
    )
    assert reached == [(Failpoint.DECISION_COMMITTED, 0)]
    assert [type(event) for event in room.events] == [ApprovalResolved, ChatChanged]
    assert room.events[0].approval == outcome.approval == await room.now(shown)  # type: ignore[union-attr]
    assert room.woken == [room.chat_id]


def request(approval: Approval, decision: Decision, name: str, seen_up_to: int | None = None) -> DecisionRequest:
    seen = approval.seen_up_to if seen_up_to is None else Revision(seen_up_to)
    return DecisionRequest(approval.approval_id, approval.version, decision, seen, name)


async def test_many_cards_are_decided_in_one_go_each_with_its_own_verdict(room: DecisionRoom) -> None:
    fine, outdated, edited, rejected = [
        await room.beside(text, origin=Origin.COMMAND) for text in ("one", "two", "three", "four")
    ]
    await room.change(outdated, version=7)
    requests = [
        request(fine, Approve(), "a"),
        request(outdated, Approve(), "b"),
        request(edited, ApproveEdited("mine"), "c"),
        request(rejected, Reject(), "d"),
    ]
    before = await room.do(lambda tx: tx.revision)
    outcomes = await room.deciding.decide_many(requests)
    assert await room.do(lambda tx: tx.revision) == before + 2  # one transaction between these two
    assert [outcome.verdict for outcome in outcomes] == [V.ACCEPTED, V.OUTDATED, V.ACCEPTED, V.ACCEPTED]
    states = [(await room.now(one)).task_status for one in (fine, outdated, edited, rejected)]
    assert states == [S.APPROVED, S.AWAITING_DECISION, S.APPROVED, S.SKIPPED]
    again = await room.deciding.decide_many(requests)
    assert [outcome.verdict for outcome in again] == [outcome.verdict for outcome in outcomes]


async def test_what_always_asks_is_never_approved_among_many(room: DecisionRoom) -> None:
    unknown = await room.perhaps_not_delivered(await room.approved("unknown"))
    (block,) = await room.plan(PlannedStep(TaskKind.BLOCK))
    outcomes = await room.deciding.decide_many(
        [request(block, Approve(), "a"), request(unknown, Approve(), "b"), request(unknown, Reject(), "c")]
    )
    assert [said(one) for one in outcomes[:2]] == [(V.CLOSED, True)] * 2
    assert outcomes[2].verdict is V.ACCEPTED  # saying no is never a risk
    assert (await room.now(block)).task_status is S.AWAITING_DECISION
    assert (await room.press(block)).verdict is V.ACCEPTED


async def test_what_is_stale_is_never_approved_among_many_acknowledged_or_not(room: DecisionRoom) -> None:
    shown = await room.conversation_changes(await room.one())
    for name, seen in (("a", shown.seen_up_to), ("b", shown.changed_at)):
        (outcome,) = await room.deciding.decide_many([request(shown, Approve(), name, seen)])
        assert said(outcome) == (V.CHANGED, True)
    assert (await room.press(shown, seen_up_to=shown.changed_at)).verdict is V.ACCEPTED


async def test_many_approvals_are_taken_back_each_as_far_as_it_has_not_left(room: DecisionRoom) -> None:
    first, second = [await room.beside(text, origin=Origin.COMMAND) for text in ("one", "two")]
    await room.deciding.decide_many([request(one, Approve(), one.text) for one in (first, second)])
    sent = await room.now(first)
    await room.do(lambda tx: move_task(tx, tx.tasks.get(sent.task_id), S.SENDING))
    outcomes = await room.deciding.decide_many([request(one, Undo(), f"undo {one.text}") for one in (first, second)])
    assert [one.verdict for one in outcomes] == [V.CLOSED, V.ACCEPTED]
    assert [(await room.now(one)).task_status for one in (first, second)] == [S.SENDING, S.AWAITING_DECISION]


async def test_many_or_none(room: DecisionRoom) -> None:
    shown = await room.one()
    requests = [request(shown, Approve(), "a"), request(replace(shown, approval_id=ApprovalId(99)), Approve(), "b")]
    with pytest.raises(NotFoundError):
        await room.deciding.decide_many(requests)
    assert await room.now(shown) == shown
    assert room.levers.preferences is QUICK
