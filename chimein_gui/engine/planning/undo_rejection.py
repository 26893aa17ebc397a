"""Undoing the rejection of one message of a plan: the plan is put back as it was.

A rejection is final in the state tables. So a new planned send takes the place of the rejected one in the same plan,
and asks. The steps behind it wait for it again, and their cards no longer say that it was rejected. Functions
that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import RESENT, Approval, AskReason
from chimein_gui.domain.events import ApprovalRequested, EngineEvent, PlanEdited, TaskStatusChanged
from chimein_gui.domain.plans import step_order
from chimein_gui.domain.plans.planned_steps import PlannedStep
from chimein_gui.domain.plans.step_edits import PlanEdit, StepAction
from chimein_gui.domain.tasks import FINAL, PLANNED_KINDS, CancelReason, TaskKind, TaskStatus
from chimein_gui.engine.approvals.admission import StepPosition, add_planned_send
from chimein_gui.engine.planning.plan_order import CHANGED_NOTE
from chimein_gui.engine.planning.step_edits import PlanEditor
from chimein_gui.engine.tasks.completion import (
    EDITED_NOTE,
    REJECTED_NOTE,
    SKIPPED_NOTE,
    cancel_steps,
    mark_steps,
)
from chimein_gui.engine.tasks.transitions import graph_snapshot

if TYPE_CHECKING:
    from chimein_gui.domain.ids import TaskId
    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.plans.step_order import Order
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import TaskRow, Transaction

_BEGUN_WAITS = frozenset({TaskStatus.WAITING, TaskStatus.AWAITING_OPERATOR})
_ON_THE_WAY = frozenset({TaskStatus.SENDING, TaskStatus.UNKNOWN})
_CHANGED_BY_OPERATOR = frozenset({TaskStatus.APPROVED, TaskStatus.DONE}) | _ON_THE_WAY


def undo_rejection(
    tx: Transaction, old: Approval, environment: TransactionEnvironment, *, client_id: str
) -> tuple[list[EngineEvent], Approval]:
    """Put a rejected message back into its plan, as a new planned send that asks.

    It is kept among the edits of the plan, so that undoing these in turn never brings a message back twice.

    Args:
        tx: The transaction; FULL, because it adds a planned send.
        old: The rejected card, of the chat's current plan; nothing of it has left.
        environment: State outside of the database.
        client_id: Made by the caller; names the edit.

    Returns:
        The events, and the new card.
    """
    editor = PlanEditor(tx, tx.graphs.get(old.graph_id), environment)
    card = _add_replacement(tx, editor, old, environment)
    order = _Order(tx, editor, old.task_id, card.task_id)
    editor.events += editor.order.reorder(order.changed, ())
    events = [*order.events, *editor.events, *_unmark(tx, editor, card.task_id)]
    edit = PlanEdit(
        old.graph_id,
        StepAction.RETURN,
        old.task_id,
        client_id,
        environment.now(),
        editor.places,
        (card.task_id, *editor.added),
        tuple(editor.ended),
        tuple(editor.waits),
    )
    tx.plan_edits.add(edit)
    snapshot = graph_snapshot(tx, old.graph_id)
    edited = PlanEdited(snapshot, tx.plan_edits.count(old.graph_id), tx.revision)
    card = tx.approvals.get(card.approval_id)
    return [ApprovalRequested(card, tx.revision), *events, edited], card


def _add_replacement(
    tx: Transaction, editor: PlanEditor, old: Approval, environment: TransactionEnvironment
) -> Approval:
    """Add the new planned send, which knows as much of the conversation as the old one."""
    task = tx.tasks.get(old.task_id)
    content = PlannedStep(
        old.kind, old.text, old.reply_to_id, old.sticker, is_cut_off=AskReason.CUT_OFF in old.reasons, file=old.file
    )
    place = StepPosition(tx.chats.get(old.chat_id), old.graph_id, task.depends_on, task.position)
    seen, draft_text = editor.coverage(task)
    extra = (AskReason.REVIEW,)
    tx.approvals.save(replace(old, note=RESENT))
    return add_planned_send(tx, place, content, seen, environment, extra=extra, draft_text=draft_text)


class _Order:
    """The order of the plan with the new step in the place of the old one.

    A wait that began because of the rejection begins anew behind the new step. What is on its way or has been sent
    stays, and the steps behind it wait for the new step too.

    Attributes:
        changed: The new order.
        events: What to publish after the commit.
    """

    def __init__(self, tx: Transaction, editor: PlanEditor, old: TaskId, new: TaskId) -> None:
        self._tx, self._editor = tx, editor
        self._instead: dict[TaskId, frozenset[TaskId]] = {old: frozenset({new})}
        """A step → what the steps behind it wait for instead."""
        self._order = dict(editor.order.dependencies())
        self.events: list[EngineEvent] = []
        for step in editor.order.steps():
            if step.task_id not in {old, new} and not self._instead.keys().isdisjoint(step.depends_on):
                self._follow(step)
        self.changed: Order = self._order

    def _follow(self, step: TaskRow) -> None:
        earlier = frozenset(step.depends_on)
        replaced = earlier & self._instead.keys()
        wanted = (earlier - replaced).union(*(self._instead[one] for one in replaced))
        if step.kind is TaskKind.WAIT and step.status in _BEGUN_WAITS:
            again = self._editor.add_again(step)
            self._order[again] = wanted
            self._instead[step.task_id] = frozenset({again})
            self.events += cancel_steps(self._tx, (step,), CancelReason.TAKEN_OUT)
        elif step.status in _ON_THE_WAY:
            self._instead[step.task_id] = (wanted - earlier) | {step.task_id}
        else:
            self._order[step.task_id] = wanted


def _unmark(tx: Transaction, editor: PlanEditor, new: TaskId) -> list[EngineEvent]:
    """Remove the mark of the rejection from the steps behind it; what a rule has approved since then asks again."""
    order = editor.order.dependencies()
    steps = {one.task_id: one for one in editor.order.steps()}
    later = [steps[one] for one in step_order.behind(order, new) if steps[one].kind in PLANNED_KINDS]
    by_rule = [one for one in later if one.status is TaskStatus.APPROVED and tx.approvals.of_task(one.task_id).by_rule]
    events = mark_steps(tx, by_rule, CHANGED_NOTE)
    for step in later:
        card = tx.approvals.of_task(step.task_id)
        if card.note != REJECTED_NOTE or step.status in FINAL:
            continue
        remaining = _remaining_note(tx, order, steps, step.task_id)
        without = tuple(one for one in card.reasons if one is not AskReason.EARLIER_STEP)
        reasons = card.reasons if remaining is not None else without or (AskReason.REVIEW,)
        version = card.version + (step.status is TaskStatus.AWAITING_DECISION)
        tx.approvals.save(replace(card, reasons=reasons, note=remaining, version=version))
        events.append(TaskStatusChanged(tx.approvals.get(card.approval_id), tx.revision))
    return events


def _remaining_note(tx: Transaction, order: Order, steps: dict[TaskId, TaskRow], task_id: TaskId) -> Note | None:
    """Return the note that another step before this one still causes, or None."""
    before = [one for one in steps.values() if task_id in step_order.behind(order, one.task_id)]
    cards = [(one, tx.approvals.of_task(one.task_id)) for one in before if one.kind in PLANNED_KINDS]
    if any(one.status is TaskStatus.SKIPPED and card.note != RESENT for one, card in cards):
        return REJECTED_NOTE
    if any(one.kind is TaskKind.WAIT and one.status is TaskStatus.SKIPPED for one in before):
        return SKIPPED_NOTE
    is_edited = any(one.status in _CHANGED_BY_OPERATOR and card.is_edited for one, card in cards)
    return EDITED_NOTE if is_edited else None
