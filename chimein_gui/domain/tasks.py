"""Task graphs: the steps of a plan and the tables of their states (docs/behaviour.md, "State tables").

A change that the tables do not list is refused (`domain.transitions`): the engine checks every change inside the
transaction that makes it.
"""

from collections.abc import Mapping
from enum import StrEnum


class TaskKind(StrEnum):
    """What a step does."""

    RECEIVED = "received"
    SEND = "send"
    STICKER = "sticker"
    FILE = "file"
    """A photo or file of the operator's, with its caption."""
    WAIT = "wait"
    BLOCK = "block"
    UNBLOCK = "unblock"
    CLEAR_CONVERSATION = "clear-conversation"
    SHUTDOWN = "shutdown"


class TaskStatus(StrEnum):
    """States of tasks and of planned sends."""

    PENDING = "pending"
    READY = "ready"
    WAITING = "waiting"
    RUNNING = "running"
    AWAITING_OPERATOR = "awaiting_operator"
    AWAITING_DECISION = "awaiting_decision"
    OBSERVED = "observed"
    PARKED = "parked"
    APPROVED = "approved"
    SENDING = "sending"
    UNKNOWN = "unknown"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"


class ApprovalState(StrEnum):
    """States of an approval."""

    OPEN = "open"
    APPROVED = "approved"
    REJECTED = "rejected"
    OBSERVED = "observed"
    SUPERSEDED = "superseded"


class LedgerState(StrEnum):
    """States of one outgoing request."""

    PREPARED = "prepared"
    SENDING = "sending"
    SENT = "sent"
    UNKNOWN = "unknown"
    FAILED = "failed"
    VOID = "void"


class CancelReason(StrEnum):
    """Why a step was cancelled."""

    SUPERSEDED = "superseded"
    SUPERSEDED_AFTER_APPROVAL = "superseded after approval"
    PLAN_REJECTED = "plan rejected"
    PREDECESSOR_FAILED = "predecessor failed"
    VARIANT = "variant"
    ACCOUNT_CHANGED = "account changed"
    FORGOTTEN = "person forgotten"
    MUTED = "the chat is muted"
    TAKEN_OUT = "taken out"
    """The operator undid the edit that had added it."""


class Origin(StrEnum):
    """Who requested a send."""

    PLAN = "plan"
    OPERATOR = "operator"
    COMMAND = "command"


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

IRREVERSIBLE_KINDS = frozenset({TaskKind.BLOCK, TaskKind.UNBLOCK, TaskKind.CLEAR_CONVERSATION, TaskKind.SHUTDOWN})
"""Kinds that always need a decision of their own."""

PLANNED_KINDS = frozenset({TaskKind.SEND, TaskKind.STICKER, TaskKind.FILE}) | IRREVERSIBLE_KINDS
"""Kinds that wait for a decision."""

METHODS: Mapping[TaskKind, str] = {
    TaskKind.SEND: "send_text",
    TaskKind.STICKER: "send_sticker",
    TaskKind.FILE: "send_file",
    TaskKind.BLOCK: "block",
    TaskKind.UNBLOCK: "unblock",
    TaskKind.CLEAR_CONVERSATION: "clear_conversation",
    TaskKind.SHUTDOWN: "",
}
"""The gateway's method of each planned send; a FLOOD_WAIT applies to it."""

UNSENT = frozenset({T.PENDING, T.PARKED, T.AWAITING_DECISION, T.APPROVED})
"""Planned sends that a replan may still cancel."""

FINAL = frozenset({T.DONE, T.FAILED, T.SKIPPED, T.CANCELLED, T.OBSERVED})
"""States that a step never leaves."""
