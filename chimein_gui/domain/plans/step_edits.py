"""The operator's edits of a plan, step by step: what can be asked for, what is allowed, and what is remembered of it.

See docs/behaviour.md, "Editing a plan".
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.notes import Note, NoteKind, is_of
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.plans.planned_steps import PlannedStep, PlannedWait
from chimein_gui.domain.tasks import FINAL, IRREVERSIBLE_KINDS, PLANNED_KINDS, UNSENT, TaskKind, TaskStatus

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import GraphId, TaskId
    from chimein_gui.domain.plans.outgoing_files import FileToSend

LONGEST_DELAY_S = 24 * 3600.0
"""The longest wait, in seconds, that an edit may ask for."""


class StepAction(StrEnum):
    """What the operator can do with a step; the values are stored."""

    SKIP = "skip"
    """Leave the step out; the steps behind it continue."""
    CANCEL = "cancel"
    """End the step and everything that depends on it."""
    RUN_NOW = "run now"
    """End a wait at once."""
    RETRY = "retry"
    """Try at once what waits for its next attempt, or for the end of a postponement."""
    CHANGE_DELAY = "change delay"
    INSERT = "insert"
    """Add a step before or after."""
    DUPLICATE = "duplicate"
    """Add a copy directly behind."""
    MOVE = "move"
    """Put the step before or behind another one."""
    SPLIT_OFF = "split off"
    """Let the step and those behind it wait for no other step."""
    JOIN = "join"
    """Let the step wait for one more step."""
    UNDO = "undo"
    """Take back the newest edit of the plan."""
    RETURN = "return"
    """Put a rejected message back; asked for on its card, not in the plan."""


@dataclass(frozen=True, slots=True)
class StepEdit:
    """One edit of a plan.

    Attributes:
        action: What to do.
        task_id: The step it is about; for UNDO any step of the plan.
        new: For INSERT: the new step.
        file: For INSERT of a photo or file: the operator's choice; `new` has its caption.
        other: For MOVE: the step to be put beside; for JOIN: the step to wait for.
        is_before: For INSERT and MOVE: before `task_id` or `other`, instead of behind it.
        delay_s: For CHANGE_DELAY: the new length in seconds.
        reason: For SKIP of a send: the operator's words for the next prompt; may be empty.
    """

    action: StepAction
    task_id: TaskId
    new: PlannedStep | PlannedWait | None = None
    file: FileToSend | None = None
    other: TaskId | None = None
    is_before: bool = False
    delay_s: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StepEditRequest:
    """One edit, with what the operator saw.

    Attributes:
        edit: What to do.
        expected_edits: How often the plan had been edited when the operator looked; for RETRY of a plan that is still
            being made, how often that had been tried.
        expected_version: The version of the card that was shown; None for steps without a card.
        client_id: Made by the caller. Repeating a request with the same id returns the same answer and changes nothing.
    """

    edit: StepEdit
    expected_edits: int
    expected_version: int | None
    client_id: str


class EditVerdict(StrEnum):
    """Result of an edit."""

    ACCEPTED = "accepted"
    OUTDATED = "outdated"
    """The plan was edited meanwhile, or the card has a newer version."""
    REFUSED = "refused"
    """The states do not allow it."""


@dataclass(frozen=True, slots=True)
class EditOutcome:
    """The answer to an edit.

    Attributes:
        verdict: Its result; anything but ACCEPTED has changed nothing.
        edits: How often the plan has been edited by now, for the next request.
        note: Why it was not accepted, or None.
        added: The step that was added, or None.
    """

    verdict: EditVerdict
    edits: int
    note: Note | None = None
    added: TaskId | None = None


@dataclass(frozen=True, slots=True)
class StepPlace:
    """Where a step stood.

    Attributes:
        task_id: The step.
        depends_on: What it depended on.
        position: Its index in the plan.
    """

    task_id: TaskId
    depends_on: tuple[TaskId, ...]
    position: int


@dataclass(frozen=True, slots=True)
class WaitBefore:
    """A wait, or the postponement of a send, as it was before an edit ended or changed it.

    Attributes:
        task_id: The step.
        wait_s: Length of a wait in seconds.
        due_at: When it would have ended, aware UTC; None if it had not begun.
    """

    task_id: TaskId
    wait_s: float
    due_at: datetime | None


@dataclass(frozen=True, slots=True)
class PlanEdit:
    """What is remembered of an edit, so that it can be undone.

    Attributes:
        graph_id: The plan.
        action: What was done.
        task_id: The step it was about.
        client_id: Made by the caller; repeating a request with it changes nothing.
        at: When, aware UTC.
        places: Where the steps of the plan stood before.
        added: The steps that it added.
        ended: The steps that it ended.
        waits: The waits that it ended or changed, as they were.
    """

    graph_id: GraphId
    action: StepAction
    task_id: TaskId
    client_id: str
    at: datetime
    places: tuple[StepPlace, ...] = ()
    added: tuple[TaskId, ...] = ()
    ended: tuple[TaskId, ...] = ()
    waits: tuple[WaitBefore, ...] = ()


_UNDOING = frozenset({StepAction.UNDO, StepAction.RETURN})


def added_by_hand(edits: Iterable[PlanEdit]) -> frozenset[TaskId]:
    """Return the steps that the operator added to a plan, without those that undoing has brought back."""
    return frozenset(one for edit in edits if edit.action not in _UNDOING for one in edit.added)


def standing(edits: Iterable[PlanEdit]) -> tuple[PlanEdit, ...]:
    """Return the edits of a plan that were not taken back, oldest first."""
    found: list[PlanEdit] = []
    for edit in edits:
        if edit.action is not StepAction.UNDO:
            found.append(edit)
        elif found:
            found.pop()
    return tuple(found)


def has_not_begun(kind: TaskKind, status: TaskStatus) -> bool:
    """Return whether a step can still be put elsewhere: a send is unsent, a wait has not begun to count."""
    return status in UNSENT if kind in PLANNED_KINDS else kind is TaskKind.WAIT and status is TaskStatus.PENDING


def rest_refusal(kind: TaskKind, status: TaskStatus) -> Reason | None:
    """Return why a step can't be put elsewhere, and none put before it; or None."""
    if has_not_begun(kind, status):
        return None
    if kind is TaskKind.RECEIVED:
        return Reason.STEP_IS_PLANNING
    return Reason.STEP_IS_OVER if status in FINAL else _ON_THE_WAY.get(status, Reason.WAIT_HAS_BEGUN)


