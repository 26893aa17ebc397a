"""Agents with their chats in order, as plain data below the tree model."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from chimein_gui.domain.agents import Agent
from chimein_gui.domain.chats import Chat

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AgentId, ChatId

ChatOrder = tuple[float, int]

PAGE_CHATS = 200
"""How many chats of an agent are shown at first, and by how many they grow: a tree lays out every row it has."""


def chat_order(chat: Chat) -> ChatOrder:
    """Return what chats are sorted by: the newest message first."""
    return (-(chat.last_at.timestamp() if chat.last_at else 0.0), chat.chat_id)


class Branch:
    """An agent and its chats.

    A chat's snapshot may be newer than its place: `misplaced` says which chats belong elsewhere by now.

    Attributes:
        pending: How many planned sends of all chats wait for a decision.
        unread: How many messages of all chats are unread.
        shown: How many chats have rows: the first ones.
    """

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.pending = 0
        self.unread = 0
        self.shown = 0
        self.misplaced: set[ChatId] = set()
        self._ids: list[ChatId] = []
        self._orders: list[ChatOrder] = []
        self._chats: dict[ChatId, Chat] = {}
        self._placed_by: dict[ChatId, ChatOrder] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def chats(self) -> tuple[Chat, ...]:
        """Return all chats as they stand."""
        return tuple(self._chats[chat_id] for chat_id in self._ids)

    def chat(self, chat_id: ChatId) -> Chat | None:
        """Return a chat by id."""
        return self._chats.get(chat_id)

    def chat_at(self, row: int) -> Chat | None:
        """Return the chat of a row."""
        return self._chats[self._ids[row]] if 0 <= row < len(self._ids) else None

    def row_of(self, chat_id: ChatId) -> int:
        """Return a chat's row, or -1."""
        order = self._placed_by.get(chat_id)
        return -1 if order is None else bisect_left(self._orders, order)

    def place_for(self, chat: Chat) -> int:
        """Return where a new chat belongs."""
        return bisect_left(self._orders, chat_order(chat))

    def shows_at(self, place: int) -> bool:
        """Tell whether a chat that comes to this place gets a row."""
        return place < self.shown or (place == self.shown == len(self._ids) and place < PAGE_CHATS)

    def insert(self, chat: Chat, place: int) -> None:
        """Add a chat that is not there yet."""
        self.shown += self.shows_at(place)
        order = chat_order(chat)
        self._ids.insert(place, chat.chat_id)
        self._orders.insert(place, order)
        self._placed_by[chat.chat_id] = order
        self._chats[chat.chat_id] = chat
        self.pending += chat.pending
        self.unread += chat.unread

    def change(self, chat: Chat) -> None:
        """Replace a chat's snapshot where it stands."""
        before = self._chats[chat.chat_id]
        self.pending += chat.pending - before.pending
        self.unread += chat.unread - before.unread
        self._chats[chat.chat_id] = chat
        if self._placed_by[chat.chat_id] == chat_order(chat):
            self.misplaced.discard(chat.chat_id)
        else:
            self.misplaced.add(chat.chat_id)

    def way_of(self, chat_id: ChatId) -> tuple[int, int]:
        """Return a chat's row, and the row where it belongs, counted with the chat still in its old place."""
        return self.row_of(chat_id), bisect_left(self._orders, chat_order(self._chats[chat_id]))

    def move(self, chat_id: ChatId, old: int, place: int) -> None:
        """Put a chat where it belongs; the rows are those of `way_of`."""
        order = chat_order(self._chats[chat_id])
        del self._ids[old], self._orders[old]
        place -= place > old
        self._ids.insert(place, chat_id)
        self._orders.insert(place, order)
        self._placed_by[chat_id] = order
        self.misplaced.discard(chat_id)


class ChatBranches:
    """All branches, in the order of the agents' ids."""

    def __init__(self) -> None:
        self.branches: list[Branch] = []
        self._agent_ids: list[AgentId] = []
        self._branch_of: dict[ChatId, Branch] = {}
        self._orphans: dict[ChatId, Chat] = {}

    def row_of(self, agent_id: int) -> int:
        """Return an agent's row, or -1."""
        row = bisect_left(self._agent_ids, agent_id)
        return row if row < len(self._agent_ids) and self._agent_ids[row] == agent_id else -1

    def branch_of(self, chat_id: ChatId) -> Branch | None:
        """Return the branch a chat stands in."""
        return self._branch_of.get(chat_id)

    def remember(self, chat_id: ChatId, branch: Branch) -> None:
        """Note where a chat was put."""
        self._branch_of[chat_id] = branch

    def place_for(self, agent: Agent) -> int:
        """Return where a new agent belongs."""
        return bisect_left(self._agent_ids, agent.agent_id)

    def insert(self, agent: Agent, place: int) -> None:
        """Add an agent that is not there yet."""
        self.branches.insert(place, Branch(agent))
        self._agent_ids.insert(place, agent.agent_id)

    def chats(self) -> tuple[Chat, ...]:
        """Return the chats of all agents."""
        return tuple(chat for branch in self.branches for chat in branch.chats())

    def set_aside(self, chat: Chat) -> None:
        """Keep a chat that was told of before its agent."""
        self._orphans[chat.chat_id] = chat

    def claim(self, agent_id: AgentId) -> list[Chat]:
        """Take out what was set aside for an agent."""
        mine = [chat for chat in self._orphans.values() if chat.agent_id == agent_id]
        for chat in mine:
            del self._orphans[chat.chat_id]
        return mine
