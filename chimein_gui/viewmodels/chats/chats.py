"""The chat tree: agents, and below each its chats, newest first."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QCoreApplication, QModelIndex, QObject, Qt, QTimer, Signal

from chimein_gui.domain.agents import Agent
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.events import AgentChanged, AgentRemoved, ChatChanged, PartnerTyping
from chimein_gui.engine.policy.trust import trust_now
from chimein_gui.viewmodels.accounts.words import health_words
from chimein_gui.viewmodels.chats.branches import Branch, chat_order
from chimein_gui.viewmodels.chats.moves import ChatMovesModel
from chimein_gui.viewmodels.chats.preview_kinds import NewsKind, minutes_taken_over
from chimein_gui.viewmodels.chats.rows import TOP
from chimein_gui.viewmodels.chats.typing_partners import TypingPartners
from chimein_gui.viewmodels.core.live_query import LiveQuery
from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole, SortRole
from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.transcript.message_words import preview_words
from chimein_gui.viewmodels.words.notes import problem_sentence
from chimein_gui.viewmodels.words.trust import trust_word

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.domain.loaded import Loaded
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.chats.preview_kinds import ChatPreview
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.engine_api.engine import DirectoryService, QueriesService

translate = QCoreApplication.translate

FILLED_AT_ONCE = 400
"""Chats inserted in one turn of the loop."""

_OF_AGENTS = frozenset({AgentChanged, AgentRemoved})
_OF_CHATS = frozenset({ChatChanged, PartnerTyping})

_SAID_OTHERWISE = frozenset(
    {NewsKind.MESSAGE, NewsKind.PLANNED, NewsKind.TYPING, NewsKind.PLANNING, NewsKind.LEAVING}
    | {NewsKind.PROBLEM, NewsKind.NOTED, NewsKind.TAKEN_OVER}
)
"""Previews that the sentence of a chat leaves out, because it says the same in other words."""


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


class ChatTreeModel(ChatMovesModel):
    """The chats of all agents.

    Attributes:
        failed: The agents or chats could not be read; the reason in words.
    """

    failed = Signal(str)

    def __init__(self, bridge: EngineBridge, clock: ClockFace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self.typing = TypingPartners(clock, self)
        self.typing.changed.connect(self._touch_typing)
        self._chat_preview_of: Callable[[Chat], ChatPreview] | None = None
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

    def set_previews(self, chat_preview_of: Callable[[Chat], ChatPreview]) -> None:
        """Set the function that makes a row's preview: it needs other models, such as those of drafts."""
        self._chat_preview_of = chat_preview_of

    def chat_preview_of(self, chat: Chat) -> ChatPreview | None:
        """Return the preview of a chat's row: its most urgent state or newest message; None before `set_previews`."""
        return self._chat_preview_of(chat) if self._chat_preview_of is not None else None

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
        """Stop all timers."""
        self._arranging.stop()
        self._filling.stop()
        self.typing.stop()

    def is_typing(self, chat_id: ChatId) -> bool:
        """Tell whether the partner is typing now."""
        return chat_id in self.typing

    # --- words ---------------------------------------------------------------------------------------------------

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        item = self.item(index)
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

    def _agent_sentence(self, agent: Agent) -> str:
        pending = self.pending_of(agent.agent_id)
        waits = translate("ChatTreeModel", "%n waiting for you", "", pending) if pending else ""
        return ", ".join(part for part in (spoken(agent.spec.name), health_words(agent.health), waits) if part)

    def _chat_sentence(self, chat: Chat) -> str:
        news = self.chat_preview_of(chat)
        minutes = minutes_taken_over(chat, self._clock.now())
        special = news.words if news is not None and news.kind not in _SAID_OTHERWISE else ""
        parts = [
            spoken(chat.info.title),
            special,
            translate("ChatTreeModel", "you took over, %n min left", "", minutes) if minutes else "",
            self.tr("typing") if self.is_typing(chat.chat_id) else "",
            self.tr("{n} planned, waiting for you").format(n=chat.pending) if chat.pending else "",
            self.tr("{n} unread").format(n=chat.unread) if chat.unread else "",
            self.tr("planning a reply") if chat.planning else "",
            self.tr("pinned") if chat.chat_id in self.marks.pinned else "",
            self.tr("muted") if chat.chat_id in self.marks.muted else "",
            spoken(problem_sentence(chat.planning_problem)),
            self.tr("trust {level}").format(level=trust_word(trust_now(chat, self._clock.now()))),
            (self.tr("you: {text}") if chat.last_out else "{text}").format(
                text=preview_words(spoken(chat.last_text), chat.last_media)
            ),
            self._clock.stamp(chat.last_at) if chat.last_at else "",
        ]
        return ", ".join(part for part in parts if part)

    # --- changes --------------------------------------------------------------------------------------------------

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
            self.beginRemoveRows(QModelIndex(), row, row)
            self._tree.remove(row)
            self.endRemoveRows()

    def _apply_chat(self, event: EngineEvent) -> None:
        if isinstance(event, ChatChanged):
            if self._to_fill:
                self._reported.add(event.chat.chat_id)
            self._upsert_chat(event.chat, waits=self._still)
        elif isinstance(event, PartnerTyping):
            self.typing.note(event.chat_id, event.until)

    def _upsert_agent(self, agent: Agent) -> None:
        self._agents_touched = True
        row = self._tree.row_of(agent.agent_id)
        if row >= 0:
            self._tree.branches[row].agent = agent
            index = self.createIndex(row, 0, TOP)
            self.dataChanged.emit(index, index)
            return
        place = self._tree.place_for(agent)
        self.beginInsertRows(QModelIndex(), place, place)
        self._tree.insert(agent, place)
        self.endInsertRows()
        for chat in sorted(self._tree.claim(agent.agent_id), key=chat_order):
            self._upsert_chat(chat)

    def _upsert_chat(self, reported: Chat, *, waits: bool = False) -> None:
        chat = self._seen.to_operator(reported)
        row = self._tree.row_of(chat.agent_id)
        if row < 0:
            self._tree.set_aside(reported)
            return
        branch, parent = self._tree.branches[row], self.createIndex(row, 0, TOP)
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
            self.beginInsertRows(parent, place, place)
        branch.insert(chat, place)
        if waits:
            branch.look_at(chat.chat_id)
        self._tree.remember(chat.chat_id, branch)
        if shows:
            self.endInsertRows()

    def _touch_typing(self, chat_id: ChatId) -> None:
        self._repaint(chat_id)
        self._touched.add(chat_id)
        self._settle()

    def set_reading(self, chat_id: ChatId | None) -> None:
        """Set the chat whose newest messages are on the screen: they do not count as unread. None for no chat."""
        if self._seen.is_read(chat_id):
            return
        chat = self.chat(chat_id) if chat_id is not None else None
        self._seen.read(chat)
        if chat is not None:
            self._show_again(chat.chat_id)

    def keep(self, chat_id: ChatId | None) -> None:
        """Set the current chat, which stays listed; the one before moves to its place."""
        if chat_id == self.asked.kept:
            return
        self._tree.keep(chat_id)
        branch = self._tree.branch_of(chat_id) if chat_id is not None else None
        if chat_id is not None and branch is not None and branch.row_of(chat_id) < 0:
            self._move_chat(self._tree.row_of(branch.agent.agent_id), branch, chat_id)
        if not self._arranging.isActive() and any(branch.misplaced for branch in self._tree.branches):
            self._arranging.start()
