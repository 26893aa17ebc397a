"""Recovery at a start after a crash (docs/behaviour.md, "What a start does after a crash").

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.tasks import LedgerState, TaskKind, TaskStatus
from chimein_gui.engine.sending.confirmation import outcome_unknown
from chimein_gui.engine.tasks.transitions import move_task

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.engine.ports import TaskRow, Transaction

MOST_CRASHES = 3
"""A plan that was running at this many crashes is given up."""

GIVEN_UP = Note(NoteKind.CRASHED)


def recover(tx: Transaction) -> tuple[ChatId, ...]:
    """Move every interrupted step to the state of the tables; other steps are not examined.

    Overdue sends need nothing here: the claim returns them to review.

    Returns:
        The chats of these steps.
    """
    chats: dict[ChatId, None] = {}
    for task in tx.tasks.to_recover():
        chats[task.chat_id] = None
        if task.kind is TaskKind.RECEIVED:
            _recover_plan(tx, task)
        elif task.status is TaskStatus.SENDING:
            set_down(tx, task)
    return tuple(chats)


def _recover_plan(tx: Transaction, task: TaskRow) -> None:
    """Restart an interrupted plan, or give it up after its third crash. Its attempt was counted at its start."""
    crashed = replace(task, crashes=task.crashes + 1)
    if crashed.crashes >= MOST_CRASHES:
        move_task(tx, crashed, TaskStatus.FAILED, reason=GIVEN_UP)
        tx.chats.set_planning_problem(task.chat_id, PlanningProblem(PlanningKind.CRASHED))
    else:
        move_task(tx, crashed, TaskStatus.READY, reason=Note(NoteKind.PROGRAM_ENDED))


def set_down(tx: Transaction, task: TaskRow) -> None:
    """End an interrupted dispatch.

    The outcome of a running request is unknown; between two parts nothing was running, and the next claim continues.
    """
    approval = tx.approvals.of_task(task.task_id)
    cut_off = [row for row in tx.ledger.of_approval(approval.approval_id) if row.state is LedgerState.SENDING]
    for row in cut_off:
        outcome_unknown(tx, row.ledger_id)
    if not cut_off:
        move_task(tx, task, TaskStatus.APPROVED, reason=Note(NoteKind.CUT_OFF_BETWEEN_PARTS))