def beside_refusal(kind: TaskKind, status: TaskStatus, *, is_before: bool) -> Reason | None:
    """Return why no step can be moved before or behind one in this state, or None."""
    if is_before:
        return rest_refusal(kind, status)
    return Reason.STEP_IS_OVER if status in {TaskStatus.CANCELLED, TaskStatus.FAILED} else None


def retry_refusal(card: Approval) -> Reason | None:
    """Return why an unsent message can't be tried at once, or None: only the operator's own postponement can end."""
    if card.postponed_until is not None:
        return None
    return Reason.TELEGRAM_WAITS if is_of(card.note, NoteKind.SERVER_WAIT) else Reason.NOTHING_TO_RETRY


def refusal(action: StepAction, kind: TaskKind, status: TaskStatus) -> Reason | None:
    """Return why a step in this state does not allow an action, or None; the window disables what is refused."""
    if action is StepAction.UNDO:
        return None
    if kind is TaskKind.RECEIVED:
        if action is StepAction.RETRY and status is TaskStatus.WAITING:
            return None
        return None if action is StepAction.INSERT and status is TaskStatus.DONE else Reason.STEP_IS_PLANNING
    if action is StepAction.INSERT:
        return Reason.STEP_IS_OVER if status in _GONE else None
    over = Reason.STEP_IS_OVER if status in FINAL else _ON_THE_WAY.get(status)
    return over or (_of_a_wait(action, status) if kind is TaskKind.WAIT else _of_a_send(action, kind))


def _of_a_wait(action: StepAction, status: TaskStatus) -> Reason | None:
    if action is StepAction.RETRY:
        return Reason.NOTHING_TO_RETRY
    if action is StepAction.RUN_NOW and status is TaskStatus.PENDING:
        return Reason.WAIT_NOT_BEGUN
    return Reason.WAIT_HAS_BEGUN if action in _NEED_REST and status is not TaskStatus.PENDING else None


def _of_a_send(action: StepAction, kind: TaskKind) -> Reason | None:
    if action in {StepAction.RUN_NOW, StepAction.CHANGE_DELAY}:
        return Reason.NOT_A_WAIT
    return Reason.NOT_REPEATABLE if action is StepAction.DUPLICATE and kind in IRREVERSIBLE_KINDS else None


_ON_THE_WAY = {TaskStatus.SENDING: Reason.BEING_SENT, TaskStatus.UNKNOWN: Reason.OUTCOME_OPEN}


_NEED_REST = frozenset({StepAction.MOVE, StepAction.SPLIT_OFF, StepAction.JOIN})
_GONE = frozenset({TaskStatus.CANCELLED, TaskStatus.FAILED, TaskStatus.OBSERVED})
