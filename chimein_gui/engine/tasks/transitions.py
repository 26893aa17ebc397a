"""State changes, each checked against the tables of `domain.transitions` inside the transaction that makes it.

Also the events for steps that nobody outside can see, the begin of a wait, and what became of a plan, which its trace
stores in the same transaction: so the list of traces never says anything else than the chat.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from chimein_gui.domain.approvals import Approval, AskReason, with_reason
from chimein_gui.domain.events import ChatChanged, EngineEvent, StepChanged, TaskStatusChanged
from chimein_gui.domain.notes import Note, NoteKind, is_of
from chimein_gui.domain.plans.graphs import PlanStep, TaskGraph
from chimein_gui.domain.tasks import (
    PLANNED_KINDS,
    ApprovalState,
    CancelReason,
    LedgerState,
    TaskKind,
    TaskStatus,
)
from chimein_gui.domain.traces.summaries import TraceState
from chimein_gui.domain.transitions import check_approval, check_ledger, check_task
from chimein_gui.engine.ports import LedgerRow, TaskRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Unpack

    from chimein_gui.domain.ids import GraphId, MessageId, TaskId
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Transaction

SETTLED = frozenset({TaskStatus.DONE, TaskStatus.SKIPPED})
"""States of a step after which the next step may start."""

LEFT = frozenset({LedgerState.SENT, LedgerState.UNKNOWN})
"""States of a request that was sent, or may have been."""


_STRONGEST_FIRST = (
    (TaskStatus.UNKNOWN, TraceState.UNKNOWN),
    (TaskStatus.SENDING, TraceState.SENDING),
    (TaskStatus.FAILED, TraceState.FAILED),
    (TaskStatus.AWAITING_DECISION, TraceState.WAITING),
    (TaskStatus.APPROVED, TraceState.APPROVED),
    (TaskStatus.PARKED, TraceState.PARKED),
    (TaskStatus.DONE, TraceState.SENT),
    (TaskStatus.OBSERVED, TraceState.OBSERVED),
    (TaskStatus.SKIPPED, TraceState.REJECTED),
)
"""The state of a plan by those of its planned messages; the first that one of them has counts."""

_NO_RANK = len(_STRONGEST_FIRST)
_RANKS = dict.fromkeys(TaskStatus, _NO_RANK) | {status: rank for rank, (status, _) in enumerate(_STRONGEST_FIRST)}
"""By state of a planned message: its place above."""

_REPLACED = (CancelReason.SUPERSEDED, CancelReason.SUPERSEDED_AFTER_APPROVAL, CancelReason.VARIANT)
_NOT_TRIED_AGAIN = frozenset({TaskStatus.CANCELLED, TaskStatus.SKIPPED})


_Row = TypeVar("_Row", TaskRow, LedgerRow)


class TaskChanges(TypedDict, total=False):
    """What else `move_task` changes of a step; the fields are those of `TaskRow`."""

    graph_id: GraphId | None
    trigger_ids: tuple[MessageId, ...]
    attempts: int
    due_at: datetime | None
    window_began_at: datetime | None


class RequestChanges(TypedDict, total=False):
    """What else `move_ledger` changes of a request; the fields are those of `LedgerRow`."""

    by_rule: bool
    claimed_at: datetime | None
    message_id: MessageId | None


_PLACES: dict[Any, dict[str, int]] = {
    kind: {one.name: place for place, one in enumerate(fields(kind))} for kind in (TaskRow, LedgerRow)
}
_VALUES: dict[Any, Callable[[Any], tuple[Any, ...]]] = {kind: attrgetter(*places) for kind, places in _PLACES.items()}


def _with(row: _Row, **changes: object) -> _Row:
    """Do as `replace` does, which asks for each field by itself; six rows a cycle change here."""
    kind: Any = type(row)
    values, places = [*_VALUES[kind](row)], _PLACES[kind]
    for name, value in changes.items():
        values[places[name]] = value
    changed: _Row = kind(*values)
    return changed


def move_task(
    tx: Transaction, task: TaskRow, *statuses: TaskStatus, reason: Note | None = None, **changes: Unpack[TaskChanges]
) -> TaskRow:
    """Move a step through one or more states, each checked, and store the last with its other changes.

    Raises:
        IllegalTransitionError: The tables do not have one of these changes.
    """
    reached = task.status
    for status in statuses:
        check_task(task.kind, reached, status)
        reached = status
    moved = _with(task, status=reached, reason=reason, **changes)
    tx.tasks.save(moved)
    follow_outcome(tx, moved)
    return moved


def outcome_of(steps: Iterable[TaskRow]) -> TraceState:
    """Return what became of a plan that was made."""
    return _outcome([step for step in steps if step.kind in PLANNED_KINDS])


def _outcome(planned: list[TaskRow]) -> TraceState:
    strongest = min([_RANKS[step.status] for step in planned], default=_NO_RANK)
    if strongest < _NO_RANK:
        return _STRONGEST_FIRST[strongest][1]
    if not planned:
        return TraceState.NO_ANSWER
    if any(is_of(step.reason, CancelReason.PLAN_REJECTED) for step in planned):
        return TraceState.REJECTED
    return TraceState.REPLACED if any(is_of(one.reason, *_REPLACED) for one in planned) else TraceState.CANCELLED


def _is_rejected(planned: list[TaskRow]) -> bool:
    """Return whether the operator rejected one of these steps."""
    for step in planned:
        if step.status is TaskStatus.SKIPPED or (step.reason and is_of(step.reason, CancelReason.PLAN_REJECTED)):
            return True
    return False


def follow_outcome(tx: Transaction, step: TaskRow) -> None:
    """Bring the trace of a step's plan up to date after the step was moved."""
    if step.kind in PLANNED_KINDS:
        if step.graph_id is not None:
            planned = [one for one in tx.tasks.of_graph(step.graph_id) if one.kind in PLANNED_KINDS]
            tx.traces.follow(step.graph_id, _outcome(planned), rejected=_is_rejected(planned))
    elif step.kind is TaskKind.RECEIVED and step.status in _NOT_TRIED_AGAIN:
        tx.traces.end_attempts(step.task_id, TraceState.UNNEEDED)


