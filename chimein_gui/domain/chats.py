"""Chats: one Telegram conversation of one agent."""

from dataclasses import dataclass, field
from datetime import datetime, time
from enum import StrEnum
from typing import NamedTuple

from chimein_gui.domain.ids import AccountId, AgentId, ChatId, MessageId, PeerId
from chimein_gui.domain.notes import PlanningProblem


class ChatKind(StrEnum):
    """What sort of conversation it is."""

    DM = "dm"
    GROUP = "group"
    CHANNEL = "channel"


class TrustLevel(StrEnum):
    """How much is sent without the operator (docs/behaviour.md, "Trust levels")."""

    OFF = "off"
    OBSERVE = "observe"
    REVIEW = "review"
    COUNTDOWN = "countdown"
    AUTO = "auto"


AUTOMATIC = frozenset({TrustLevel.COUNTDOWN, TrustLevel.AUTO})
"""Levels at which a named rule may decide."""


class TriggerMode(StrEnum):
    """Which messages trigger a plan in a group; a DM has only EVERY and NEVER."""

    CALLOUTS = "callouts"
    EVERY = "every message"
    NEVER = "never"


class MuteState(StrEnum):
    """Whether the account has muted a DM, as far as it is known."""

    HEARD = "heard"
    MUTED = "muted"
    AWAITED = "awaited"
    """Unknown yet; a look-up is running."""
    UNTOLD = "untold"
    """Unknown, because Telegram did not say."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Hours without automatic sends, in the agent's time zone; may span midnight.

    Attributes:
        begins: Local time of day.
        ends: Local time of day; equal to `begins` means never quiet.
    """

    begins: time
    ends: time


class PinKind(StrEnum):
    """What the operator has fixed about a message; the values are stored.

    Attributes:
        IN: Every later plan takes it.
        OUT: No later plan takes it, unless it answers it.
        ONCE: The next plan that is made takes it; then the pin is gone.
    """

    IN = "+"
    OUT = "-"
    ONCE = "*"


class ContextPin(NamedTuple):
    """A message that the operator has fixed for later plans of its chat."""

    message_id: MessageId
    kind: PinKind


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """The operator's settings of one chat; None and empty mean the value of the agent or the preferences.

    Attributes:
        trust: Trust level set here, or None for the agent's.
        trust_until: When `auto` falls back to `review`, aware UTC; None = no time limit.
        triggers: Which messages trigger a plan; None for the default of its kind.
        quiet_hours: Hours without automatic sends.
        allow_bots: Bots may trigger.
        allow_agents: Our own other agents may trigger, at most three turns in a row.
        trust_since: When the operator set the trust level here, aware UTC; None if unknown.
        pins: Messages pinned in or out of the context, one pin each, by their ids.
    """

    trust: TrustLevel | None = None
    trust_until: datetime | None = None
    triggers: TriggerMode | None = None
    quiet_hours: QuietHours | None = None
    allow_bots: bool = False
    allow_agents: bool = False
    trust_since: datetime | None = None
    pins: tuple[ContextPin, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatInfo:
    """A chat as Telegram describes it, before it has a row.

    Attributes:
        account_id: The account that has the chat.
        peer_id: Marked peer id.
        kind: DM, group or channel.
        title: The partner's or group's name, foreign text.
        username: Without the ``@``; empty for none.
        members: Number of members of a group, with the account itself; 0 if unknown. It changes often, so two
            descriptions that differ only in it are equal.
    """

    account_id: AccountId
    peer_id: PeerId
    kind: ChatKind
    title: str
    username: str = ""
    members: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Chat:
    """The snapshot of a chat that panes show.

    Attributes:
        chat_id: Row id.
        agent_id: The agent it belongs to.
        info: Peer, kind, title.
        trust: The active trust level.
        planned_up_to: Newest message id that was answered, or for which it was decided not to answer.
        read_up_to: Newest incoming id this account has marked as read.
        partner_read_up_to: Newest outgoing id the partner has read.
        newest_in_id: Newest incoming message id; 0 for none.
        unread: Incoming messages above `read_up_to`.
        pending: Planned sends that wait for a decision.
        postponed: How many of them the operator has postponed. The engine counts them in `pending`; only the view
            models, which follow the time, count them here instead.
        last_text: One line of the newest message, foreign text; empty if it has no text.
        last_media: Kind of its media or of its service action; else empty.
        last_out: True when the newest message is ours.
        last_at: Its time, aware UTC; None for an empty chat.
        planning: True while a plan is being made.
        planning_problem: Why the last plan could not be made, or a remark on it; None for no problem.
        settings: What the operator has set for this chat.
        takeover_until: End of the agent's pause after the operator wrote in the chat, aware UTC; or None.
        agent_turns: Turns in a row between our own agents, since a person wrote.
        may_write: False where Telegram forbids this account to write.
    """

    chat_id: ChatId
    agent_id: AgentId
    info: ChatInfo
    trust: TrustLevel = TrustLevel.REVIEW
    planned_up_to: MessageId = MessageId(0)
    read_up_to: MessageId = MessageId(0)
    partner_read_up_to: MessageId = MessageId(0)
    newest_in_id: MessageId = MessageId(0)
    unread: int = 0
    pending: int = 0
    postponed: int = 0
    last_text: str = ""
    last_media: str = ""
    last_out: bool = False
    last_at: datetime | None = None
    planning: bool = False
    planning_problem: PlanningProblem | None = None
    settings: ChatSettings = ChatSettings()
    takeover_until: datetime | None = None
    agent_turns: int = 0
    may_write: bool = True

    @property
    def is_forgotten(self) -> bool:
        """Whether its partner was forgotten, and has not written since: then it has neither name nor messages."""
        return self.info.kind is ChatKind.DM and not self.info.title and self.last_at is None


@dataclass(frozen=True, slots=True)
class Unsent:
    """Text that the operator has typed in a chat and not sent.

    Attributes:
        chat_id: The chat; the text is offered in no other.
        text: As typed.
        reply_to_id: The message it answers, or None.
    """

    chat_id: ChatId
    text: str
    reply_to_id: MessageId | None = None
