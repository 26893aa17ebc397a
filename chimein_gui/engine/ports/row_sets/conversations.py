"""Row sets of agents, chats and messages."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from chimein_gui.domain.agents import Agent, AgentSpec
from chimein_gui.domain.chats import Chat, ChatInfo, ChatSettings, Unsent
from chimein_gui.domain.ids import AccountId, AgentId, ChatId, MessageId, PeerId
from chimein_gui.domain.messages import Message, MessageKey, Reaction
from chimein_gui.domain.notes import PlanningProblem


class AgentRows(Protocol):
    """Agents."""

    def all(self) -> tuple[Agent, ...]:
        """Return all agents, oldest first; health is not stored and reads STOPPED."""
        ...

    def upsert(self, spec: AgentSpec) -> Agent:
        """Insert or update by casefolded name; a new one gets the next free identity."""
        ...

    def rename(self, agent_id: AgentId, spec: AgentSpec) -> Agent:
        """Give an agent the name of this spec, and the rest of it; its id, chats and colour stay."""
        ...

    def bind_account(self, agent_id: AgentId, account_id: AccountId) -> Agent:
        """Remember the account an agent is logged in with."""
        ...

    def confirm_trust(self, agent_id: AgentId, *, confirmed: bool) -> Agent:
        """Remember whether the file's `auto` or `countdown` takes effect."""
        ...

    def owner_of(self, account_id: AccountId) -> Agent | None:
        """Return the agent that is logged in with this account, or None: are they one of our own?"""
        ...


class ChatRows(Protocol):
    """Chats."""

    def get(self, chat_id: ChatId) -> Chat:
        """Return one chat, with counts and preview; raises NotFoundError."""
        ...

    def find(self, account_id: AccountId, peer_id: PeerId) -> Chat | None:
        """Return a chat by its peer."""
        ...

    def all(self) -> tuple[Chat, ...]:
        """Return all chats whose account is bound to an agent, newest message first."""
        ...

    def ensure(self, agent_id: AgentId, info: ChatInfo, *, planned_up_to: MessageId) -> tuple[Chat, bool]:
        """Insert (with `planned_up_to`) or update the title; the flag tells whether it is new."""
        ...

    def settings_of(self, chat_id: ChatId) -> ChatSettings:
        """Return what the operator has set for a chat, without its counts and preview; raises NotFoundError."""
        ...

    def set_settings(self, chat_id: ChatId, settings: ChatSettings) -> None:
        """Change what the operator has set for a chat; `Chat.trust` follows: set here, the agent's, or review."""
        ...

    def set_takeover(self, chat_id: ChatId, until: datetime | None) -> None:
        """Pause the agent in a chat, or end the pause."""
        ...

    def set_agent_turns(self, chat_id: ChatId, turns: int) -> None:
        """Count sends in a row that answered our own other agents."""
        ...

    def keep_unsent(self, unsent: Unsent) -> None:
        """Keep what the operator has typed in a chat; an empty text forgets it."""
        ...

    def unsent(self) -> tuple[Unsent, ...]:
        """Return what the operator has typed and not sent, by chat."""
        ...

    def set_may_write(self, chat_id: ChatId, *, may_write: bool) -> None:
        """Remember whether Telegram lets this account write there."""
        ...

    def of_account(self, account_id: AccountId) -> tuple[ChatId, ...]:
        """Return the chats of an account."""
        ...

    def known_up_to(self, account_id: AccountId) -> Mapping[PeerId, MessageId]:
        """Return up to where each chat of an account is known: stored, or counted as answered."""
        ...

    def with_news(self, agent_id: AgentId) -> tuple[ChatId, ...]:
        """Return the chats of an agent's account that hold incoming messages above what was answered."""
        ...

    def set_planned_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        """Raise (never lower) what has been answered."""
        ...

    def set_read_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        """Raise (never lower) what this account has read; the unread count follows."""
        ...

    def set_answered_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        """Raise (never lower) both what has been answered and what has been read; the unread count follows."""
        ...

    def set_partner_read_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        """Raise (never lower) what the partner has read."""
        ...

    def set_planning_problem(self, chat_id: ChatId, problem: PlanningProblem | None) -> None:
        """Say why the last plan could not be made; empty clears it."""
        ...


class MessageRows(Protocol):
    """Messages."""

    def put(self, chat_id: ChatId, message: Message) -> bool:
        """Insert by key; an existing row is left alone and False returned. Newest id and unread count follow."""
        ...

    def edit(self, message: Message) -> bool:
        """Update text, entities, media and edited_at of an existing row; False if there is none or nothing changed."""
        ...

    def set_reactions(self, key: MessageKey, reactions: tuple[Reaction, ...]) -> bool:
        """Replace the reactions to a message; False when there is no such row or nothing changed."""
        ...

    def mark_deleted(
        self, account_id: AccountId, peer_id: PeerId | None, ids: tuple[MessageId, ...]
    ) -> tuple[tuple[ChatId, Message], ...]:
        """Mark rows as deleted (without a peer: over non-channel peers) and return those that changed."""
        ...

    def get(self, key: MessageKey) -> Message | None:
        """Return one message."""
        ...

    def before(
        self, account_id: AccountId, peer_id: PeerId, *, before_id: MessageId | None, limit: int
    ) -> tuple[Message, ...]:
        """Return up to `limit` newest messages below `before_id` (None: from the end), oldest first."""
        ...

    def incoming_above(
        self, account_id: AccountId, peer_id: PeerId, *, above_id: MessageId, limit: int
    ) -> tuple[Message, ...]:
        """Return up to `limit` newest incoming messages above `above_id`, oldest first."""
        ...

    def newest_ids(self, account_id: AccountId, peer_id: PeerId, *, limit: int) -> tuple[MessageId, ...]:
        """Return up to `limit` newest stored ids, in or out, newest first."""
        ...

    def newest_id(self, account_id: AccountId, peer_id: PeerId) -> MessageId:
        """Return the newest stored id, in or out; 0 for an empty chat."""
        ...

    def has_outgoing(self, account_id: AccountId, peer_id: PeerId) -> bool:
        """Tell whether this account ever wrote there, from whatever device."""
        ...

    def count_in(self, account_id: AccountId, peer_id: PeerId, *, above_id: MessageId) -> int:
        """Count the incoming messages above an id that are not deleted ("12 newer")."""
        ...
