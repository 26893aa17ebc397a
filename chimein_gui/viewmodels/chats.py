"""Two levels: agents, and below each its chats, newest first."""

from __future__ import annotations

from bisect import bisect_left
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt, QTimer, Signal

from chimein_gui.domain.agents import Agent
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.events import AgentChanged, ChatChanged, PartnerTyping
from chimein_gui.viewmodels.live_rows import LiveRows
from chimein_gui.viewmodels.roles import Index, ItemRole, KeyRole, SortRole

if TYPE_CHECKING:
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId, ChatId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.bridge import EngineBridge
    from chimein_gui.viewmodels.clock_face import ClockFace
    from chimein_gui.viewmodels.console import Console

_TOP = 0
"""Internal id of agent rows; chat rows carry their agent's id, which starts at 1."""


class _Branch:
    """An agent and its chats."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.chats: list[Chat] = []


def _order(chat: Chat) -> tuple[float, int]:
    return (-(chat.last_at.timestamp() if chat.last_at else 0.0), chat.chat_id)


class ChatTreeModel(QAbstractItemModel):
    """The conversations of all agents.

    Attributes:
        chat_changed: A chat's snapshot (or whether its partner types) is new; carries the chat id.
        failed: What could not be read.
    """

    chat_changed = Signal(object)
    failed = Signal(str)

    def __init__(self, bridge: EngineBridge, clock: ClockFace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._branches: list[_Branch] = []
        self._orphans: dict[ChatId, Chat] = {}
        self._typing: dict[ChatId, datetime] = {}
        self._live_agents = LiveRows(bridge, self._apply_agent, self)
        self._live_chats = LiveRows(bridge, self._apply_chat, self)
        for live in (self._live_agents, self._live_chats):
            live.failed.connect(self.failed)
        self._typing_ends = QTimer(self)
        self._typing_ends.setSingleShot(True)
        self._typing_ends.timeout.connect(self._end_typing)

    def attach(self, console: Console, spawn: Spawn) -> None:
        """Fetch agents and chats; the bridge must be attached before."""
        self._live_agents.fetch(spawn, console.load_agents, self._fill_agents, name="load agents of the tree")
        self._live_chats.fetch(spawn, console.load_chats, self._fill_chats, name="load chats")

    # --- what panes ask -------------------------------------------------------------------------------------------

    def chat(self, chat_id: ChatId) -> Chat | None:
        """Return a chat by id."""
        return next((chat for branch in self._branches for chat in branch.chats if chat.chat_id == chat_id), None)

    def agent(self, agent_id: AgentId) -> Agent | None:
        """Return an agent by id."""
        return next((branch.agent for branch in self._branches if branch.agent.agent_id == agent_id), None)

    def index_of_chat(self, chat_id: ChatId) -> QModelIndex:
        """Return where a chat stands; invalid if it does not."""
        for branch in self._branches:
            for row, chat in enumerate(branch.chats):
                if chat.chat_id == chat_id:
                    return self.createIndex(row, 0, branch.agent.agent_id)
        return QModelIndex()

    def is_typing(self, chat_id: ChatId) -> bool:
        """Tell whether the partner is typing now."""
        return chat_id in self._typing

    def totals(self) -> tuple[int, int, int]:
        """Return the numbers of agents, chats and unread messages."""
        chats = [chat for branch in self._branches for chat in branch.chats]
        return len(self._branches), len(chats), sum(chat.unread for chat in chats)

    # --- Qt -------------------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008 - Qt's default
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, column, _TOP)
        return self.createIndex(row, column, self._branches[parent.row()].agent.agent_id)

    def parent(self, child: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008 - Qt's default
        if not child.isValid() or child.internalId() == _TOP:
            return QModelIndex()
        row = self._branch_row(child.internalId())
        return QModelIndex() if row < 0 else self.createIndex(row, 0, _TOP)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        if not parent.isValid():
            return len(self._branches)
        if parent.internalId() != _TOP or parent.column() > 0:
            return 0
        return len(self._branches[parent.row()].chats)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        item = self._item(index)
        if item is None:
            return None
        if role == ItemRole:
            return item
        if role == KeyRole:
            return item.chat_id if isinstance(item, Chat) else item.agent_id
        if role == SortRole:
            return _order(item) if isinstance(item, Chat) else item.agent_id
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._chat_sentence(item) if isinstance(item, Chat) else self._agent_sentence(item)
        return None

    def _item(self, index: Index) -> Agent | Chat | None:
        if not index.isValid():
            return None
        if index.internalId() == _TOP:
            return self._branches[index.row()].agent if index.row() < len(self._branches) else None
        row = self._branch_row(index.internalId())
        chats = self._branches[row].chats if row >= 0 else []
        return chats[index.row()] if index.row() < len(chats) else None

    def _agent_sentence(self, agent: Agent) -> str:
        pending = sum(chat.pending for chat in self._branches[self._branch_row(agent.agent_id)].chats)
        waits = self.tr("{n} waiting for you").format(n=pending) if pending else ""
        return ", ".join(part for part in (agent.spec.name, agent.health.value, waits) if part)

    def _chat_sentence(self, chat: Chat) -> str:
        parts = [
            chat.info.title,
            self.tr("typing") if self.is_typing(chat.chat_id) else "",
            self.tr("{n} planned, waiting for you").format(n=chat.pending) if chat.pending else "",
            self.tr("{n} unread").format(n=chat.unread) if chat.unread else "",
            self.tr("plan is being made") if chat.planning else "",
            chat.planning_problem,
            self.tr("trust {level}").format(level=chat.trust.value),
            (self.tr("you: {text}") if chat.last_out else "{text}").format(text=chat.last_text),
            self._clock.stamp(chat.last_at) if chat.last_at else "",
        ]
        return ", ".join(part for part in parts if part)

    # --- changes --------------------------------------------------------------------------------------------------

    def _branch_row(self, agent_id: int) -> int:
        return next((row for row, branch in enumerate(self._branches) if branch.agent.agent_id == agent_id), -1)

    def _fill_agents(self, agents: tuple[Agent, ...]) -> None:
        for agent in agents:
            self._upsert_agent(agent)

    def _fill_chats(self, chats: tuple[Chat, ...]) -> None:
        for chat in chats:
            self._upsert_chat(chat)

    def _apply_agent(self, event: EngineEvent) -> None:
        if isinstance(event, AgentChanged):
            self._upsert_agent(event.agent)

    def _apply_chat(self, event: EngineEvent) -> None:
        if isinstance(event, ChatChanged):
            self._upsert_chat(event.chat)
        elif isinstance(event, PartnerTyping):
            self._typing[event.chat_id] = event.until
            self._end_typing()
            self._touch(event.chat_id)

    def _upsert_agent(self, agent: Agent) -> None:
        row = self._branch_row(agent.agent_id)
        if row >= 0:
            self._branches[row].agent = agent
            index = self.createIndex(row, 0, _TOP)
            self.dataChanged.emit(index, index)
            return
        place = bisect_left([branch.agent.agent_id for branch in self._branches], agent.agent_id)
        self.beginInsertRows(QModelIndex(), place, place)
        self._branches.insert(place, _Branch(agent))
        self.endInsertRows()
        # A chat may be told of before its agent is.
        for chat in [chat for chat in self._orphans.values() if chat.agent_id == agent.agent_id]:
            self._upsert_chat(self._orphans.pop(chat.chat_id))

    def _upsert_chat(self, chat: Chat) -> None:
        branch_row = self._branch_row(chat.agent_id)
        if branch_row < 0:
            self._orphans[chat.chat_id] = chat
            return
        branch = self._branches[branch_row]
        parent = self.createIndex(branch_row, 0, _TOP)
        old = next((row for row, known in enumerate(branch.chats) if known.chat_id == chat.chat_id), -1)
        if old < 0:
            place = bisect_left(branch.chats, _order(chat), key=_order)
            self.beginInsertRows(parent, place, place)
            branch.chats.insert(place, chat)
            self.endInsertRows()
        else:
            self._move_chat(branch, parent, old, chat)
        self.dataChanged.emit(parent, parent)
        self._touch(chat.chat_id)

    def _move_chat(self, branch: _Branch, parent: QModelIndex, old: int, chat: Chat) -> None:
        rest = branch.chats[:old] + branch.chats[old + 1 :]
        place = bisect_left(rest, _order(chat), key=_order)
        if place == old:
            branch.chats[old] = chat
            return
        # Qt counts the destination before the row is taken out.
        self.beginMoveRows(parent, old, old, parent, place if place < old else place + 1)
        branch.chats = [*rest[:place], chat, *rest[place:]]
        self.endMoveRows()

    def _touch(self, chat_id: ChatId) -> None:
        index = self.index_of_chat(chat_id)
        if index.isValid():
            self.dataChanged.emit(index, index)
        self.chat_changed.emit(chat_id)

    def _end_typing(self) -> None:
        now = self._clock.now()
        for chat_id in [key for key, until in self._typing.items() if until <= now]:
            del self._typing[chat_id]
            self._touch(chat_id)
        if self._typing:
            next_end = min(self._typing.values())
            self._typing_ends.start(max(20, int((next_end - now).total_seconds() * 1000) + 20))
