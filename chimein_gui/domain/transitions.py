"""Refuses state changes that the tables of `domain.tasks` do not list."""

from chimein_gui.domain.errors import IllegalTransitionError
from chimein_gui.domain.tasks import (
    APPROVAL_TABLE,
    LEDGER_TABLE,
    PLANNED_KINDS,
    PLANNED_TABLE,
    TASK_TABLE,
    ApprovalState,
    LedgerState,
    TaskKind,
    TaskStatus,
)


def check_task(kind: TaskKind, old: TaskStatus, new: TaskStatus) -> None:
    """Refuse a change of a task that its table does not list.

    Raises:
        IllegalTransitionError: With both states named.
    """
    table = PLANNED_TABLE if kind in PLANNED_KINDS else TASK_TABLE
    if new not in table.get(old, frozenset()):
        raise IllegalTransitionError(f"{kind} task: {old} → {new} is not in the table")


def check_approval(old: ApprovalState, new: ApprovalState) -> None:
    """Refuse a change of an approval that its table does not list.

    Raises:
        IllegalTransitionError: With both states named.
    """
    if new not in APPROVAL_TABLE.get(old, frozenset()):
        raise IllegalTransitionError(f"approval: {old} → {new} is not in the table")


def check_ledger(old: LedgerState, new: LedgerState) -> None:
    """Refuse a change of a ledger row that its table does not list.

    Raises:
        IllegalTransitionError: With both states named.
    """
    if new not in LEDGER_TABLE.get(old, frozenset()):
        raise IllegalTransitionError(f"ledger: {old} → {new} is not in the table")
