"""What a card tells beside the planned send itself: the conversation, the plan, why it asks, what it cost."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import Chat, QuietHours, TrustLevel
from chimein_gui.domain.costs import ModelCall
from chimein_gui.domain.ids import ApprovalId, GraphId, TaskId
from chimein_gui.domain.messages import Message
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.replies.problems import ReplyProblem
from chimein_gui.domain.tasks import Origin, TaskKind, TaskStatus


class TrustSource(StrEnum):
    """Who set the trust level of a chat."""

    CHAT = "chat"
    """The operator, for this chat."""
    AGENT = "agent"
    """The agent's file."""
    DEFAULT = "default"
    """Nobody: it is the level of all chats."""


@dataclass(frozen=True, slots=True)
class CardStep:
    """One step of the plan, in its order.

    Attributes:
        task_id: The step.
        kind: What it does; `received` is left out.
        status: Its state.
        approval_id: The card of a planned send; None for a wait.
        text: What would be sent; of a deed its reason.
        sticker: The sticker, for the kind `sticker`.
        wait_s: Length of a wait in seconds.
        typing_s: How long "typing…" is shown before it, at least; 0 for what is not typed.
        due_at: When it goes on by itself, aware UTC; or None.
    """

    task_id: TaskId
    kind: TaskKind
    status: TaskStatus
    approval_id: ApprovalId | None = None
    text: str = ""
    sticker: StickerRef | None = None
    wait_s: float | None = None
    typing_s: float = 0.0
    due_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """Who decides in the chat, and how much has left there of late.

    Attributes:
        trust: The level in force now.
        trust_until: When `auto` falls back to `review`, aware UTC; or None.
        trust_source: Who set it.
        sent_in_chat: Automatic sends of the last hour in this chat.
        sent_of_account: The same of the whole account.
        chat_cap: Most of them an hour in a chat; 0 = no cap.
        account_cap: Most of them an hour of an account; 0 = no cap.
        limited: Telegram's name for the limit when it limited the account; else empty.
        always_asks: It is decided one by one whatever the level.
        lost_rule: The plan lived through a hold: no rule decides for it any more.
        quiet_hours: When nothing leaves automatically in this chat; or None.
        undo_s: How long a decision can be taken back before it leaves.
        countdown_s: How long a decision of `countdown` trust can be stopped.
    """

    trust: TrustLevel
    trust_source: TrustSource
    trust_until: datetime | None = None
    sent_in_chat: int = 0
    sent_of_account: int = 0
    chat_cap: int = 0
    account_cap: int = 0
    limited: str = ""
    always_asks: bool = False
    lost_rule: bool = False
    quiet_hours: QuietHours | None = None
    undo_s: float = 0.0
    countdown_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the model was told, as far as that is known.

    Attributes:
        messages: How many messages of the chat were in the prompt; 0 if nobody knows.
        since: When the oldest of them was sent, aware UTC; or None.
        note: The operator's instruction, of a plan that was regenerated.
        problems: What of the reply was left out.
    """

    messages: int = 0
    since: datetime | None = None
    note: str = ""
    problems: tuple[ReplyProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class DecisionCounts:
    """How the operator decided in one chat, in the last 30 days.

    Attributes:
        unchanged: Approved as the model wrote it.
        edited: Approved with another text.
        rejected: Not sent.
    """

    unchanged: int = 0
    edited: int = 0
    rejected: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.unchanged + self.edited + self.rejected


@dataclass(frozen=True, slots=True)
class Variant:
    """Another version of the plan that may take its place.

    Attributes:
        graph_id: The version.
        instruction: What the operator asked for; may be empty.
        created_at: Aware UTC.
        drafts: Its planned sends, in order.
    """

    graph_id: GraphId
    instruction: str
    created_at: datetime
    drafts: tuple[Approval, ...]


@dataclass(frozen=True, slots=True)
class CardDetails:
    """Everything a card shows beside its own snapshot, read at one moment.

    Attributes:
        approval: The card at that moment.
        chat: The conversation.
        messages: Its last messages, oldest first, deleted ones included.
        target: The message it answers, or None.
        came_since: What was written after the prompt was made, oldest first.
        edited_since: Messages of the prompt that got another text after it was made, oldest first.
        planned_at: When the plan was made, aware UTC.
        origin: Who made it.
        steps: The steps of the plan in order.
        remembers: What the agent remembers if the plan is accepted.
        why: Who decides, and the caps.
        knew: What the model was told.
        calls: The model calls that made the plan, oldest first.
        decisions: How the operator decided in this chat.
        variants: Other versions of the plan, oldest first.
    """

    approval: Approval
    chat: Chat
    messages: tuple[Message, ...]
    target: Message | None
    came_since: tuple[Message, ...]
    edited_since: tuple[Message, ...]
    planned_at: datetime
    origin: Origin
    steps: tuple[CardStep, ...]
    remembers: tuple[str, ...]
    why: Why
    knew: Knowledge
    calls: tuple[ModelCall, ...]
    decisions: DecisionCounts
    variants: tuple[Variant, ...]
