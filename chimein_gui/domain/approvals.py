"""Approvals: the decision on one planned send."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.ids import (
    AccountId,
    AgentId,
    ApprovalId,
    ChatId,
    GraphId,
    MessageId,
    PeerId,
    Revision,
    SavedEditId,
    TaskId,
)
from chimein_gui.domain.notes import Note, NoteKind, is_of
from chimein_gui.domain.plans.outgoing_files import OutgoingFile
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.tasks import ApprovalState, CancelReason, LedgerState, Origin, TaskKind, TaskStatus

OPERATOR = "operator"
"""Value of `Approval.decided_by` when no rule decided."""


class AskReason(StrEnum):
    """Reasons why a planned send waits for the operator, strongest first."""

    NOT_DELIVERED = "perhaps not delivered"
    PARTLY_SENT = "partly sent"
    CHANGED = "conversation changed"
    IRREVERSIBLE = "cannot be taken back"
    FIRST_MESSAGE = "first message"
    CUT_OFF = "reply cut off"
    EARLIER_STEP = "earlier step rejected"
    HELD = "held"
    TAKEOVER = "you took over"
    BLOCK_UNKNOWN = "not known who is blocked"
    MUTED = "chat muted"
    MUTE_UNKNOWN = "not known whether the chat is muted"
    FROZEN = "account frozen"
    LIMITED = "account limited"
    OVERDUE = "overdue"
    CAP = "too many automatic sends"
    OLD = "older than 12 hours"
    UNSENDABLE = "cannot be sent as it is"
    SENT_ANYWAY = "sent anyway"
    REVIEW = "review"


def with_reason(reasons: tuple[AskReason, ...], reason: AskReason) -> tuple[AskReason, ...]:
    """Return the reasons with one added, strongest first."""
    return tuple(sorted({*reasons, reason}, key=list(AskReason).index))


class Rule(StrEnum):
    """The named rules that may decide without the operator."""

    AUTO_TRUST = "auto trust"
    COUNTDOWN_TRUST = "countdown trust"


_RULES = frozenset(Rule)


@dataclass(frozen=True, slots=True)
class RevokedRule:
    """A trust level that was revoked, with its settings before that.

    Attributes:
        chat_id: The chat in which it was revoked.
        agent_id: The agent of that chat.
        level: The level that was set or confirmed.
        until: When it would have ended, aware UTC; or None.
        since: When the operator had set it, aware UTC; or None.
        for_chat: True if it was set for this chat; False if it was the agent's, confirmed for all its chats.
        left: The chat's own level now; None if it follows its agent.
    """

    chat_id: ChatId
    agent_id: AgentId
    level: TrustLevel
    until: datetime | None = None
    since: datetime | None = None
    for_chat: bool = True
    left: TrustLevel | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One request of a planned send: a part of a split text, a sticker, a block.

    Attributes:
        index: Place in the send, from 0.
        state: State of its ledger row.
        message_id: The sent message, once there is one.
    """

    index: int
    state: LedgerState
    message_id: MessageId | None = None


@dataclass(frozen=True, slots=True)
class Approval:
    """Snapshot of one decision, for lists and cards.

    Attributes:
        approval_id: Row id.
        task_id: The planned send.
        graph_id: The plan it belongs to.
        chat_id: The conversation.
        agent_id: The agent that writes.
        account_id: The sending account.
        peer_id: The receiving peer.
        agent_name: Name of the agent.
        chat_title: Name of the recipient, foreign text.
        state: State of the approval.
        task_status: State of the planned send.
        version: Incremented with each change of the text or of the reasons against sending it; `decide` names it.
        text: Text to send, in Markdown; for an action such as a block the reason, perhaps empty.
        draft_text: What the model wrote; differs from `text` after an edit.
        reply_to_id: The message it answers, or None.
        reasons: Why it needs a decision.
        seen_up_to: Revision up to which the chat was seen by the decision maker; a newer `changed_at` makes it stale.
        created_at: When it was planned, aware UTC.
        kind: Kind of the step.
        sticker: The sticker, for the kind `sticker`.
        file: The photo or file, for the kind `file`; the text is its caption.
        changed_at: Revision of the last thing that makes it "conversation changed"; 0 if nothing did.
        covers_up_to: Newest incoming message in its prompt; a confirmation marks messages up to it as answered and
            read.
        newer: How many messages of others came since, without making it stale.
        origin: Who requested it: a plan, the operator's composer, a command.
        due_at: Earliest time of sending once approved, aware UTC; None before.
        postponed_until: Not before this time, aware UTC; None unless the operator postponed it.
        decided_at: When it was decided, aware UTC; None while open.
        decided_by: ``operator`` or the name of a rule; empty while open.
        parts: Its requests in order, once decided; more than one for a split text.
        message_id: The sent message (of the last part), once there is one.
        note: The last event (a refusal by Telegram, a wait), or None.
        context_held: Number of messages in its prompt, if the context selection chose them; else 0.
        context_of: Number of messages it chose from.
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
    seen_up_to: Revision
    created_at: datetime
    kind: TaskKind = TaskKind.SEND
    sticker: StickerRef | None = None
    changed_at: Revision = Revision(0)
    covers_up_to: MessageId = MessageId(0)
    newer: int = 0
    origin: Origin = Origin.PLAN
    due_at: datetime | None = None
    postponed_until: datetime | None = None
    decided_at: datetime | None = None
    decided_by: str = ""
    parts: tuple[Part, ...] = ()
    message_id: MessageId | None = None
    note: Note | None = None
    context_held: int = 0
    context_of: int = 0
    file: OutgoingFile | None = None

    @property
    def is_stale(self) -> bool:
        """Return whether the conversation changed after what the decision, or the card, has seen."""
        return self.changed_at > self.seen_up_to

    @property
    def is_edited(self) -> bool:
        """Return whether the operator changed the model's text."""
        return self.text != self.draft_text

    @property
    def is_cut_off(self) -> bool:
        """Return whether the model's reply was cut off. An edited text is the operator's own, so it never is."""
        return AskReason.CUT_OFF in self.reasons and not self.is_edited

    @property
    def shown_reasons(self) -> tuple[AskReason, ...]:
        """Return the reasons that apply now; CUT_OFF comes back when an edit is undone, so `reasons` keeps it."""
        return self.reasons if self.is_cut_off else tuple(one for one in self.reasons if one is not AskReason.CUT_OFF)

    def is_postponed(self, now: datetime) -> bool:
        """Return whether the operator has postponed it beyond `now`, aware UTC, whatever its state."""
        return self.postponed_until is not None and self.postponed_until > now

    @property
    def by_rule(self) -> bool:
        """Return whether a named rule decided, not the operator."""
        return self.decided_by in _RULES


