"""What became of a plan, for its trace: derived from its steps, and stored in the transaction that moves one of them.

So the list of traces never says anything else than the chat.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.notes import is_of
from chimein_gui.domain.tasks import PLANNED_KINDS, CancelReason, TaskKind, TaskStatus
from chimein_gui.domain.traces.summaries import TraceState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.engine.ports import TaskRow, Transaction

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

_REPLACED = (CancelReason.SUPERSEDED, CancelReason.SUPERSEDED_AFTER_APPROVAL, CancelReason.VARIANT)
_NOT_TRIED_AGAIN = frozenset({TaskStatus.CANCELLED, TaskStatus.SKIPPED})


def outcome_of(steps: Iterable[TaskRow]) -> TraceState:
    """Return what became of a plan that was made."""
    planned = [step for step in steps if step.kind in PLANNED_KINDS]
    statuses = {step.status for step in planned}
    for status, state in _STRONGEST_FIRST:
        if status in statuses:
            return state
    if not planned:
        return TraceState.NO_ANSWER
    if any(is_of(step.reason, CancelReason.PLAN_REJECTED) for step in planned):
        return TraceState.REJECTED
    return TraceState.REPLACED if any(is_of(one.reason, *_REPLACED) for one in planned) else TraceState.CANCELLED


def is_rejected(steps: Iterable[TaskRow]) -> bool:
    """Return whether the operator rejected a step of a plan."""
    return any(
        step.status is TaskStatus.SKIPPED or is_of(step.reason, CancelReason.PLAN_REJECTED)
        for step in steps
        if step.kind in PLANNED_KINDS
    )


def follow_outcome(tx: Transaction, step: TaskRow) -> None:
    """Bring the trace of a step's plan up to date after the step was moved."""
    if step.kind in PLANNED_KINDS:
        if step.graph_id is not None:
            steps = tx.tasks.of_graph(step.graph_id)
            tx.traces.follow(step.graph_id, outcome_of(steps), rejected=is_rejected(steps))
    elif step.kind is TaskKind.RECEIVED and step.status in _NOT_TRIED_AGAIN:
        tx.traces.end_attempts(step.task_id, TraceState.UNNEEDED)