def move_approval(tx: Transaction, approval: Approval, *states: ApprovalState) -> Approval:
    """Move an approval through one or more states, each checked, and store it with its other changes.

    Raises:
        IllegalTransitionError: The tables do not have one of these changes.
    """
    reached = approval.state
    for state in states:
        check_approval(reached, state)
        reached = state
    moved = replace(approval, state=reached)
    tx.approvals.save(moved)
    if reached is ApprovalState.APPROVED and moved.is_edited:
        tx.traces.mark_edited(moved.graph_id)
    return moved


def move_ledger(tx: Transaction, row: LedgerRow, state: LedgerState, **changes: Unpack[RequestChanges]) -> LedgerRow:
    """Change a ledger row's state and store it with its other changes.

    Raises:
        IllegalTransitionError: The tables do not have this change.
    """
    check_ledger(row.state, state)
    moved = _with(row, state=state, **changes)
    tx.ledger.save(moved)
    return moved


def back_to_review(tx: Transaction, approval: Approval, reason: AskReason | None, note: Note | None) -> Approval:
    """Return an approved or running send to review; the card gets a new version.

    Unsent requests end here: the next decision prepares new ones. If a part was sent, or may have been, all rows stay,
    so that the card shows which parts are sent, unknown and open.

    Args:
        tx: The transaction.
        approval: The send, with its other changes.
        reason: The new reason for review; None if the existing reasons are enough.
        note: What happened, or None.

    Raises:
        IllegalTransitionError: Its state does not allow this.
    """
    move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.AWAITING_DECISION, reason=note)
    reasons = with_reason(approval.reasons, reason) if reason is not None else approval.reasons
    if any(row.state is LedgerState.SENT for row in tx.ledger.of_approval(approval.approval_id)):
        reasons = with_reason(reasons, AskReason.PARTLY_SENT)
    reopened = replace(
        approval,
        version=approval.version + 1,
        reasons=reasons or (AskReason.REVIEW,),
        due_at=None,
        decided_at=None,
        decided_by="",
        note=note,
    )
    move_approval(tx, reopened, ApprovalState.OPEN)
    if not has_left(tx, approval):
        void_prepared(tx, approval)
    return tx.approvals.get(approval.approval_id)


