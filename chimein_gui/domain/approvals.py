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
    ShelfId,
    TaskId,
)
from chimein_gui.domain.notes import Note, NoteKind, is_of
from chimein_gui.domain.plans.outgoing_files import OutgoingFile
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.tasks import ApprovalState, CancelReason, LedgerState, Origin, TaskKind, TaskStatus

OPERATOR = "operator"
"""Who decided, where it was no rule."""


class AskReason(StrEnum):
    """Why a planned send waits for the operator; the strongest first."""

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
    """Return the reasons with one more, the strongest first."""
    return tuple(sorted({*reasons, reason}, key=list(AskReason).index))


class Rule(StrEnum):
    """The named rules that may decide without the operator."""

    AUTO_TRUST = "auto trust"
    COUNTDOWN_TRUST = "countdown trust"


@dataclass(frozen=True, slots=True)
class RevokedRule:
    """A trust level that was taken back, as it was before.

    Attributes:
        chat_id: Where it was revoked.
        agent_id: Whose chat that is.
        level: What was set, or confirmed.
        until: When it was to end, aware UTC; or None.
        since: When the operator had set it, aware UTC; or None.
        for_chat: It was set for this chat; else it is the agent's, and was confirmed for all its chats.
        left: The chat's own level since then; None if it follows its agent.
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
        state: State of the approval.
        task_status: State of the planned send.
        version: Counts every change of what would be sent or of what speaks against it; `decide` names it.
        text: What would be sent, in Markdown; of a deed its reason, perhaps empty.
        draft_text: What the model wrote; differs from `text` after an edit.
        reply_to_id: The message it answers, or None.
        reasons: Why it asks.
        seen_up_to: Revision up to which whoever decided had seen the chat; a newer `changed_at` makes it stale.
        created_at: When it was planned, aware UTC.
        kind: What it does.
        sticker: The sticker, for the kind `sticker`.
        file: The photo or file, for the kind `file`; the text is its caption.
        changed_at: Revision of the last thing that makes it "conversation changed"; 0 if nothing did.
        covers_up_to: Newest incoming message that was in its prompt: what a confirmation answers and reads.
        newer: How many messages of others came since, without making it stale.
        origin: Who asked for it: a plan, the operator's composer, a command.
        due_at: When it leaves at the earliest once approved, aware UTC; None before.
        postponed_until: Not before this time, aware UTC; None unless the operator postponed it.
        decided_at: When it was decided, aware UTC; None while open.
        decided_by: ``operator`` or the name of a rule; empty while open.
        parts: Its requests in order, once decided; more than one for a split text.
        message_id: The sent message (of the last part), once there is one.
        note: What happened last (a refusal of Telegram's, a wait), or None.
        context_held: How many messages its prompt held, where they were chosen; 0 where history was taken.
        context_of: Of how many that was.
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
        """Tell whether the conversation changed after what the decision, or the card, has seen."""
        return self.changed_at > self.seen_up_to

    @property
    def is_edited(self) -> bool:
        """Tell whether the operator changed what the model wrote."""
        return self.text != self.draft_text

    @property
    def is_cut_off(self) -> bool:
        """Tell whether the model did not come to the end of its reply; what the operator edited is his own text."""
        return AskReason.CUT_OFF in self.reasons and not self.is_edited

    @property
    def shown_reasons(self) -> tuple[AskReason, ...]:
        """Return why it asks as it is now: `reasons` keeps what an edit that is taken back brings again."""
        return self.reasons if self.is_cut_off else tuple(one for one in self.reasons if one is not AskReason.CUT_OFF)

    @property
    def by_rule(self) -> bool:
        """Tell whether a named rule decided, not the operator."""
        return self.decided_by in set(Rule)


TAKEN_UP = Note(NoteKind.TAKEN_UP)
"""What an old card says once it was taken up: a second press makes no second one."""


def may_be_taken_up(approval: Approval) -> bool:
    """Tell whether "send anyway" or "send this one" is offered for a card."""
    if approval.note == TAKEN_UP:
        return False
    if approval.task_status is TaskStatus.CANCELLED:
        return is_of(approval.note, CancelReason.SUPERSEDED_AFTER_APPROVAL)
    return approval.task_status in {TaskStatus.OBSERVED, TaskStatus.FAILED}


def may_be_returned(approval: Approval) -> bool:
    """Tell whether a rejection can be taken back, by a new planned send of the same text; a part of it is too late."""
    rejected = approval.state is ApprovalState.REJECTED and approval.task_status is TaskStatus.SKIPPED
    return rejected and approval.note != TAKEN_UP and AskReason.PARTLY_SENT not in approval.reasons


@dataclass(frozen=True, slots=True)
class SavedEdit:
    """An edit of the operator's whose draft was replaced.

    Attributes:
        shelf_id: Row id.
        chat_id: The conversation.
        base: The draft the edit began from.
        mine: The operator's text.
        position: Which send of its plan it was, from 0: drafts pair by send order.
        paired_with: The new draft it stands beside, or None: "use as message".
        created_at: Aware UTC.
        result: What a comparison had made of it when it was read, as `MergedText.state` tells it; empty: nothing.
    """

    shelf_id: ShelfId
    chat_id: ChatId
    base: str
    mine: str
    position: int
    paired_with: ApprovalId | None
    created_at: datetime
    result: str = ""


@dataclass(frozen=True, slots=True)
class Approve:
    """Send it as it is.

    Attributes:
        carried: As in `ApproveEdited`.
    """

    carried: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ApproveEdited:
    """Send this text instead.

    Attributes:
        text: The operator's text, exactly as it is to arrive.
        carried: Earlier wordings of it, typed on drafts that this one replaced: they are used up with it.
    """

    text: str
    carried: frozenset[str] = frozenset()


class RejectionCause(StrEnum):
    """Why a planned send was rejected, from a short list."""

    WRONG_FACTS = "wrong facts"
    WRONG_TONE = "wrong tone"
    TOO_LONG = "too long"
    NOT_NOW = "not now"
    WRONG_PERSON = "wrong person"
    OTHER = "other"


def rejection_words(cause: RejectionCause | None, words: str) -> str:
    """Return what the next prompt says of a rejection: the picked cause, the operator's words, or both."""
    named = "" if cause in (None, RejectionCause.OTHER) else str(cause)
    return ": ".join(part for part in (named, words) if part)


