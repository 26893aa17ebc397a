"""Agents with their chats in order, as plain data below the tree model."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chimein_gui.domain.agents import Agent
from chimein_gui.domain.chats import Chat

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AgentId, ChatId


def chat_order(chat: Chat) -> tuple[float, int]:
    """Return what chats are sorted by: the newest message first."""
    return (-(chat.last_at.timestamp() if chat.last_at else 0.0), chat.chat_id)


@dataclass(slots=True)
class Branch:
    """An agent and its chats, newest first."""

    agent: Agent
    chats: list[Chat] = field(default_factory=list)

    def row_of(self, chat_id: ChatId) -> int:
        """Return a chat's row, or -1."""
        return next((row for row, chat in enumerate(self.chats) if chat.chat_id == chat_id), -1)

    def place_for(self, chat: Chat) -> int:
        """Return where a chat belongs among the others."""
        others = [other for other in self.chats if other.chat_id != chat.chat_id]
        return bisect_left(others, chat_order(chat), key=chat_order)

    def put(self, chat: Chat, place: int) -> None:
        """Set a chat at a place counted without itself."""
        self.chats = [other for other in self.chats if other.chat_id != chat.chat_id]
        self.chats.insert(place, chat)


class ChatBranches:
    """All branches, in the order of the agents' ids."""

    def __init__(self) -> None:
        self.branches: list[Branch] = []
        self._orphans: dict[ChatId, Chat] = {}

    def row_of(self, agent_id: int) -> int:
        """Return an agent's row, or -1."""
        return next((row for row, branch in enumerate(self.branches) if branch.agent.agent_id == agent_id), -1)

    def place_for(self, agent: Agent) -> int:
        """Return where a new agent belongs."""
        return bisect_left([branch.agent.agent_id for branch in self.branches], agent.agent_id)

    def chats(self) -> tuple[Chat, ...]:
        """Return the chats of all agents."""
        return tuple(chat for branch in self.branches for chat in branch.chats)

    def set_aside(self, chat: Chat) -> None:
        """Keep a chat that was told of before its agent."""
        self._orphans[chat.chat_id] = chat

    def claim(self, agent_id: AgentId) -> list[Chat]:
        """Take out what was set aside for an agent."""
        mine = [chat for chat in self._orphans.values() if chat.agent_id == agent_id]
        for chat in mine:
            del self._orphans[chat.chat_id]
        return mine
