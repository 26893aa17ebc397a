"""Task graphs: the steps of a plan, and their states.

`domain.transitions` says which state may follow which.
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

UNSENT = frozenset({TaskStatus.PENDING, TaskStatus.PARKED, TaskStatus.AWAITING_DECISION, TaskStatus.APPROVED})
"""Planned sends that a replan may still cancel."""

FINAL = frozenset({TaskStatus.DONE, TaskStatus.FAILED, TaskStatus.SKIPPED, TaskStatus.CANCELLED, TaskStatus.OBSERVED})
"""States that a step never leaves."""
