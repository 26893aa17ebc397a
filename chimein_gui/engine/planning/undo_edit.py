"""Taking back the newest edit of a plan, as long as nothing of it has run.

A step that an edit ended stays ended, because the state tables have no way back. A new step that does the same takes
its place; a send among them asks again. Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import RESENT, AskReason
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.plans.planned_steps import PlannedWait
from chimein_gui.domain.plans.step_edits import StepAction, has_not_begun
from chimein_gui.domain.tasks import FINAL, PLANNED_KINDS, CancelReason, TaskKind, TaskStatus
from chimein_gui.engine.planning.step_edits import PlanEditor, StepRefusedError
from chimein_gui.engine.tasks.completion import cancel_steps
from chimein_gui.engine.tasks.transitions import LONGEST_WAIT_S, ask_about_wait, has_left, move_task, step_changed

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.ids import TaskId
    from chimein_gui.domain.plans.step_edits import PlanEdit, StepPlace, WaitBefore
    from chimein_gui.domain.plans.step_order import Order
    from chimein_gui.engine.ports import TaskRow, Transaction

_MOVES = frozenset({StepAction.MOVE, StepAction.SPLIT_OFF, StepAction.JOIN})
_OF_ONE_STEP = _MOVES | {StepAction.CHANGE_DELAY, StepAction.RETRY}
"""Edits that change a step and end none."""


def undo_edit(tx: Transaction, editor: PlanEditor, edit: PlanEdit, now: datetime) -> None:
    """Take back an edit.

    Args:
        tx: The transaction.
        editor: The editor of the plan.
        edit: The newest edit of the plan that is not undone.
        now: Aware UTC.

    Raises:
        StepRefusedError: A step of it has run.
    """
    _check(tx, edit)
    places = {place.task_id: place for place in edit.places}
    waits = {wait.task_id: wait for wait in edit.waits}
    if edit.action is StepAction.RETRY:
        for wait in edit.waits:
            editor.postpone(tx.approvals.of_task(wait.task_id), wait.due_at)
        return
    if edit.action is StepAction.CHANGE_DELAY:
        for wait in edit.waits:
            _set_delay(tx, editor, wait, now)
        return
    replacements = {
        task_id: _add_replacement(tx, editor, places[task_id], waits.get(task_id), now) for task_id in edit.ended
    }
    restored = _restored(tx, edit, replacements, editor.order.dependencies())
    first = edit.ended[0] if edit.ended else None
    editor.events += editor.order.reorder(restored, replacements.values() or (edit.task_id,), beside=first)
    for task_id in edit.added:
        editor.events += cancel_steps(tx, (tx.tasks.get(task_id),), CancelReason.TAKEN_OUT)


def _check(tx: Transaction, edit: PlanEdit) -> None:
    """Refuse if a step of the edit, or one that would have to wait again, has run."""
    subjects = {*edit.added, *((edit.task_id,) if edit.action in _OF_ONE_STEP else ())}
    for task_id in subjects:
        task = tx.tasks.get(task_id)
        is_open_wait = task.kind is TaskKind.WAIT and task.status in {TaskStatus.PENDING, TaskStatus.WAITING}
        may_be_moved = has_not_begun(task.kind, task.status) and not _has_left(tx, task)
        if not may_be_moved and not (is_open_wait and (edit.added or edit.action is StepAction.CHANGE_DELAY)):
            raise StepRefusedError(Reason.UNDO_TOO_LATE)
    if any(_has_left(tx, tx.tasks.get(task_id)) for task_id in edit.ended):
        raise StepRefusedError(Reason.PARTS_LEFT)  # another copy could repeat what has arrived, or may have arrived
    restored = {*edit.ended, *((edit.task_id,) if edit.action in _MOVES else ())}
    for place in edit.places:
        behind = tx.tasks.get(place.task_id)
        if place.task_id not in restored and not restored.isdisjoint(place.depends_on) and _has_run(behind):
            raise StepRefusedError(Reason.UNDO_TOO_LATE)


def _has_left(tx: Transaction, task: TaskRow) -> bool:
    return task.kind in PLANNED_KINDS and has_left(tx, tx.approvals.of_task(task.task_id))


def _has_run(task: TaskRow) -> bool:
    return task.status in {TaskStatus.SENDING, TaskStatus.UNKNOWN, TaskStatus.DONE, TaskStatus.FAILED}


def _set_delay(tx: Transaction, editor: PlanEditor, wait: WaitBefore, now: datetime) -> None:
    """Give a wait its former length; one that began after the edit counts from its beginning, and a long one asks."""
    task = tx.tasks.get(wait.task_id)
    changed = replace(task, wait_s=wait.wait_s)
    if task.status is not TaskStatus.WAITING or task.due_at is None:
        tx.tasks.save(changed)
    elif wait.due_at is None and wait.wait_s > LONGEST_WAIT_S:
        changed = ask_about_wait(tx, changed)
    else:
        began = task.due_at - timedelta(seconds=task.wait_s or 0.0)
        due_at = wait.due_at or began + timedelta(seconds=wait.wait_s)
        changed = replace(changed, due_at=max(now, due_at))
        tx.tasks.save(changed)
    editor.events.append(step_changed(tx, changed))


def _add_replacement(
    tx: Transaction, editor: PlanEditor, place: StepPlace, wait: WaitBefore | None, now: datetime
) -> TaskId:
    """Add a step that does what an ended one would have done; a wait that had begun counts on to the same end."""
    old = tx.tasks.get(place.task_id)
    content = editor.content_of(old) if wait is None else PlannedWait(wait.wait_s)
    if old.kind in PLANNED_KINDS:
        tx.approvals.save(replace(tx.approvals.of_task(old.task_id), note=RESENT))
    added = editor.add(content, (), place.position, like=old, extra=(AskReason.REVIEW,))
    if wait is not None and wait.due_at is not None:
        begun = replace(tx.tasks.get(added), due_at=max(now, wait.due_at))
        editor.events.append(step_changed(tx, move_task(tx, begun, TaskStatus.WAITING)))
    return added


def _restored(tx: Transaction, edit: PlanEdit, replacements: dict[TaskId, TaskId], order: Order) -> Order:
    """Return the order before an edit, with new steps for ended ones; steps that have begun stay where they are."""
    restored = dict(order)
    for place in edit.places:
        task_id = replacements.get(place.task_id, place.task_id)
        task = tx.tasks.get(task_id)
        if task_id in replacements.values() or has_not_begun(task.kind, task.status) or task.status in FINAL:
            restored[task_id] = frozenset(
                replacements.get(one, one) for one in place.depends_on if _may_end(tx, replacements, one)
            )
    for task_id in edit.added:
        restored[task_id] = frozenset()
    return restored


def _may_end(tx: Transaction, replacements: dict[TaskId, TaskId], task_id: TaskId) -> bool:
    """Return whether a step can still be waited for; one that was cancelled meanwhile would never let others begin."""
    return task_id in replacements or tx.tasks.get(task_id).status not in {TaskStatus.CANCELLED, TaskStatus.FAILED}