def cancel_planned(tx: Transaction, task: TaskRow, reason: CancelReason) -> Approval:
    """Cancel an unsent planned send; its approval is superseded."""
    approval = tx.approvals.of_task(task.task_id)
    note = Note(reason)
    move_task(tx, task, TaskStatus.CANCELLED, reason=note)
    move_approval(tx, replace(approval, note=note, due_at=None), ApprovalState.SUPERSEDED)
    void_prepared(tx, approval)
    return tx.approvals.get(approval.approval_id)


def has_left(tx: Transaction, approval: Approval) -> bool:
    """Return whether a request of this send was sent, or may have been."""
    return any(row.state in LEFT for row in tx.ledger.of_approval(approval.approval_id))


def void_prepared(tx: Transaction, approval: Approval) -> None:
    """End the unsent requests; one with an unknown outcome stays, to be matched later."""
    for row in tx.ledger.of_approval(approval.approval_id):
        if row.state is LedgerState.PREPARED:
            move_ledger(tx, row, LedgerState.VOID)


def settled(tx: Transaction, depends_on: tuple[TaskId, ...]) -> bool:
    """Return whether all steps that another one depends on are done or skipped."""
    return SETTLED.issuperset([tx.tasks.get(earlier).status for earlier in depends_on])


def changed(tx: Transaction, approval: Approval) -> list[EngineEvent]:
    """Return the events for a changed planned send and its chat."""
    return [TaskStatusChanged(approval, tx.revision), ChatChanged(tx.chats.get(approval.chat_id), tx.revision)]


NEVER = datetime(9999, 1, 1, tzinfo=UTC)
"""Due time of a plan that waits for the operator."""

LONGEST_WAIT_S = 24 * 3600.0
"""A longer wait, in seconds, needs the operator."""


def step_changed(tx: Transaction, task: TaskRow) -> StepChanged:
    """Return the event with the current state of a plan being made, or of a wait."""
    return StepChanged(
        task.chat_id,
        task.task_id,
        task.kind,
        task.status,
        _until(task),
        task.reason,
        task.attempts,
        tx.revision,
        task.wait_s,
    )


def plan_step(task: TaskRow) -> PlanStep:
    """Return a step as plans show it."""
    return PlanStep(
        task.task_id,
        task.kind,
        task.status,
        task.depends_on,
        _until(task),
        task.reason,
        task.attempts,
        task.wait_s,
    )


def graph_snapshot(tx: Transaction, graph_id: GraphId) -> TaskGraph:
    """Return a plan as it is in this transaction, for events (writer thread)."""
    graph = tx.graphs.get(graph_id)
    steps = tuple(map(plan_step, tx.tasks.of_graph(graph_id)))
    return TaskGraph(
        graph_id,
        graph.chat_id,
        graph.created_at,
        graph.trigger_ids,
        graph.problems,
        steps,
        graph.variant_of,
        graph.instruction,
    )


def _until(task: TaskRow) -> datetime | None:
    return task.due_at if task.status is TaskStatus.WAITING and task.due_at != NEVER else None


def ask_about_wait(tx: Transaction, task: TaskRow) -> TaskRow:
    """Let a wait of more than 24 h, which counts already, wait for the operator's permission."""
    reason = Note(NoteKind.LONG_WAIT, number=round((task.wait_s or 0.0) / 3600))
    return move_task(tx, task, TaskStatus.AWAITING_OPERATOR, reason=reason, due_at=None)


def begin_wait(tx: Transaction, task: TaskRow, environment: TransactionEnvironment) -> list[EngineEvent]:
    """Begin a wait that has become ready: it counts from now; more than 24 h needs the operator.

    Args:
        tx: The transaction that completes the step before it.
        task: A pending step of the kind `wait`.
        environment: State outside of the database.
    """
    wait_s = task.wait_s or 0.0
    if wait_s > LONGEST_WAIT_S:
        moved = ask_about_wait(tx, move_task(tx, task, TaskStatus.WAITING))
    else:
        due_at = environment.now() + timedelta(seconds=wait_s)
        moved = move_task(tx, task, TaskStatus.WAITING, due_at=due_at)
    return [step_changed(tx, moved)]
