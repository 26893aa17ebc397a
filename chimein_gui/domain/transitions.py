"""Which state may follow which: of steps, planned sends, approvals and requests (docs/behaviour.md, "State tables").

What these tables do not list is refused: the engine checks every change inside the transaction that makes it
(`chimein_gui/engine/tasks/transitions.py`).
"""

from collections.abc import Mapping

from chimein_gui.domain.errors import IllegalTransitionError
from chimein_gui.domain.tasks import PLANNED_KINDS, ApprovalState, LedgerState, TaskKind, TaskStatus

T = TaskStatus
A = ApprovalState
L = LedgerState

TASK_TABLE: Mapping[TaskStatus, frozenset[TaskStatus]] = {
    T.PENDING: frozenset({T.READY, T.WAITING, T.CANCELLED, T.SKIPPED}),
    T.READY: frozenset({T.RUNNING, T.CANCELLED, T.SKIPPED}),
    T.RUNNING: frozenset({T.DONE, T.FAILED, T.WAITING, T.READY, T.CANCELLED, T.SKIPPED}),
    T.WAITING: frozenset({T.READY, T.DONE, T.CANCELLED, T.SKIPPED, T.AWAITING_OPERATOR}),
    T.AWAITING_OPERATOR: frozenset({T.WAITING, T.CANCELLED, T.SKIPPED}),
}
"""States of steps that nobody outside can see: planning, waits.

`awaiting_operator → waiting` happens when the operator allows a wait of more than 24 h.
"""

PLANNED_TABLE: Mapping[TaskStatus, frozenset[TaskStatus]] = {
    T.PENDING: frozenset({T.AWAITING_DECISION, T.OBSERVED, T.PARKED}),
    T.PARKED: frozenset({T.AWAITING_DECISION, T.CANCELLED}),
    T.AWAITING_DECISION: frozenset({T.APPROVED, T.SKIPPED, T.OBSERVED, T.CANCELLED}),
    T.APPROVED: frozenset({T.SENDING, T.AWAITING_DECISION, T.CANCELLED}),
    T.SENDING: frozenset({T.DONE, T.FAILED, T.UNKNOWN, T.APPROVED, T.AWAITING_DECISION}),
    T.UNKNOWN: frozenset({T.DONE, T.SENDING, T.AWAITING_DECISION, T.FAILED}),
}
"""States of steps that others can see, or that can't be undone.

`unknown → failed` happens when another account is logged in, because then the outcome can't be checked any more.
"""

APPROVAL_TABLE: Mapping[ApprovalState, frozenset[ApprovalState]] = {
    A.OPEN: frozenset({A.APPROVED, A.REJECTED, A.OBSERVED, A.SUPERSEDED}),
    A.APPROVED: frozenset({A.OPEN, A.SUPERSEDED}),
}

LEDGER_TABLE: Mapping[LedgerState, frozenset[LedgerState]] = {
    L.PREPARED: frozenset({L.SENDING, L.VOID}),
    L.SENDING: frozenset({L.SENT, L.FAILED, L.UNKNOWN, L.PREPARED}),
    L.UNKNOWN: frozenset({L.SENT, L.SENDING, L.VOID}),
}
"""`unknown → void` happens when a send "perhaps not delivered" is edited: the edit gets a new random_id."""


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
