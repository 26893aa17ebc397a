"""Changes of whole plans: ending variants, rejecting, observing.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import OPERATOR, AskReason, with_reason
from chimein_gui.domain.events import ApprovalResolved, ChatChanged, EngineEvent, TaskStatusChanged
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind
from chimein_gui.domain.tasks import PLANNED_KINDS, UNSENT, ApprovalState, CancelReason, TaskKind, TaskStatus
from chimein_gui.engine.ports import GraphStanding, MemoryState
from chimein_gui.engine.tasks.completion import cancel_steps
from chimein_gui.engine.tasks.transitions import (
    back_to_review,
    has_left,
    move_approval,
    move_task,
    step_changed,
    void_prepared,
)

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import ChatId, GraphId
    from chimein_gui.engine.ports import TaskRow, Transaction


def retire_variants(tx: Transaction, graph_id: GraphId) -> None:
    """End the variants of a plan, whose drafts are already cancelled, and discard their memories."""
    for variant in tx.graphs.variants_of(graph_id):
        if variant.standing is GraphStanding.VARIANT:
            tx.graphs.save(replace(variant, standing=GraphStanding.RETIRED))
            move_memories(tx, variant.graph_id, MemoryState.PARKED, MemoryState.UNDONE)


def move_memories(tx: Transaction, graph_id: GraphId, old: MemoryState, new: MemoryState) -> None:
    """Move all memories of a plan from one state to another; those in other states stay."""
    index = 0
    while (effect := tx.effects.memory(graph_id, index)) is not None:
        if effect.state is old:
            tx.effects.set_memory(graph_id, index, new)
        index += 1


def rejection(reason: str) -> Note | None:
    """Return the note of a rejected card with the operator's words; None without words."""
    return Note(NoteKind.REJECTED, reason) if reason else None


_ON_ITS_WAY = frozenset({TaskStatus.SENDING, TaskStatus.UNKNOWN})


def reject_rest(tx: Transaction, graph_id: GraphId, reason: str, now: datetime) -> list[EngineEvent]:
    """Reject the unsent part of a plan and its variants; sends on their way return to review before any repetition.

    Of a plan that was given up nothing is left; the messages that it was to answer count as answered.

    Args:
        tx: The transaction that decides.
        graph_id: The plan.
        reason: The operator's words for the next prompt; may be empty.
        now: Aware UTC.
    """
    graph = tx.graphs.get(graph_id)
    steps = tx.tasks.of_graph(graph_id)
    unsent = [step for step in steps if step.kind in PLANNED_KINDS and step.status in UNSENT]
    events: list[EngineEvent] = [ApprovalResolved(reject_step(tx, step, reason, now), tx.revision) for step in unsent]
    events += [_asks_again(tx, step) for step in steps if step.kind in PLANNED_KINDS and step.status in _ON_ITS_WAY]
    waits = [step for step in steps if step.kind not in PLANNED_KINDS]
    events += cancel_steps(tx, waits, CancelReason.PLAN_REJECTED)
    for variant in tx.graphs.variants_of(graph_id):
        if variant.standing is GraphStanding.VARIANT:
            events += cancel_steps(tx, tx.tasks.of_graph(variant.graph_id), CancelReason.PLAN_REJECTED)
    retire_variants(tx, graph_id)
    if graph.trigger_ids:
        tx.chats.set_planned_up_to(graph.chat_id, MessageId(max(graph.trigger_ids)))
    problem = tx.chats.get(graph.chat_id).planning_problem
    if graph.failed is not None and problem is not None and problem.kind is PlanningKind.FAILED:
        tx.chats.set_planning_problem(graph.chat_id, None)
    return [*events, ChatChanged(tx.chats.get(graph.chat_id), tx.revision)]


def reject_step(tx: Transaction, step: TaskRow, reason: str, now: datetime) -> Approval:
    """Cancel an unsent planned send together with its plan, or with the steps before it."""
    approval = tx.approvals.of_task(step.task_id)
    move_task(tx, step, TaskStatus.CANCELLED, reason=Note(CancelReason.PLAN_REJECTED))
    rejected = replace(approval, decided_at=now, decided_by=OPERATOR, due_at=None, note=rejection(reason))
    opened = (ApprovalState.OPEN,) if approval.state is ApprovalState.APPROVED else ()
    move_approval(tx, rejected, *opened, ApprovalState.REJECTED)
    void_prepared(tx, approval)
    return tx.approvals.get(approval.approval_id)


def _asks_again(tx: Transaction, step: TaskRow) -> EngineEvent:
    """Mark a send on its way, so that neither a repetition nor its next part follows automatically."""
    approval = tx.approvals.of_task(step.task_id)
    reasons = with_reason(approval.reasons, AskReason.CHANGED)
    note = Note(CancelReason.PLAN_REJECTED)
    tx.approvals.save(replace(approval, reasons=reasons, changed_at=tx.revision, note=note))
    return TaskStatusChanged(tx.approvals.get(approval.approval_id), tx.revision)


OBSERVED_NOTE = Note(NoteKind.OBSERVED)
"""Why a wait of a plan that is only observed does not begin."""

_OPEN_WAITS = frozenset({TaskStatus.PENDING, TaskStatus.WAITING, TaskStatus.AWAITING_OPERATOR})


def observe_open_drafts(tx: Transaction, chat_id: ChatId) -> list[EngineEvent]:
    """Change the unsent part of the chat's plan to observed; "send this one" offers each again.

    Sends that were sent in part, or may have been, stay for the operator's decision. The operator's own messages are
    not part of the plan.
    """
    current = tx.graphs.current_of(chat_id)
    if current is None:
        return []
    events: list[EngineEvent] = []
    for step in tx.tasks.of_graph(current.graph_id):
        if step.kind is TaskKind.WAIT and step.status in _OPEN_WAITS:
            skipped = move_task(tx, step, TaskStatus.SKIPPED, reason=OBSERVED_NOTE, due_at=None)
            events.append(step_changed(tx, skipped))
        elif step.kind in PLANNED_KINDS:
            events += _observe(tx, step)
    return events


def _observe(tx: Transaction, step: TaskRow) -> list[EngineEvent]:
    approval = tx.approvals.of_task(step.task_id)
    if step.status not in {TaskStatus.AWAITING_DECISION, TaskStatus.APPROVED} or has_left(tx, approval):
        return []
    if step.status is TaskStatus.APPROVED:
        approval = back_to_review(tx, approval, None, OBSERVED_NOTE)
    move_task(tx, tx.tasks.get(step.task_id), TaskStatus.OBSERVED, reason=OBSERVED_NOTE)
    move_approval(tx, replace(approval, note=None, due_at=None), ApprovalState.OBSERVED)
    return [ApprovalResolved(tx.approvals.get(approval.approval_id), tx.revision)]
