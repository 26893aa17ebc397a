"""Agents with their sorted chats, as plain data below the tree model."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.agents import Agent
from chimein_gui.domain.chats import Chat
from chimein_gui.viewmodels.chats.filter import ChatFilter, names_of, needs_operator
from chimein_gui.viewmodels.chats.show import Show

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AgentId, ChatId

ChatOrder = tuple[float, ...]

PAGE_CHATS = 200
"""Chats of an agent shown at first, and added by `show_more`: a tree lays out every row it has."""

ROWS_AT_FIRST = 600
"""Chats of all agents together shown at first: with many agents each shows fewer."""

LEAST_AT_FIRST = 10

TOP = 0
"""Internal id of agent rows; chat rows carry their agent's id, which starts at 1."""

MOST_CHATS = 3 * PAGE_CHATS
"""Most rows of one agent: every layout costs time for each row."""


PINNED = 1e12
"""Seconds, later than any message: a pinned chat comes before all others."""


def chat_order(chat: Chat, *, pinned: bool = False) -> ChatOrder:
    """Return the sort key of a chat: pinned ones first, then the newest message first."""
    return (-(chat.last_at.timestamp() if chat.last_at else 0.0) - (PINNED if pinned else 0.0), chat.chat_id)


class Branch:
    """An agent and its chats; those that the filter accepts are listed.

    A chat's snapshot may be newer than its place: `misplaced` holds the chats that have to move.

    Attributes:
        pending: Number of planned sends of all chats that wait for a decision.
        unread: Number of unread messages in all chats.
        unread_chats: Number of chats with unread messages.
        needing_chats: Number of chats that need the operator.
        page: Number of chats that get rows at first.
        shown: Number of chats that have rows: the first ones of those listed.
        asked: The filter.
        kept_visible: The current chat if its place is far below the shown ones, with the sort key of their end;
            ignored once another chat is current.
    """

    def __init__(self, agent: Agent, asked: ChatFilter, pinned: AbstractSet[ChatId] = frozenset()) -> None:
        self.agent, self._pinned = agent, pinned
        self.asked = asked
        self.pending = 0
        self.unread = 0
        self.unread_chats = 0
        self.needing_chats = 0
        self.page = PAGE_CHATS
        self.shown = 0
        self.misplaced: set[ChatId] = set()
        self.kept_visible: tuple[ChatId, ChatOrder] | None = None
        self._ids: list[ChatId] = []
        self._orders: list[ChatOrder] = []
        self._chats: dict[ChatId, Chat] = {}
        self._placed_by: dict[ChatId, ChatOrder] = {}
        self._order_of: dict[ChatId, ChatOrder] = {}
        self._names: dict[ChatId, str] = {}
        self._named_for = ""

    def __len__(self) -> int:
        return len(self._ids)

    def total(self) -> int:
        """Return the number of all chats, listed or not."""
        return len(self._chats)

    def chats(self) -> tuple[Chat, ...]:
        """Return all chats: the listed ones in their order, then the others."""
        hidden = self._chats.keys() - self._placed_by.keys()
        return tuple(self._chats[chat_id] for chat_id in (*self._ids, *sorted(hidden)))

    def chat(self, chat_id: ChatId) -> Chat | None:
        """Return a chat by id, or None."""
        return self._chats.get(chat_id)

    def chat_at(self, row: int) -> Chat | None:
        """Return the chat of a row; None outside the listed ones."""
        return self._chats[self._ids[row]] if 0 <= row < len(self._ids) else None

    def row_of(self, chat_id: ChatId) -> int:
        """Return a chat's row among the listed ones, or -1."""
        order = self._placed_by.get(chat_id)
        return -1 if order is None else bisect_left(self._orders, order)

    def accepts(self, chat: Chat) -> bool:
        """Tell whether the filter lists a chat."""
        return not chat.is_forgotten and self.asked.accepts(chat, self._names_of(chat))

    def _names_of(self, chat: Chat) -> str:
        """Return a chat's names as the filter compares them; cached until the agent's name changes."""
        if self._named_for != self.agent.spec.name:
            self._named_for = self.agent.spec.name
            self._names.clear()
        names = self._names.get(chat.chat_id)
        if names is None:
            names = self._names[chat.chat_id] = names_of(chat, self._named_for)
        return names

    def _all_names(self) -> dict[ChatId, str]:
        """Return the names of all chats: looking up each one separately costs more than the search."""
        if len(self._names) < len(self._chats) or self._named_for != self.agent.spec.name:
            for chat in self._chats.values():
                self._names_of(chat)
        return self._names

    def place_for(self, chat: Chat) -> int:
        """Return the row for a new chat."""
        return bisect_left(self._orders, self._order(chat))

    def shows_at(self, place: int) -> bool:
        """Tell whether a chat inserted at this place gets a row."""
        return place < self.shown or (place == self.shown == len(self._ids) and place < self.page)

    def insert(self, chat: Chat, place: int) -> None:
        """Add a new chat; a negative place leaves it unlisted."""
        self._chats[chat.chat_id] = chat
        self._order_of[chat.chat_id] = chat_order(chat, pinned=chat.chat_id in self._pinned)
        self._count(chat, 1)
        if place >= 0:
            self._list(chat, place)

    def change(self, chat: Chat) -> None:
        """Replace a chat's snapshot without moving the chat."""
        before = self._chats[chat.chat_id]
        self._count(before, -1)
        self._count(chat, 1)
        self._chats[chat.chat_id] = chat
        self._order_of[chat.chat_id] = chat_order(chat, pinned=chat.chat_id in self._pinned)
        if before.info != chat.info:
            self._names.pop(chat.chat_id, None)
        self.look_at(chat.chat_id)

    def look_at(self, chat_id: ChatId) -> None:
        """Update whether a chat is in `misplaced`."""
        chat = self._chats[chat_id]
        wanted = self._order(chat) if self.accepts(chat) else None
        if self._placed_by.get(chat_id) == wanted:
            self.misplaced.discard(chat_id)
        else:
            self.misplaced.add(chat_id)

    def keep_visible(self, chat_id: ChatId) -> None:
        """Put the current chat at the end of the shown ones while it is current; it moves with the next `move`."""
        last = next((one for one in reversed(self._ids[: self.shown]) if one != chat_id), None)
        if last is not None:
            self.kept_visible = (chat_id, (*self._placed_by[last], 0))  # directly after `last`, before any other
        self.look_at(chat_id)

    def _order(self, chat: Chat) -> ChatOrder:
        """Return the sort key of a chat: `chat_order` for all but a lifted one."""
        order = self._order_of.get(chat.chat_id) or chat_order(chat, pinned=chat.chat_id in self._pinned)
        if self.kept_visible is None or not self.kept_visible[0] == chat.chat_id == self.asked.kept:
            return order
        return min(order, self.kept_visible[1])

    def way_of(self, chat_id: ChatId) -> tuple[int, int]:
        """Return a chat's row and its new row, counted with the chat still at its old place.

        The first is -1 for a chat that is not listed, the second for one that the filter does not accept.
        """
        chat = self._chats[chat_id]
        return self.row_of(chat_id), self.place_for(chat) if self.accepts(chat) else -1

    def move(self, chat_id: ChatId, old: int, place: int) -> None:
        """Move a chat to its new place; the rows are those of `way_of`, and the caller updates `shown`."""
        if old >= 0:
            del self._ids[old], self._orders[old], self._placed_by[chat_id]
            place -= place > old
        self.misplaced.discard(chat_id)
        if place >= 0:
            self._place(self._chats[chat_id], place)

    def ask(self, asked: ChatFilter) -> None:
        """Apply another filter: list and sort the chats again."""
        in_order = asked.narrows(self.asked) and not self.misplaced and self.kept_visible is None
        self.asked, self.kept_visible = asked, None
        ids = self._ids if in_order else sorted(self._chats, key=self._order_of.__getitem__)
        ids = [one for one in ids if not self._chats[one].is_forgotten]
        if asked.show is not Show.ALL:
            ids = [one for one in ids if asked.shows(self._chats[one])]
        if words := asked.split():
            names = self._all_names()
            for word in words:
                ids = [one for one in ids if word in names[one]]
        self._ids, self._orders = list(ids), [self._order_of[one] for one in ids]
        self._placed_by = dict(zip(self._ids, self._orders, strict=True))
        self.misplaced.clear()
        self.shown = min(len(self._ids), self.page)

    def _list(self, chat: Chat, place: int) -> None:
        self.shown += self.shows_at(place)
        self._place(chat, place)

    def _place(self, chat: Chat, place: int) -> None:
        order = self._order(chat)
        self._ids.insert(place, chat.chat_id)
        self._orders.insert(place, order)
        self._placed_by[chat.chat_id] = order

    def _count(self, chat: Chat, sign: int) -> None:
        self.pending += sign * chat.pending
        self.unread += sign * chat.unread
        self.unread_chats += sign * bool(chat.unread)
        self.needing_chats += sign * needs_operator(chat)


