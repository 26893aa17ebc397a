"""Follows agents and chats for the chat tree: reads them, and applies what the engine and the operator change."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QModelIndex, QObject, QTimer, Signal

from chimein_gui.domain.events import AgentChanged, AgentRemoved, ChatChanged, PartnerTyping
from chimein_gui.viewmodels.chats.branches import TOP, Branch, chat_order
from chimein_gui.viewmodels.chats.seen import SeenMessages
from chimein_gui.viewmodels.core.live_query import LiveQuery

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from PySide6.QtCore import QAbstractItemModel

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId, ChatId
    from chimein_gui.domain.loaded import Loaded
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.chats.branches import ChatBranches
    from chimein_gui.viewmodels.chats.marks import ChatMarks
    from chimein_gui.viewmodels.chats.moves import ChatMoves
    from chimein_gui.viewmodels.chats.typing_partners import TypingPartners
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.engine import DirectoryService, QueriesService

FILLED_AT_ONCE = 400
"""Chats inserted in one turn of the loop."""

_OF_AGENTS = frozenset({AgentChanged, AgentRemoved})
_OF_CHATS = frozenset({ChatChanged, PartnerTyping})


class ChatTreeApi(Protocol):
    """What this model asks of the engine."""

    @property
    def directory(self) -> DirectoryService:
        """The agents."""
        ...

    @property
    def queries(self) -> QueriesService:
        """The rows that panes fetch when they open."""
        ...


class ChatFeed(QObject):
    """Fills the tree, and keeps it up to date. It calls what Qt lets a model itself call.

    Attributes:
        failed: The agents or chats could not be read; the reason in words.
        chats_changed: Agents or these chats changed, or their partners type or stopped; a frozenset of chat ids, once a
            batch.
    """

    failed = Signal(str)
    chats_changed = Signal(object)

    def __init__(
        self,
        bridge: EngineBridge,
        model: QAbstractItemModel,
        tree: ChatBranches,
        moves: ChatMoves,
        typing: TypingPartners,
        marks: ChatMarks,
    ) -> None:
        """Create the feed of a tree; `attach` begins to read.

        Args:
            bridge: Brings the engine's events.
            model: The tree for Qt.
            tree: Its agents and chats.
            moves: Moves chats to their places.
            typing: The partners that are typing.
            marks: Which chats the operator has pinned, muted or read.
        """
        super().__init__(model)
        self._model, self._tree, self._moves, self._typing = model, tree, moves, typing
        self._seen = SeenMessages()
        self._touched: set[ChatId] = set()
        self._counted: set[AgentId] = set()
        self._agents_touched = False
        self._live_agents = LiveQuery(bridge, self._apply_agent, self, self._settle, _OF_AGENTS)
        self._live_chats = LiveQuery(bridge, self._apply_chat, self, self._settle, _OF_CHATS)
        self._to_fill: deque[Chat] = deque()
        self._reported: set[ChatId] = set()
        self._filling = QTimer(self)
        self._filling.setSingleShot(True)
        self._filling.setInterval(0)
        self._filling.timeout.connect(self._fill_more)
        for live in (self._live_agents, self._live_chats):
            live.failed.connect(self.failed)
        typing.changed.connect(self._touch_typing)
        marks.changed.connect(self._show_again)
        marks.read.connect(self._mark_read)

    def attach(self, api: ChatTreeApi, spawn: Spawn, *, after: Callable[[], Awaitable[None]] | None = None) -> None:
        """Fetch agents and chats; the bridge must be attached before.

        Args:
            api: The engine.
            spawn: Runs the reads as jobs.
            after: Awaited before the chats are read: two long reads at once are slower for both.
        """

        async def load_chats() -> Loaded[Chat]:
            if after is not None:
                await after()
            return await api.queries.chats()

        self._live_agents.fetch(spawn, api.directory.load, self._fill_agents, name="load agents of the tree")
        self._live_chats.fetch(spawn, load_chats, self._fill_chats, name="load chats")

    def detach(self) -> None:
        """Stop reading."""
        self._filling.stop()

    def set_postponed(self, chat_id: ChatId, number: int) -> None:
        """Set how many drafts of a chat are postponed: they need nobody until their time comes."""
        if self._seen.set_postponed(chat_id, number):
            branch = self._tree.branch_of(chat_id)
            if branch is not None:
                self._counted.add(branch.agent.agent_id)
                self._show_again(chat_id)

    def set_reading(self, chat_id: ChatId | None) -> None:
        """Set the chat whose newest messages are on the screen: they do not count as unread. None for no chat."""
        if self._seen.is_read(chat_id):
            return
        chat = self._chat(chat_id) if chat_id is not None else None
        self._seen.read(chat)
        if chat is not None:
            self._show_again(chat.chat_id)

    def _mark_read(self, chat_id: ChatId) -> None:
        chat = self._chat(chat_id)
        if chat is not None and chat.unread:
            self._seen.see(self._seen.as_reported(chat))
            self._show_again(chat_id)

    def _show_again(self, chat_id: ChatId) -> None:
        """Refresh a chat that something other than the engine has changed."""
        branch = self._tree.branch_of(chat_id)
        chat = branch.chat(chat_id) if branch is not None else None
        if branch is not None and chat is not None:
            branch.change(self._seen.to_operator(self._seen.as_reported(chat)))
            self._touched.add(chat_id)
            self._repaint(chat_id)
            self._settle()

    def _fill_agents(self, agents: tuple[Agent, ...]) -> None:
        for agent in agents:
            self._upsert_agent(agent)

    def _fill_chats(self, chats: tuple[Chat, ...]) -> None:
        # In the order they were read, newest first: rows beyond the shown ones then cause no view updates.
        self._to_fill, self._reported = deque(chats), set()
        self._fill_some()

    def _fill_some(self) -> None:
        """Insert some of the chats that were read; a chat that an event brought meanwhile is newer and is skipped."""
        for _ in range(min(FILLED_AT_ONCE, len(self._to_fill))):
            chat = self._to_fill.popleft()
            if chat.chat_id not in self._reported:
                self._upsert_chat(chat)
        if self._to_fill:
            self._filling.start()

    def _fill_more(self) -> None:
        self._fill_some()
        self._settle()

    def _apply_agent(self, event: EngineEvent) -> None:
        if isinstance(event, AgentChanged):
            self._upsert_agent(event.agent)
        elif isinstance(event, AgentRemoved) and (row := self._tree.row_of(event.agent_id)) >= 0:
            self._agents_touched = True
            self._model.beginRemoveRows(QModelIndex(), row, row)
            self._tree.remove(row)
            self._model.endRemoveRows()

    def _apply_chat(self, event: EngineEvent) -> None:
        if isinstance(event, ChatChanged):
            if self._to_fill:
                self._reported.add(event.chat.chat_id)
            self._upsert_chat(event.chat, waits=self._moves.is_still)
        elif isinstance(event, PartnerTyping):
            self._typing.note(event.chat_id, event.until)

    def _upsert_agent(self, agent: Agent) -> None:
        self._agents_touched = True
        row = self._tree.row_of(agent.agent_id)
        if row >= 0:
            self._tree.branches[row].agent = agent
            index = self._model.createIndex(row, 0, TOP)
            self._model.dataChanged.emit(index, index)
            return
        place = self._tree.place_for(agent)
        self._model.beginInsertRows(QModelIndex(), place, place)
        self._tree.insert(agent, place)
        self._model.endInsertRows()
        for chat in sorted(self._tree.claim(agent.agent_id), key=chat_order):
            self._upsert_chat(chat)

    def _upsert_chat(self, reported: Chat, *, waits: bool = False) -> None:
        chat = self._seen.to_operator(reported)
        row = self._tree.row_of(chat.agent_id)
        if row < 0:
            self._tree.set_aside(reported)
            return
        branch, parent = self._tree.branches[row], self._model.createIndex(row, 0, TOP)
        pending = branch.pending
        if branch.chat(chat.chat_id) == chat:
            return
        if branch.chat(chat.chat_id) is not None:
            branch.change(chat)
            self._repaint(chat.chat_id)
        else:
            self._insert_chat(branch, parent, chat, waits=waits)
        if branch.pending != pending:
            self._counted.add(chat.agent_id)
        self._touched.add(chat.chat_id)

    def _insert_chat(self, branch: Branch, parent: QModelIndex, chat: Chat, *, waits: bool) -> None:
        """Add a chat; with `waits` it gets its row only at the next `arrange`."""
        place = branch.place_for(chat) if branch.accepts(chat) and not waits else -1
        shows = place >= 0 and branch.shows_at(place)
        if shows:
            self._model.beginInsertRows(parent, place, place)
        branch.insert(chat, place)
        if waits:
            branch.look_at(chat.chat_id)
        self._tree.remember(chat.chat_id, branch)
        if shows:
            self._model.endInsertRows()

    def _touch_typing(self, chat_id: ChatId) -> None:
        self._repaint(chat_id)
        self._touched.add(chat_id)
        self._settle()

    def _chat(self, chat_id: ChatId) -> Chat | None:
        branch = self._tree.branch_of(chat_id)
        return None if branch is None else branch.chat(chat_id)

    def _repaint(self, chat_id: ChatId) -> None:
        branch = self._tree.branch_of(chat_id)
        row = -1 if branch is None else branch.row_of(chat_id)
        if branch is not None and 0 <= row < branch.shown:
            index = self._model.createIndex(row, 0, branch.agent.agent_id)
            self._model.dataChanged.emit(index, index)

    def _settle(self) -> None:
        """Emit the changes of a whole batch once."""
        while self._counted:
            if (row := self._tree.row_of(self._counted.pop())) >= 0:
                index = self._model.createIndex(row, 0, TOP)
                self._model.dataChanged.emit(index, index)
        self._moves.settle()
        if self._touched or self._agents_touched:
            touched, self._touched, self._agents_touched = frozenset(self._touched), set(), False
            self.chats_changed.emit(touched)
