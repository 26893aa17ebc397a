"""Approvals: the decision on one planned send (SPEC §6)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chimein_gui.domain.ids import AccountId, AgentId, ApprovalId, ChatId, GraphId, MessageId, PeerId, TaskId
from chimein_gui.domain.tasks import ApprovalState, TaskStatus


class AskReason(StrEnum):
    """Why a planned send waits for the operator; the strongest first."""

    NOT_DELIVERED = "perhaps not delivered"
    CHANGED = "conversation changed"
    FIRST_MESSAGE = "first message"
    REVIEW = "review"


def with_reason(reasons: tuple[AskReason, ...], reason: AskReason) -> tuple[AskReason, ...]:
    """Return the reasons with one more, the strongest first."""
    return tuple(sorted({*reasons, reason}, key=list(AskReason).index))


class Rule(StrEnum):
    """The named rules that may decide without the operator."""

    AUTO_TRUST = "auto trust"


@dataclass(frozen=True, slots=True)
class Approval:
    """The snapshot of one decision, as lists and cards show it.

    Attributes:
        approval_id: Row id.
        task_id: The planned send.
        graph_id: The plan it belongs to.
        chat_id: The conversation.
        agent_id: Who would write.
        account_id: From which account.
        peer_id: To which peer.
        agent_name: Name of the agent.
        chat_title: Name of the recipient, foreign text.
        state: State of the approval (SPEC §3a).
        task_status: State of the planned send (SPEC §3a).
        version: Counts every change of what would be sent; `decide` names it.
        text: Exactly what would be sent.
        draft_text: What the model wrote; differs from `text` after an edit.
        reply_to_id: The message it answers, or None.
        reasons: Why it asks.
        seen_up_to: Newest message id of the chat that this card has taken into account.
        created_at: When it was planned, aware UTC.
        due_at: When it leaves at the earliest once approved, aware UTC; None before.
        decided_at: When it was decided, aware UTC; None while open.
        decided_by: ``operator`` or the name of a rule; empty while open.
        message_id: The sent message, once there is one.
        note: What happened last, for the operator (a refusal of Telegram's, a wait).
    """

    approval_id: ApprovalId
    task_id: TaskId
    graph_id: GraphId
    chat_id: ChatId
    agent_id: AgentId
    account_id: AccountId
    peer_id: PeerId
    agent_name: str
    chat_title: str
    state: ApprovalState
    task_status: TaskStatus
    version: int
    text: str
    draft_text: str
    reply_to_id: MessageId | None
    reasons: tuple[AskReason, ...]
    seen_up_to: MessageId
    created_at: datetime
    due_at: datetime | None = None
    decided_at: datetime | None = None
    decided_by: str = ""
    message_id: MessageId | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Approve:
    """Send it as it is."""


@dataclass(frozen=True, slots=True)
class ApproveEdited:
    """Send this text instead.

    Attributes:
        text: The operator's text, exactly as it is to arrive.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Reject:
    """Do not send it.

    Attributes:
        reason: The operator's words for the next prompt; may be empty.
    """

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take an approval back while nothing has left."""


Decision = Approve | ApproveEdited | Reject | Undo


class Verdict(StrEnum):
    """What became of a decision."""

    ACCEPTED = "accepted"
    OUTDATED = "outdated"
    """The card has another version by now; `Outcome.approval` is the new one."""
    CHANGED = "changed"
    """The conversation went on after what the operator had seen."""
    CLOSED = "closed"
    """It was decided, replaced or sent meanwhile."""
    INVALID = "invalid"
    """The edited text is blank or too long; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a decision.

    Attributes:
        verdict: What became of it.
        approval: The card as it is now.
        explanation: For the operator; empty when accepted.
    """

    verdict: Verdict
    approval: Approval
    explanation: str = ""
