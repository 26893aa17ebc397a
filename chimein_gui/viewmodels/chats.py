"""Two levels: agents, and below each its chats, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt, Signal

from chimein_gui.domain.agents import Agent
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.events import AgentChanged, ChatChanged, PartnerTyping
from chimein_gui.viewmodels.chat_branches import Branch, ChatBranches, chat_order
from chimein_gui.viewmodels.live_rows import LiveRows
from chimein_gui.viewmodels.roles import SPOKEN, Index, ItemRole, KeyRole, SortRole
from chimein_gui.viewmodels.typing_partners import TypingPartners

if TYPE_CHECKING:
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId, ChatId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.bridge import EngineBridge
    from chimein_gui.viewmodels.clock_face import ClockFace
    from chimein_gui.viewmodels.console import Console

_TOP = 0
"""Internal id of agent rows; chat rows carry their agent's id, which starts at 1."""


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
        self._tree = ChatBranches()
        self.typing = TypingPartners(clock, self)
        self.typing.changed.connect(self._touch)
        self._live_agents = LiveRows(bridge, self._apply_agent, self)
        self._live_chats = LiveRows(bridge, self._apply_chat, self)
        for live in (self._live_agents, self._live_chats):
            live.failed.connect(self.failed)

    def attach(self, console: Console, spawn: Spawn) -> None:
        """Fetch agents and chats; the bridge must be attached before."""
        self._live_agents.fetch(spawn, console.load_agents, self._fill_agents, name="load agents of the tree")
        self._live_chats.fetch(spawn, console.load_chats, self._fill_chats, name="load chats")

    # --- what panes ask -------------------------------------------------------------------------------------------

    def chat(self, chat_id: ChatId) -> Chat | None:
        """Return a chat by id."""
        return next((chat for chat in self.all_chats() if chat.chat_id == chat_id), None)

    def all_chats(self) -> tuple[Chat, ...]:
        """Return the chats of all agents."""
        return self._tree.chats()

    def agent(self, agent_id: AgentId) -> Agent | None:
        """Return an agent by id."""
        return next((branch.agent for branch in self._tree.branches if branch.agent.agent_id == agent_id), None)

    def index_of_chat(self, chat_id: ChatId) -> QModelIndex:
        """Return where a chat stands; invalid if it does not."""
        for branch in self._tree.branches:
            if (row := branch.row_of(chat_id)) >= 0:
                return self.createIndex(row, 0, branch.agent.agent_id)
        return QModelIndex()

    def is_typing(self, chat_id: ChatId) -> bool:
        """Tell whether the partner is typing now."""
        return chat_id in self.typing

    def totals(self) -> tuple[int, int, int]:
        """Return the numbers of agents, chats and unread messages."""
        chats = self.all_chats()
        return len(self._tree.branches), len(chats), sum(chat.unread for chat in chats)

    # --- Qt -------------------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008 - Qt's default
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, column, _TOP)
        return self.createIndex(row, column, self._tree.branches[parent.row()].agent.agent_id)

    def parent(self, child: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008 - Qt's default
        if not child.isValid() or child.internalId() == _TOP:
            return QModelIndex()
        row = self._tree.row_of(child.internalId())
        return QModelIndex() if row < 0 else self.createIndex(row, 0, _TOP)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        if not parent.isValid():
            return len(self._tree.branches)
        if parent.internalId() != _TOP or parent.column() > 0:
            return 0
        return len(self._tree.branches[parent.row()].chats)

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
            return chat_order(item) if isinstance(item, Chat) else item.agent_id
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._chat_sentence(item) if isinstance(item, Chat) else self._agent_sentence(item)
        return None

    def _item(self, index: Index) -> Agent | Chat | None:
        if not index.isValid():
            return None
        if index.internalId() == _TOP:
            return self._tree.branches[index.row()].agent if index.row() < len(self._tree.branches) else None
        row = self._tree.row_of(index.internalId())
        chats = self._tree.branches[row].chats if row >= 0 else []
        return chats[index.row()] if index.row() < len(chats) else None

    def _agent_sentence(self, agent: Agent) -> str:
        pending = sum(chat.pending for chat in self._tree.branches[self._tree.row_of(agent.agent_id)].chats)
        waits = self.tr("{n} waiting for you").format(n=pending) if pending else ""
        return ", ".join(part for part in (agent.spec.name[:SPOKEN], agent.health.value, waits) if part)

    def _chat_sentence(self, chat: Chat) -> str:
        parts = [
            chat.info.title[:SPOKEN],
            self.tr("typing") if self.is_typing(chat.chat_id) else "",
            self.tr("{n} planned, waiting for you").format(n=chat.pending) if chat.pending else "",
            self.tr("{n} unread").format(n=chat.unread) if chat.unread else "",
            self.tr("plan is being made") if chat.planning else "",
            chat.planning_problem[:SPOKEN],
            self.tr("trust {level}").format(level=chat.trust.value),
            (self.tr("you: {text}") if chat.last_out else "{text}").format(text=chat.last_text[:SPOKEN]),
            self._clock.stamp(chat.last_at) if chat.last_at else "",
        ]
        return ", ".join(part for part in parts if part)

    # --- changes --------------------------------------------------------------------------------------------------

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
            self.typing.note(event.chat_id, event.until)

    def _upsert_agent(self, agent: Agent) -> None:
        row = self._tree.row_of(agent.agent_id)
        if row >= 0:
            self._tree.branches[row].agent = agent
            index = self.createIndex(row, 0, _TOP)
            self.dataChanged.emit(index, index)
            return
        place = self._tree.place_for(agent)
        self.beginInsertRows(QModelIndex(), place, place)
        self._tree.branches.insert(place, Branch(agent))
        self.endInsertRows()
        for chat in self._tree.claim(agent.agent_id):
            self._upsert_chat(chat)

    def _upsert_chat(self, chat: Chat) -> None:
        branch_row = self._tree.row_of(chat.agent_id)
        if branch_row < 0:
            self._tree.set_aside(chat)
            return
        branch = self._tree.branches[branch_row]
        parent = self.createIndex(branch_row, 0, _TOP)
        old, place = branch.row_of(chat.chat_id), branch.place_for(chat)
        if old < 0:
            self.beginInsertRows(parent, place, place)
            branch.put(chat, place)
            self.endInsertRows()
        elif place == old:
            branch.put(chat, place)
        else:
            # Qt counts the destination before the row is taken out.
            self.beginMoveRows(parent, old, old, parent, place if place < old else place + 1)
            branch.put(chat, place)
            self.endMoveRows()
        self.dataChanged.emit(parent, parent)
        self._touch(chat.chat_id)

    def _touch(self, chat_id: ChatId) -> None:
        index = self.index_of_chat(chat_id)
        if index.isValid():
            self.dataChanged.emit(index, index)
        self.chat_changed.emit(chat_id)
