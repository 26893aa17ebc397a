"""Chats: one Telegram conversation of one agent."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chimein_gui.domain.ids import AccountId, AgentId, ChatId, MessageId, PeerId


class ChatKind(StrEnum):
    """What sort of conversation it is."""

    DM = "dm"
    GROUP = "group"
    CHANNEL = "channel"


class TrustLevel(StrEnum):
    """How much leaves without the operator (SPEC §6)."""

    REVIEW = "review"
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class ChatInfo:
    """What Telegram tells of a chat, before it has a row.

    Attributes:
        account_id: Whose chat.
        peer_id: Marked peer id.
        kind: DM, group or channel.
        title: The partner's or group's name, foreign text.
        username: Without the ``@``; empty where there is none.
    """

    account_id: AccountId
    peer_id: PeerId
    kind: ChatKind
    title: str
    username: str = ""


@dataclass(frozen=True, slots=True)
class Chat:
    """The snapshot of a chat that panes show.

    Attributes:
        chat_id: Row id.
        agent_id: The agent it belongs to.
        info: Peer, kind, title.
        trust: Trust level in force.
        planned_up_to: Newest message id that has been answered or decided not to be (SPEC §3.1).
        read_up_to: Newest incoming id this account has marked as read.
        partner_read_up_to: Newest outgoing id the partner has read.
        newest_in_id: Newest incoming message id; 0 when there is none.
        unread: Incoming messages above `read_up_to`.
        pending: Planned sends that wait for a decision.
        last_text: One line of the newest message, foreign text; empty where it has none.
        last_media: Kind of its media, or of what Telegram itself tells by it; else empty.
        last_out: True when the newest message is ours.
        last_at: Its time, aware UTC; None for an empty chat.
        planning: True while a plan is being made.
        planning_problem: Why the last plan could not be made, for the operator; empty if all is well.
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
    last_text: str = ""
    last_media: str = ""
    last_out: bool = False
    last_at: datetime | None = None
    planning: bool = False
    planning_problem: str = ""
