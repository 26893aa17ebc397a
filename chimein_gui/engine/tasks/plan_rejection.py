"""Rejecting a whole plan: what of it has not left ends, and its triggers count as answered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import OPERATOR, AskReason, with_reason
from chimein_gui.domain.events import ApprovalResolved, ChatChanged, EngineEvent, TaskStatusChanged
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import PLANNED_KINDS, UNSENT, ApprovalState, CancelReason, TaskStatus
from chimein_gui.engine.ports import GraphStanding
from chimein_gui.engine.tasks.completion import cancel_steps
from chimein_gui.engine.tasks.graphs import retire_variants
from chimein_gui.engine.tasks.transitions import move_approval, move_task, void_prepared

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import GraphId
    from chimein_gui.engine.ports import TaskRow, Transaction


def rejection(reason: str) -> Note | None:
    """Return what a rejected card says: the operator's words, if he wrote any."""
    return Note(NoteKind.REJECTED, reason) if reason else None


_ON_ITS_WAY = frozenset({TaskStatus.SENDING, TaskStatus.UNKNOWN})


def reject_rest(tx: Transaction, graph_id: GraphId, reason: str, now: datetime) -> list[EngineEvent]:
    """End what has not left of a plan, its variants included; what is on its way asks before it leaves again.

    Args:
        tx: The transaction that decides.
        graph_id: The plan.
        reason: The operator's words for the next prompt; may be empty.
        now: Aware UTC.
    """
    graph = tx.tasks.graph(graph_id)
    steps = tx.tasks.of_graph(graph_id)
    unsent = [step for step in steps if step.kind in PLANNED_KINDS and step.status in UNSENT]
    events: list[EngineEvent] = [ApprovalResolved(_reject(tx, step, reason, now), tx.revision) for step in unsent]
    events += [_asks_again(tx, step) for step in steps if step.kind in PLANNED_KINDS and step.status in _ON_ITS_WAY]
    waits = [step for step in steps if step.kind not in PLANNED_KINDS]
    events += cancel_steps(tx, waits, CancelReason.PLAN_REJECTED)
    for variant in tx.tasks.variants_of(graph_id):
        if variant.standing is GraphStanding.VARIANT:
            events += cancel_steps(tx, tx.tasks.of_graph(variant.graph_id), CancelReason.PLAN_REJECTED)
    retire_variants(tx, graph_id)
    if graph.trigger_ids:
        tx.chats.set_planned_up_to(graph.chat_id, MessageId(max(graph.trigger_ids)))
    return [*events, ChatChanged(tx.chats.get(graph.chat_id), tx.revision)]


def _reject(tx: Transaction, step: TaskRow, reason: str, now: datetime) -> Approval:
    approval = tx.approvals.of_task(step.task_id)
    move_task(tx, step, TaskStatus.CANCELLED, reason=Note(CancelReason.PLAN_REJECTED))
    rejected = replace(approval, decided_at=now, decided_by=OPERATOR, due_at=None, note=rejection(reason))
    opened = (ApprovalState.OPEN,) if approval.state is ApprovalState.APPROVED else ()
    move_approval(tx, rejected, *opened, ApprovalState.REJECTED)
    void_prepared(tx, approval)
    return tx.approvals.get(approval.approval_id)


def _asks_again(tx: Transaction, step: TaskRow) -> EngineEvent:
    """What is put back, was not delivered, or is the rest of a text must not follow by itself: nobody wants it."""
    approval = tx.approvals.of_task(step.task_id)
    reasons = with_reason(approval.reasons, AskReason.CHANGED)
    note = Note(CancelReason.PLAN_REJECTED)
    tx.approvals.save(replace(approval, reasons=reasons, changed_at=tx.revision, note=note))
    return TaskStatusChanged(tx.approvals.get(approval.approval_id), tx.revision)