@dataclass(frozen=True, slots=True)
class Reject:
    """Do not send it.

    Attributes:
        reason: The operator's words for the next prompt; may be empty.
        cause: Picked from the short list; None = none.
    """

    reason: str = ""
    cause: RejectionCause | None = None


@dataclass(frozen=True, slots=True)
class RejectPlan:
    """Do not send it, nor anything else of its plan that has not left.

    Attributes:
        reason: The operator's words for the next prompt; may be empty.
        cause: Picked from the short list; None = none.
    """

    reason: str = ""
    cause: RejectionCause | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """Keep this text on the card without deciding yet: a typed edit is journalled.

    Attributes:
        text: The operator's text.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Postpone:
    """Decide later: the card comes back to the top at the time; nothing leaves before.

    Attributes:
        until: Aware UTC; None takes a postponement back.
    """

    until: datetime | None


@dataclass(frozen=True, slots=True)
class Undo:
    """Take an approval back while nothing has left."""


Decision = Approve | ApproveEdited | Edit | Reject | RejectPlan | Postpone | Undo


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """One decision of the operator's, on one card.

    Attributes:
        approval_id: The card.
        expected_version: The version it showed.
        decision: What to do.
        seen_up_to: What the operator had seen: the card's `changed_at` if he acknowledged, else its `seen_up_to`.
        client_id: Made by the caller; repeating it repeats the answer and changes nothing.
    """

    approval_id: ApprovalId
    expected_version: int
    decision: Decision
    seen_up_to: Revision
    client_id: str


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
    """The edited text is blank or cannot be sent; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a decision.

    Attributes:
        verdict: What became of it.
        approval: The card as it is now.
        explanation: Why it was refused; None when accepted.
    """

    verdict: Verdict
    approval: Approval
    explanation: Note | None = None
