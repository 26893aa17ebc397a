"""Steps that nobody outside can see: what the window is told of them, and how a wait begins.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.events import StepChanged
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.plans.graphs import PlanStep, TaskGraph
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.tasks.transitions import move_task

if TYPE_CHECKING:
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import GraphId
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import TaskRow, Transaction

NEVER = datetime(9999, 1, 1, tzinfo=UTC)
"""Due time of a plan that waits for the operator, not for time."""

LONGEST_WAIT_S = 24 * 3600.0
"""A longer wait goes to the operator."""


def step_changed(tx: Transaction, task: TaskRow) -> StepChanged:
    """Return the event that shows a plan in the making or a wait as it is now."""
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


def graph_snapshot(tx: Transaction, graph_id: GraphId) -> TaskGraph:
    """Return a plan as it is in this transaction, for events (writer thread)."""
    graph = tx.tasks.graph(graph_id)
    steps = tuple(
        PlanStep(
            task.task_id,
            task.kind,
            task.status,
            task.depends_on,
            _until(task),
            task.reason,
            task.attempts,
            task.wait_s,
        )
        for task in tx.tasks.of_graph(graph_id)
    )
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


def begin_wait(tx: Transaction, task: TaskRow, environment: TransactionEnvironment) -> list[EngineEvent]:
    """Begin a wait that has become ready: its time counts from now; more than 24 h is the operator's to allow.

    Args:
        tx: The transaction that settles the step before it.
        task: A pending step of the kind `wait`.
        environment: The outside.
    """
    wait_s = task.wait_s or 0.0
    if wait_s > LONGEST_WAIT_S:
        reason = Note(NoteKind.LONG_WAIT, number=round(wait_s / 3600))
        moved = move_task(
            tx, replace(task, due_at=None), TaskStatus.WAITING, TaskStatus.AWAITING_OPERATOR, reason=reason
        )
    else:
        due_at = environment.now() + timedelta(seconds=wait_s)
        moved = move_task(tx, replace(task, due_at=due_at), TaskStatus.WAITING)
    return [step_changed(tx, moved)]
