"""A chat is switched to `off` or `observe`: what was to be decided is only shown from now on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.events import ApprovalResolved, EngineEvent
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import PLANNED_KINDS, ApprovalState, TaskKind, TaskStatus
from chimein_gui.engine.tasks.steps import step_changed
from chimein_gui.engine.tasks.transitions import back_to_review, has_left, move_approval, move_task

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.engine.ports import TaskRow, Transaction


OBSERVED_NOTE = Note(NoteKind.OBSERVED)
"""Why a wait of a plan that is only observed does not begin."""


_OPEN_WAITS = frozenset({TaskStatus.PENDING, TaskStatus.WAITING, TaskStatus.AWAITING_OPERATOR})


def observe_open_drafts(tx: Transaction, chat_id: ChatId) -> list[EngineEvent]:
    """Make what has not left of the chat's plan observed; "send this one" takes each up again.

    What the operator wrote or insists on stays, and so does what has left in part, or perhaps has: he has to decide.
    """
    current = tx.tasks.current_graph(chat_id)
    if current is None:
        return []
    events: list[EngineEvent] = []
    for step in tx.tasks.of_graph(current.graph_id):
        if step.kind is TaskKind.WAIT and step.status in _OPEN_WAITS:
            skipped = move_task(tx, replace(step, due_at=None), TaskStatus.SKIPPED, reason=OBSERVED_NOTE)
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
