"""Details of a card besides its planned send: the conversation, the plan, the reasons, the costs."""

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
    """Nobody: it is the default of all chats."""


@dataclass(frozen=True, slots=True)
class CardStep:
    """One step of the plan, in plan order.

    Attributes:
        task_id: The step.
        kind: Kind of the step; `received` is left out.
        status: Its state.
        approval_id: The card of a planned send; None for a wait.
        text: Text to send; for an action such as a block the reason.
        sticker: The sticker, for the kind `sticker`.
        wait_s: Length of a wait in seconds.
        typing_s: Shortest time in seconds that "typing…" is shown before it; 0 for steps without typing.
        due_at: When it continues automatically, aware UTC; or None.
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
    """The trust level of the chat, and the recent automatic sends that its caps count.

    Attributes:
        trust: The active level.
        trust_until: When `auto` falls back to `review`, aware UTC; or None.
        trust_source: Who set it.
        sent_in_chat: Automatic sends of the last hour in this chat.
        sent_of_account: The same of the whole account.
        chat_cap: Cap of automatic sends per hour in a chat; 0 = no cap.
        account_cap: The same for an account.
        limited: Telegram's name of the limit if it limited the account; else empty.
        always_asks: It needs a decision of its own at every level.
        lost_rule: The plan was held before, so no rule decides for it any more.
        quiet_hours: Hours without automatic sends in this chat; or None.
        undo_s: Seconds in which the operator's decision can be undone before it is sent.
        countdown_s: Seconds in which a `countdown` decision can be stopped.
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
    """The content of the model's prompt, as far as it is known.

    Attributes:
        messages: Number of messages of the chat in the prompt; 0 if unknown.
        since: When the oldest of them was sent, aware UTC; or None.
        note: The operator's instruction, for a regenerated plan.
        problems: Parts of the reply that were left out or changed.
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
        """Return the sum of the three."""
        return self.unchanged + self.edited + self.rejected


@dataclass(frozen=True, slots=True)
class Variant:
    """Another version of the plan that may replace it.

    Attributes:
        graph_id: The version.
        instruction: The operator's instruction; may be empty.
        created_at: Aware UTC.
        drafts: Its planned sends, in order.
    """

    graph_id: GraphId
    instruction: str
    created_at: datetime
    drafts: tuple[Approval, ...]


@dataclass(frozen=True, slots=True)
class CardDetails:
    """All details of a card besides its own snapshot, read in one transaction.

    Attributes:
        approval: The card at that moment.
        chat: The conversation.
        messages: Its last messages, oldest first, deleted ones included.
        target: The message it answers, or None.
        came_since: Messages that came after the prompt was made, oldest first.
        edited_since: Messages of the prompt that were edited after it was made, oldest first.
        planned_at: When the plan was made, aware UTC.
        origin: Who made it.
        steps: The steps of the plan in order.
        remembers: What the agent remembers if the plan is accepted.
        why: The trust level and the caps.
        knew: The content of the prompt.
        calls: The model calls that made the plan, oldest first.
        decisions: Counts of the operator's decisions in this chat.
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
