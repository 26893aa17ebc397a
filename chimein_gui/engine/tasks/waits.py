"""Waits: pauses between the steps of a plan, counted from when they become ready.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.tasks.completion import StepOutcome, complete_step
from chimein_gui.engine.tasks.steps import LONGEST_WAIT_S, begin_wait, step_changed
from chimein_gui.engine.tasks.transitions import move_task

if TYPE_CHECKING:
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import TaskId
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Transaction

__all__ = ["LONGEST_WAIT_S", "begin_wait", "end_wait", "let_wait_begin", "skip_wait"]

_ENDLESS_S = 3650 * 24 * 3600.0
"""As good as for ever: a model may write any number, and a date has its limits."""

_SKIPPABLE = frozenset({TaskStatus.PENDING, TaskStatus.WAITING, TaskStatus.AWAITING_OPERATOR})


def end_wait(tx: Transaction, task_id: TaskId, environment: TransactionEnvironment) -> list[EngineEvent]:
    """End a wait whose time is over and let what stands behind it go; anything else changes nothing."""
    task = tx.tasks.get(task_id)
    if task.kind is not TaskKind.WAIT or task.status is not TaskStatus.WAITING:
        return []
    if task.due_at is not None and task.due_at > environment.now():
        return []
    moved = move_task(tx, task, TaskStatus.DONE)
    return [step_changed(tx, moved), *complete_step(tx, task_id, environment, how=StepOutcome.DONE)]


def let_wait_begin(tx: Transaction, task_id: TaskId, environment: TransactionEnvironment) -> list[EngineEvent]:
    """The operator allows a wait of more than 24 h: it counts from now."""
    task = tx.tasks.get(task_id)
    if task.kind is not TaskKind.WAIT or task.status is not TaskStatus.AWAITING_OPERATOR:
        return []
    due_at = environment.now() + timedelta(seconds=min(task.wait_s or 0.0, _ENDLESS_S))
    return [step_changed(tx, move_task(tx, replace(task, due_at=due_at), TaskStatus.WAITING))]


def skip_wait(tx: Transaction, task_id: TaskId, environment: TransactionEnvironment) -> list[EngineEvent]:
    """The operator skips a wait: what stands behind it goes on without it; automatic sends ask."""
    task = tx.tasks.get(task_id)
    if task.kind is not TaskKind.WAIT or task.status not in _SKIPPABLE:
        return []
    moved = move_task(tx, replace(task, due_at=None), TaskStatus.SKIPPED, reason=Note(NoteKind.SKIPPED_BY_OPERATOR))
    return [step_changed(tx, moved), *complete_step(tx, task_id, environment, how=StepOutcome.SKIPPED)]