RESENT = Note(NoteKind.RESENT)
"""Note on an old card after it was sent again as a new one; it prevents a second new card."""


def may_be_resent(approval: Approval) -> bool:
    """Return whether "send anyway" or "send this one" is offered for a card."""
    if approval.note == RESENT:
        return False
    if approval.task_status is TaskStatus.CANCELLED:
        return is_of(approval.note, CancelReason.SUPERSEDED_AFTER_APPROVAL)
    return approval.task_status in {TaskStatus.OBSERVED, TaskStatus.FAILED}


def may_be_returned(approval: Approval) -> bool:
    """Return whether a rejection can be undone, by a new planned send of the same text; not if a part was sent."""
    rejected = approval.state is ApprovalState.REJECTED and approval.task_status is TaskStatus.SKIPPED
    return rejected and approval.note != RESENT and AskReason.PARTLY_SENT not in approval.reasons


@dataclass(frozen=True, slots=True)
class SavedEdit:
    """An edit by the operator whose draft was replaced.

    Attributes:
        saved_edit_id: Row id.
        chat_id: The conversation.
        base: The draft the edit began from.
        mine: The operator's text.
        position: Index of the send in its plan, from 0; edits are paired with new drafts by this order.
        paired_with: The new draft it is paired with, or None, which offers "use as message".
        created_at: Aware UTC.
        result: Result of a comparison when it was read, as in `MergedText.state`; empty for none.
    """

    saved_edit_id: SavedEditId
    chat_id: ChatId
    base: str
    mine: str
    position: int
    paired_with: ApprovalId | None
    created_at: datetime
    result: str = ""


@dataclass(frozen=True, slots=True)
class Approve:
    """Send the text unchanged.

    Attributes:
        carried: As in `ApproveEdited`.
    """

    carried: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ApproveEdited:
    """Send another text.

    Attributes:
        text: The operator's text, to be sent exactly as it is.
        carried: Saved edits from replaced drafts that went into this text; they are consumed with it.
    """

    text: str
    carried: frozenset[str] = frozenset()


class RejectionCause(StrEnum):
    """Reason of a rejection, from a fixed list."""

    WRONG_FACTS = "wrong facts"
    WRONG_TONE = "wrong tone"
    TOO_LONG = "too long"
    NOT_NOW = "not now"
    WRONG_PERSON = "wrong person"
    OTHER = "other"


def rejection_words(cause: RejectionCause | None, words: str) -> str:
    """Return the words for the next prompt: the picked cause, the operator's words, or both."""
    named = "" if cause in (None, RejectionCause.OTHER) else str(cause)
    return ": ".join(part for part in (named, words) if part)


@dataclass(frozen=True, slots=True)
class Reject:
    """Do not send it.

    Attributes:
        reason: The operator's words for the next prompt; may be empty.
        cause: Cause from the fixed list, or None.
    """

    reason: str = ""
    cause: RejectionCause | None = None


@dataclass(frozen=True, slots=True)
class RejectPlan:
    """Reject it together with all other unsent steps of its plan.

    Attributes:
        reason: The operator's words for the next prompt; may be empty.
        cause: Cause from the fixed list, or None.
    """

    reason: str = ""
    cause: RejectionCause | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """Store a typed edit on the card without a decision.

    Attributes:
        text: The operator's text.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Postpone:
    """Decide later: nothing is sent before the given time, then the card returns to the top.

    Attributes:
        until: Aware UTC; None cancels a postponement.
    """

    until: datetime | None


@dataclass(frozen=True, slots=True)
class Undo:
    """Undo an approval; possible while nothing of it was sent."""


Decision = Approve | ApproveEdited | Edit | Reject | RejectPlan | Postpone | Undo


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """One decision of the operator on one card.

    Attributes:
        approval_id: The card.
        expected_version: The version it showed.
        decision: What to do.
        seen_up_to: Revision the operator has seen: the card's `changed_at` if they acknowledged it, else its
            `seen_up_to`.
        client_id: Made by the caller. Repeating a request with the same id returns the same answer and changes nothing.
    """

    approval_id: ApprovalId
    expected_version: int
    decision: Decision
    seen_up_to: Revision
    client_id: str


class Verdict(StrEnum):
    """Result of a decision."""

    ACCEPTED = "accepted"
    OUTDATED = "outdated"
    """The card has a newer version, which is in `Outcome.approval`."""
    CHANGED = "changed"
    """The conversation changed after what the operator had seen."""
    CLOSED = "closed"
    """It was already decided, replaced or sent."""
    INVALID = "invalid"
    """The edited text is blank or cannot be sent; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a decision.

    Attributes:
        verdict: The result.
        approval: The card after it.
        explanation: Why it was refused; None when accepted.
    """

    verdict: Verdict
    approval: Approval
    explanation: Note | None = None
