"""State changes, each checked against the tables of SPEC §3a inside the transaction that makes it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.tasks import (
    ApprovalState,
    LedgerState,
    TaskStatus,
    check_approval,
    check_ledger,
    check_task,
)

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.preferences import Preferences
    from chimein_gui.engine.ports import LedgerRow, TaskRow, Transaction


def move_task(tx: Transaction, task: TaskRow, *statuses: TaskStatus, reason: str = "") -> TaskRow:
    """Take a step through one or more states, each checked, and store where it ends.

    Raises:
        IllegalTransitionError: SPEC §3a does not have one of these changes.
    """
    moved = task
    for status in statuses:
        check_task(moved.kind, moved.status, status)
        moved = replace(moved, status=status, reason=reason)
    tx.tasks.save(moved)
    return moved


def move_approval(tx: Transaction, approval: Approval, state: ApprovalState) -> Approval:
    """Change an approval's state and store it together with whatever else is new in the snapshot.

    Raises:
        IllegalTransitionError: SPEC §3a does not have this change.
    """
    check_approval(approval.state, state)
    moved = replace(approval, state=state)
    tx.approvals.save(moved)
    return moved


def move_ledger(tx: Transaction, row: LedgerRow, state: LedgerState) -> LedgerRow:
    """Change a ledger row's state and store it together with whatever else is new in the row.

    Raises:
        IllegalTransitionError: SPEC §3a does not have this change.
    """
    check_ledger(row.state, state)
    moved = replace(row, state=state)
    tx.ledger.save(moved)
    return moved


def back_to_review(tx: Transaction, approval: Approval, note: str) -> Approval:
    """Take an approved send back to the operator; the version is new, because the reasons are.

    The ledger row ends unless its outcome is unknown: the same bytes may have arrived, so their number lives on.
    """
    move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.AWAITING_DECISION, reason=note)
    reopened = replace(approval, version=approval.version + 1, due_at=None, decided_at=None, decided_by="", note=note)
    move_approval(tx, reopened, ApprovalState.OPEN)
    void_unless_unknown(tx, approval)
    return tx.approvals.get(approval.approval_id)


def void_unless_unknown(tx: Transaction, approval: Approval) -> None:
    """End a prepared ledger row; one whose outcome is unknown stays."""
    row = tx.ledger.current(approval.approval_id)
    if row is not None and row.state is LedgerState.PREPARED:
        move_ledger(tx, row, LedgerState.VOID)


def cancel_planned(tx: Transaction, task: TaskRow, reason: str) -> Approval:
    """Cancel a planned send that has not left; its approval is superseded."""
    approval = tx.approvals.of_task(task.task_id)
    move_task(tx, task, TaskStatus.CANCELLED, reason=reason)
    move_approval(tx, replace(approval, note=reason, due_at=None), ApprovalState.SUPERSEDED)
    void_unless_unknown(tx, approval)
    return tx.approvals.get(approval.approval_id)


def settled(tx: Transaction, task: TaskRow) -> bool:
    """Tell whether the step before this one is over, so that nothing holds it back."""
    if task.depends_on is None:
        return True
    return tx.tasks.get(task.depends_on).status in {TaskStatus.DONE, TaskStatus.SKIPPED}


def earliest_departure(
    settled_at: datetime, decided_at: datetime | None, preferences: Preferences, text: str
) -> datetime:
    """Return max(end of undo, settled + typing): when an approved send leaves (SPEC §3a, §6).

    Args:
        settled_at: When nothing held it back any more but its own decision.
        decided_at: When the operator decided; None for a rule, which has nothing to undo.
        preferences: Undo and typing.
        text: What is typed.
    """
    typed = settled_at + timedelta(seconds=preferences.typing_s(text))
    if decided_at is None:
        return typed
    return max(typed, decided_at + timedelta(seconds=preferences.undo_s))
