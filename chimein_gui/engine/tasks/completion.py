"""Effects of a finished step on later steps and on the plan's triggers; and waits, which are steps, too.

A wait is a pause between the steps of a plan, counted from when it becomes ready.

See docs/behaviour.md, "When a trigger is answered".

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason, with_reason
from chimein_gui.domain.events import ApprovalResolved, ChatChanged, EngineEvent, TaskStatusChanged
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.notes import Note, NoteKind, is_of
from chimein_gui.domain.tasks import FINAL, PLANNED_KINDS, UNSENT, CancelReason, TaskKind, TaskStatus
from chimein_gui.engine.policy.timing import due_time
from chimein_gui.engine.ports import GraphStanding
from chimein_gui.engine.tasks.saved_edits import save_edits
from chimein_gui.engine.tasks.transitions import (
    back_to_review,
    begin_wait,
    cancel_planned,
    move_task,
    settled,
    step_changed,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chimein_gui.domain.ids import TaskId
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import TaskRow, Transaction

REJECTED_NOTE = Note(NoteKind.EARLIER_REJECTED)
EDITED_NOTE = Note(NoteKind.EARLIER_EDITED)
SKIPPED_NOTE = Note(NoteKind.EARLIER_SKIPPED)

_ANSWERING = frozenset({TaskStatus.DONE, TaskStatus.SKIPPED})
_OPEN_WAITS = frozenset({TaskStatus.PENDING, TaskStatus.READY, TaskStatus.WAITING, TaskStatus.AWAITING_OPERATOR})


class StepOutcome(StrEnum):
    """How a step ended."""

    DONE = "done"
    SKIPPED = "skipped"
    """The operator rejected a send, or skipped a wait."""
    FAILED = "failed"


def complete_step(
    tx: Transaction, task_id: TaskId, environment: TransactionEnvironment, *, how: StepOutcome, note: Note | None = None
) -> list[EngineEvent]:
    """Continue or end the steps behind a finished one, which already has its final state.

    Done: the next steps get their due time, or their wait begins; the trigger was answered with the first part.
    Skipped: the same, and every later step gets the reason EARLIER_STEP; automatic ones return to review. Failed: later
    steps are cancelled, and the operator's edits of them are saved. After the last step of the plan, its triggers count
    as answered if anything was sent or rejected.

    Args:
        tx: The transaction that ends the step.
        task_id: The step.
        environment: State outside of the database.
        how: How it ended.
        note: Note for later steps of a skipped one; by default that it was rejected (a wait: skipped).

    Returns:
        Events to publish, without the step's own change.
    """
    task = tx.tasks.get(task_id)
    steps = _begun_steps(tx, task)
    later = tuple(_behind(task_id, steps))
    events: list[EngineEvent] = []
    if how is StepOutcome.FAILED:
        unsent = [step for step in later if step.kind in PLANNED_KINDS and step.status in UNSENT]
        drafts = [tx.approvals.of_task(step.task_id) for step in unsent]
        events += cancel_steps(tx, later, CancelReason.PREDECESSOR_FAILED)
        events += save_edits(tx, drafts, (), environment.now())
    else:
        if how is StepOutcome.SKIPPED:
            reason = note or (SKIPPED_NOTE if task.kind is TaskKind.WAIT else REJECTED_NOTE)
            events += mark_steps(tx, later, reason)
        events += _release(tx, task, steps, environment)
    close_plan(tx, task)
    if events:
        events.append(ChatChanged(tx.chats.get(task.chat_id), tx.revision))
    return events


def mark_later_steps(tx: Transaction, task_id: TaskId, note: Note = EDITED_NOTE) -> list[EngineEvent]:
    """Mark the steps behind an edited one: open ones get the note on their card, automatic ones return to review."""
    steps = _begun_steps(tx, tx.tasks.get(task_id))
    return mark_steps(tx, tuple(_behind(task_id, steps)), note)


def cancel_steps(tx: Transaction, steps: Iterable[TaskRow], reason: CancelReason) -> list[EngineEvent]:
    """Cancel the unsent ones of these steps, waits included; the others are unchanged."""
    events: list[EngineEvent] = []
    for step in steps:
        if step.kind in PLANNED_KINDS:
            if step.status in UNSENT:
                events.append(ApprovalResolved(cancel_planned(tx, step, reason), tx.revision))
        elif step.status in _OPEN_WAITS:
            cancelled = move_task(tx, step, TaskStatus.CANCELLED, reason=Note(reason), due_at=None)
            events.append(step_changed(tx, cancelled))
    return events


def _begun_steps(tx: Transaction, task: TaskRow) -> dict[TaskId, TaskRow]:
    """Return the open steps of the chat, without those of variants that are not chosen."""
    steps = tx.tasks.current_of_chat(task.chat_id)
    if task.graph_id is not None and any(step.graph_id not in {None, task.graph_id} for step in steps):
        variants = {
            graph.graph_id for graph in tx.graphs.variants_of(task.graph_id) if graph.standing is GraphStanding.VARIANT
        }
        steps = tuple(step for step in steps if step.graph_id not in variants)
    return {step.task_id: step for step in steps}


def _behind(task_id: TaskId, steps: Mapping[TaskId, TaskRow]) -> Iterable[TaskRow]:
    """Return the open steps behind one, nearest first."""
    before = {task_id}
    for step in steps.values():
        if not before.isdisjoint(step.depends_on):
            before.add(step.task_id)
            yield step


def _release(
    tx: Transaction, task: TaskRow, steps: Mapping[TaskId, TaskRow], environment: TransactionEnvironment
) -> list[EngineEvent]:
    """Let the next steps begin that depend on no other open step.

    A skipped step may itself stand behind open ones. Then the steps behind it wait for those too, so that the order of
    the plan is kept; they still name the skipped one, so that undoing that finds its place.
    """
    still_before = [earlier for earlier in task.depends_on if earlier in steps]
    events: list[EngineEvent] = []
    for step in steps.values():
        if task.task_id not in step.depends_on:
            continue
        follower = tx.tasks.get(step.task_id)
        if still_before:
            follower = replace(follower, depends_on=tuple(sorted({*follower.depends_on, *still_before})))
            tx.tasks.save(follower)
        if settled(tx, follower.depends_on):
            events += let_begin(tx, follower, environment)
    return events


def let_begin(tx: Transaction, task: TaskRow, environment: TransactionEnvironment) -> list[EngineEvent]:
    """Let a step begin whose earlier steps are settled: a wait counts from now, an approved send gets its due time."""
    if task.kind is TaskKind.WAIT:
        return begin_wait(tx, task, environment) if task.status is TaskStatus.PENDING else []
    if task.status is not TaskStatus.APPROVED:
        return []
    approval = tx.approvals.of_task(task.task_id)
    due_at = due_time(tx, approval, environment.now(), environment)
    tx.approvals.save(replace(approval, due_at=due_at))
    return [TaskStatusChanged(tx.approvals.get(approval.approval_id), tx.revision)]


def mark_steps(tx: Transaction, later: Iterable[TaskRow], note: Note = EDITED_NOTE) -> list[EngineEvent]:
    """Note on later cards that an earlier step was changed or skipped.

    Sends that the operator approved stay approved, because they decide in any order and know both.
    """
    events: list[EngineEvent] = []
    for step in later:
        if step.kind not in PLANNED_KINDS:
            continue
        approval = tx.approvals.of_task(step.task_id)
        if step.status is TaskStatus.APPROVED and approval.by_rule:
            back_to_review(tx, approval, AskReason.EARLIER_STEP, note)
        elif step.status is TaskStatus.AWAITING_DECISION:
            reasons = with_reason(approval.reasons, AskReason.EARLIER_STEP)
            tx.approvals.save(replace(approval, reasons=reasons, note=note, version=approval.version + 1))
        elif step.status is TaskStatus.APPROVED:
            tx.approvals.save(replace(approval, note=note))
        else:
            continue
        events.append(TaskStatusChanged(tx.approvals.get(approval.approval_id), tx.revision))
    return events


def close_plan(tx: Transaction, task: TaskRow) -> None:
    """After the last step of a plan, mark its triggers as answered, unless it only failed."""
    if task.graph_id is None:
        return
    graph = tx.graphs.get(task.graph_id)
    if not graph.trigger_ids:
        return
    steps = tx.tasks.of_graph(task.graph_id)
    if not FINAL.issuperset([step.status for step in steps]):
        return
    planned = [step for step in steps if step.kind in PLANNED_KINDS]
    if any(step.status in _ANSWERING or is_of(step.reason, CancelReason.PLAN_REJECTED) for step in planned):
        tx.chats.set_planned_up_to(task.chat_id, MessageId(max(graph.trigger_ids)))


_ENDLESS_S = 3650 * 24 * 3600.0
"""Longest wait in seconds, ten years: a model may write any number, but dates are limited."""

_SKIPPABLE = frozenset({TaskStatus.PENDING, TaskStatus.WAITING, TaskStatus.AWAITING_OPERATOR})


def end_wait(tx: Transaction, task_id: TaskId, environment: TransactionEnvironment) -> list[EngineEvent]:
    """End a wait whose time is over and continue the steps behind it; otherwise do nothing."""
    task = tx.tasks.get(task_id)
    if task.kind is not TaskKind.WAIT or task.status is not TaskStatus.WAITING:
        return []
    if task.due_at is not None and task.due_at > environment.now():
        return []
    moved = move_task(tx, task, TaskStatus.DONE)
    return [step_changed(tx, moved), *complete_step(tx, task_id, environment, how=StepOutcome.DONE)]


def let_wait_begin(tx: Transaction, task_id: TaskId, environment: TransactionEnvironment) -> list[EngineEvent]:
    """Allow a wait of more than 24 h; it counts from now."""
    task = tx.tasks.get(task_id)
    if task.kind is not TaskKind.WAIT or task.status is not TaskStatus.AWAITING_OPERATOR:
        return []
    due_at = environment.now() + timedelta(seconds=min(task.wait_s or 0.0, _ENDLESS_S))
    return [step_changed(tx, move_task(tx, task, TaskStatus.WAITING, due_at=due_at))]


def skip_wait(tx: Transaction, task_id: TaskId, environment: TransactionEnvironment) -> list[EngineEvent]:
    """Skip a wait for the operator: the steps behind it continue; automatic sends return to review."""
    task = tx.tasks.get(task_id)
    if task.kind is not TaskKind.WAIT or task.status not in _SKIPPABLE:
        return []
    moved = move_task(tx, task, TaskStatus.SKIPPED, reason=Note(NoteKind.SKIPPED_BY_OPERATOR), due_at=None)
    return [step_changed(tx, moved), *complete_step(tx, task_id, environment, how=StepOutcome.SKIPPED)]
