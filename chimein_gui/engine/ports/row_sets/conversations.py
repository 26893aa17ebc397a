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
    """The personas, with what the operator confirmed of their files."""

    def all(self) -> tuple[Agent, ...]:
        """Return all agents, oldest first; health is not stored and is always STOPPED."""
        ...

    def upsert(self, spec: AgentSpec) -> Agent:
        """Insert or update by casefolded name; a new agent gets the next free identity."""
        ...

    def rename(self, agent_id: AgentId, spec: AgentSpec) -> Agent:
        """Update an agent from a spec, including its name; its id, chats and colour stay."""
        ...

    def bind_account(self, agent_id: AgentId, account_id: AccountId) -> Agent:
        """Store the account that an agent is logged in with."""
        ...

    def confirm_trust(self, agent_id: AgentId, *, confirmed: bool) -> Agent:
        """Store whether the `auto` or `countdown` of the file takes effect."""
        ...

    def owner_of(self, account_id: AccountId) -> Agent | None:
        """Return the agent that is logged in with this account; None if it is not one of our own."""
        ...

    def keep_card(self, agent_id: AgentId, name: str) -> None:
        """Store the name of the kept character card that the agent was made of."""
        ...

    def card_of(self, agent_id: AgentId) -> str:
        """Return the name of the kept character card that the agent was made of; empty if it was made of none."""
        ...


class ChatRows(Protocol):
    """The conversations of all accounts, with settings, counts and previews."""

    def get(self, chat_id: ChatId) -> Chat:
        """Return one chat, with counts and preview; raises NotFoundError."""
        ...

    def find(self, account_id: AccountId, peer_id: PeerId) -> Chat | None:
        """Return a chat by its peer; None if there is none."""
        ...

    def all(self) -> tuple[Chat, ...]:
        """Return all chats whose account is bound to an agent, newest message first."""
        ...

    def ensure(self, agent_id: AgentId, info: ChatInfo, *, planned_up_to: MessageId) -> tuple[Chat, bool]:
        """Insert (with `planned_up_to`) or update the title; the flag is True for a new chat."""
        ...

    def settings_of(self, chat_id: ChatId) -> ChatSettings:
        """Return the operator's settings for a chat, without its counts and preview; raises NotFoundError."""
        ...

    def set_settings(self, chat_id: ChatId, settings: ChatSettings) -> None:
        """Change the operator's settings for a chat; `Chat.trust` is the chat's own, else the agent's, else review."""
        ...

    def set_takeover(self, chat_id: ChatId, until: datetime | None) -> None:
        """Pause the agent in a chat, or end the pause."""
        ...

    def set_agent_turns(self, chat_id: ChatId, turns: int) -> None:
        """Set the number of turns in a row between our own agents."""
        ...

    def keep_unsent(self, unsent: Unsent) -> None:
        """Store the operator's unsent text of a chat; an empty text deletes it."""
        ...

    def unsent(self) -> tuple[Unsent, ...]:
        """Return the operator's unsent texts, by chat."""
        ...

    def set_may_write(self, chat_id: ChatId, *, may_write: bool) -> None:
        """Store whether Telegram lets this account write there."""
        ...

    def of_account(self, account_id: AccountId) -> tuple[ChatId, ...]:
        """Return the chats of an account."""
        ...

    def known_up_to(self, account_id: AccountId) -> Mapping[PeerId, MessageId]:
        """Return the newest known id of each chat of an account: stored, or counted as answered."""
        ...

    def with_news(self, agent_id: AgentId) -> tuple[ChatId, ...]:
        """Return the chats of an agent's account that have incoming messages newer than the answered ones."""
        ...

    def set_planned_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        """Raise (never lower) the id up to which messages are answered."""
        ...

    def set_read_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        """Raise (never lower) the id up to which this account has read; the unread count is updated."""
        ...

    def set_answered_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        """Raise (never lower) the ids up to which messages are answered and read; the unread count is updated."""
        ...

    def set_partner_read_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        """Raise (never lower) the id up to which the partner has read."""
        ...

    def set_planning_problem(self, chat_id: ChatId, problem: PlanningProblem | None) -> None:
        """Store why the last plan could not be made; empty clears it."""
        ...


class MessageRows(Protocol):
    """The messages of each account with each peer, as it sees them."""

    def put(self, chat_id: ChatId, message: Message) -> bool:
        """Insert by key and update newest id and unread count; an existing row stays, and False is returned."""
        ...

    def edit(self, message: Message) -> bool:
        """Update text, entities, media and edited_at of an existing row; False if there is none or nothing changed."""
        ...

    def set_reactions(self, key: MessageKey, reactions: tuple[Reaction, ...]) -> bool:
        """Replace the reactions to a message; False if there is no such row or nothing changed."""
        ...

    def mark_deleted(
        self, account_id: AccountId, peer_id: PeerId | None, ids: tuple[MessageId, ...]
    ) -> tuple[tuple[ChatId, Message], ...]:
        """Mark rows as deleted (without a peer: over non-channel peers) and return those that changed."""
        ...

    def get(self, key: MessageKey) -> Message | None:
        """Return one message; None if it is not stored."""
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
        """Return up to `limit` newest stored ids, incoming and outgoing, newest first."""
        ...

    def newest_id(self, account_id: AccountId, peer_id: PeerId) -> MessageId:
        """Return the newest stored id, incoming or outgoing; 0 for an empty chat."""
        ...

    def has_outgoing(self, account_id: AccountId, peer_id: PeerId) -> bool:
        """Return whether this account has ever written there, from any device."""
        ...

    def count_in(self, account_id: AccountId, peer_id: PeerId, *, above_id: MessageId) -> int:
        """Count the incoming messages above an id that are not deleted ("12 newer")."""
        ...