class ChatBranches:
    """All branches, in the order of the agents' ids.

    Attributes:
        branches: One per agent.
        asked: The filter of all branches.
    """

    def __init__(self, pinned: AbstractSet[ChatId] = frozenset()) -> None:
        self.asked, self._pinned = ChatFilter(), pinned
        self.branches: list[Branch] = []
        self._agent_ids: list[AgentId] = []
        self._branch_of: dict[ChatId, Branch] = {}
        self._orphans: dict[ChatId, Chat] = {}

    def row_of(self, agent_id: int) -> int:
        """Return an agent's row, or -1."""
        row = bisect_left(self._agent_ids, agent_id)
        return row if row < len(self._agent_ids) and self._agent_ids[row] == agent_id else -1

    def branch_of(self, chat_id: ChatId) -> Branch | None:
        """Return the branch of a chat, or None."""
        return self._branch_of.get(chat_id)

    def remember(self, chat_id: ChatId, branch: Branch) -> None:
        """Record the branch of a chat."""
        self._branch_of[chat_id] = branch

    def place_for(self, agent: Agent) -> int:
        """Return the row for a new agent."""
        return bisect_left(self._agent_ids, agent.agent_id)

    def insert(self, agent: Agent, place: int) -> None:
        """Add a new agent."""
        self.branches.insert(place, Branch(agent, self.asked, self._pinned))
        self._agent_ids.insert(place, agent.agent_id)
        self._share_rows()

    def remove(self, row: int) -> None:
        """Remove an agent and its chats."""
        branch = self.branches.pop(row)
        del self._agent_ids[row]
        for chat in branch.chats():
            del self._branch_of[chat.chat_id]
        self._share_rows()

    def _share_rows(self) -> None:
        """Limit the rows that all agents together show at first: a tree lays all of them out at once."""
        page = min(PAGE_CHATS, max(LEAST_AT_FIRST, ROWS_AT_FIRST // max(1, len(self.branches))))
        for branch in self.branches:
            branch.page = page

    def chats(self) -> tuple[Chat, ...]:
        """Return the chats of all agents."""
        return tuple(chat for branch in self.branches for chat in branch.chats())

    def ask(self, asked: ChatFilter) -> None:
        """Apply another filter."""
        self.asked = asked
        for branch in self.branches:
            branch.ask(asked)

    def keep(self, chat_id: ChatId | None) -> None:
        """Let one chat pass the filter in any case, instead of the one before; nothing moves yet."""
        touched = (self.asked.kept, chat_id)
        self.asked = replace(self.asked, kept=chat_id)
        for branch in self.branches:
            branch.asked = self.asked
        for one in touched:
            branch_of = self._branch_of.get(one) if one is not None else None
            if branch_of is not None and one is not None:
                branch_of.look_at(one)

    def set_aside(self, chat: Chat) -> None:
        """Keep a chat whose agent is not known yet."""
        self._orphans[chat.chat_id] = chat

    def claim(self, agent_id: AgentId) -> list[Chat]:
        """Take out the chats that were kept for an agent."""
        mine = [chat for chat in self._orphans.values() if chat.agent_id == agent_id]
        for chat in mine:
            del self._orphans[chat.chat_id]
        return mine
