"""The chat tree: agents, and below each its chats, newest first; look-ups by id, and Qt's model interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, QCoreApplication, QModelIndex, QObject, Qt

from chimein_gui.domain.chats import Chat
from chimein_gui.viewmodels.chats.branches import MOST_CHATS, PAGE_CHATS, TOP, ChatBranches, chat_order
from chimein_gui.viewmodels.chats.feed import ChatFeed
from chimein_gui.viewmodels.chats.filter import ChatFilter
from chimein_gui.viewmodels.chats.marks import ChatMarks
from chimein_gui.viewmodels.chats.moves import ChatMoves
from chimein_gui.viewmodels.chats.sentences import agent_sentence, chat_sentence
from chimein_gui.viewmodels.chats.typing_partners import TypingPartners
from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole, SortRole

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.ids import AgentId, ChatId
    from chimein_gui.viewmodels.chats.preview_kinds import ChatPreview
    from chimein_gui.viewmodels.chats.show import Show
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace


class ChatTreeModel(QAbstractItemModel):
    """The chats of all agents.

    Attributes:
        marks: Which chats the operator has pinned or muted.
        typing: The partners that are typing.
        moves: Moves chats to their places.
        feed: Fills the tree, and keeps it up to date.
    """

    def __init__(self, bridge: EngineBridge, clock: ClockFace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self.marks = ChatMarks(self)
        self.typing = TypingPartners(clock, self)
        self._chat_preview_of: Callable[[Chat], ChatPreview] | None = None
        self._tree = ChatBranches(self.marks.pinned)
        self.moves = ChatMoves(self, self._tree, self.show_rows)
        self.feed = ChatFeed(bridge, self, self._tree, self.moves, self.typing, self.marks)

    def detach(self) -> None:
        """Stop all timers."""
        self.moves.stop()
        self.feed.detach()
        self.typing.stop()

    def set_previews(self, chat_preview_of: Callable[[Chat], ChatPreview]) -> None:
        """Set the function that makes a row's preview: it needs other models, such as those of drafts."""
        self._chat_preview_of = chat_preview_of

    def chat_preview_of(self, chat: Chat) -> ChatPreview | None:
        """Return the preview of a chat's row: its most urgent state or newest message; None before `set_previews`."""
        return self._chat_preview_of(chat) if self._chat_preview_of is not None else None

    def is_typing(self, chat_id: ChatId) -> bool:
        """Tell whether the partner is typing now."""
        return chat_id in self.typing

    # --- queries --------------------------------------------------------------------------------------------------

    def chat(self, chat_id: ChatId) -> Chat | None:
        """Return a chat by id, or None."""
        branch = self._tree.branch_of(chat_id)
        return None if branch is None else branch.chat(chat_id)

    def all_chats(self) -> tuple[Chat, ...]:
        """Return the chats of all agents."""
        return self._tree.chats()

    def agent(self, agent_id: AgentId) -> Agent | None:
        """Return an agent by id, or None."""
        row = self._tree.row_of(agent_id)
        return None if row < 0 else self._tree.branches[row].agent

    def pending_of(self, agent_id: AgentId) -> int:
        """Return how many planned sends of an agent wait for a decision."""
        row = self._tree.row_of(agent_id)
        return 0 if row < 0 else self._tree.branches[row].pending

    def total_of(self, agent_id: AgentId) -> int:
        """Return the number of an agent's chats, listed or not."""
        row = self._tree.row_of(agent_id)
        return 0 if row < 0 else self._tree.branches[row].total()

    def is_agent(self, index: Index) -> bool:
        """Tell whether a row is an agent's, without going through Qt."""
        return index.internalId() == TOP

    def index_of_chat(self, chat_id: ChatId) -> QModelIndex:
        """Return the index of a chat; invalid if it has no row."""
        branch = self._tree.branch_of(chat_id)
        row = -1 if branch is None else branch.row_of(chat_id)
        if branch is None or not 0 <= row < branch.shown:
            return QModelIndex()
        return self.createIndex(row, 0, branch.agent.agent_id)

    def totals(self) -> tuple[int, int, int]:
        """Return the numbers of agents, chats and unread messages."""
        branches = self._tree.branches
        return len(branches), sum(branch.total() for branch in branches), sum(branch.unread for branch in branches)

    def needs(self) -> tuple[int, int]:
        """Return the number of chats that need the operator, and of those with unread messages, for the filters."""
        branches = self._tree.branches
        return sum([branch.needing_chats for branch in branches]), sum([branch.unread_chats for branch in branches])

    # --- the filter -----------------------------------------------------------------------------------------------

    @property
    def asked(self) -> ChatFilter:
        """The current filter."""
        return self._tree.asked

    def ask(self, show: Show, words: str) -> None:
        """Apply another filter; resets the model."""
        asked = ChatFilter(show, words.strip())
        if (asked.show, asked.words) != (self.asked.show, self.asked.words):
            self.beginResetModel()
            self._tree.ask(asked)
            self.endResetModel()

    def listed(self, agent_row: int) -> int:
        """Return the number of an agent's chats that the filter lists."""
        return len(self._tree.branches[agent_row])

    # --- which chats have rows ------------------------------------------------------------------------------------

    def show_more(self, agent_row: int) -> None:
        """Show `PAGE_CHATS` more rows of an agent."""
        self.show_rows(agent_row, self._tree.branches[agent_row].shown + PAGE_CHATS)

    def reveal_chat(self, chat_id: ChatId) -> None:
        """Show a chat and all before it; if those are too many, it is put at the end of the shown ones instead.

        Only the current chat, which `keep` set, is put there.
        """
        branch = self._tree.branch_of(chat_id)
        if branch is None:
            return
        agent_row, old = self._tree.row_of(branch.agent.agent_id), branch.row_of(chat_id)
        if old < max(branch.shown, MOST_CHATS) or chat_id != self.asked.kept:
            self.show_rows(agent_row, old + 1)
            return
        branch.keep_visible(chat_id)
        place = branch.shown
        self.beginInsertRows(self.createIndex(agent_row, 0, TOP), place, place)
        branch.move(chat_id, old, place)
        branch.shown += 1
        self.endInsertRows()

    def narrow(self, agent_row: int, rows: int) -> None:
        """Show only the first `rows` rows of an agent, but at least a page."""
        branch, rows = self._tree.branches[agent_row], max(rows, self._tree.branches[agent_row].page)
        if rows < branch.shown:
            self.beginRemoveRows(self.createIndex(agent_row, 0, TOP), rows, branch.shown - 1)
            branch.shown = rows
            self.endRemoveRows()

    def show_rows(self, agent_row: int, rows: int) -> None:
        """Show the first `rows` rows of an agent, if that is more than now."""
        branch = self._tree.branches[agent_row]
        rows = min(rows, len(branch))
        if rows > branch.shown:
            self.beginInsertRows(self.createIndex(agent_row, 0, TOP), branch.shown, rows - 1)
            branch.shown = rows
            self.endInsertRows()

    # --- Qt -------------------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008 - Qt's default
        # Called dozens of times in a layout: `hasIndex` would call rowCount and columnCount each time.
        branches = self._tree.branches
        if column != 0 or row < 0:
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, 0, TOP) if row < len(branches) else QModelIndex()
        if parent.internalId() != TOP or row >= branches[parent.row()].shown:
            return QModelIndex()
        return self.createIndex(row, 0, branches[parent.row()].agent.agent_id)

    def parent(self, child: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008 - Qt's default
        if not child.isValid() or child.internalId() == TOP:
            return QModelIndex()
        row = self._tree.row_of(child.internalId())
        return QModelIndex() if row < 0 else self.createIndex(row, 0, TOP)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        if not parent.isValid():
            return len(self._tree.branches)
        if parent.internalId() != TOP or parent.column() > 0:
            return 0
        return self._tree.branches[parent.row()].shown

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008 - Qt's own default
        return self.rowCount(parent) > 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what a screen reader finds above the rows, where Qt would say a number; nobody sees it."""
        if role == Qt.ItemDataRole.DisplayRole:
            return QCoreApplication.translate("ChatTree", "Chats")
        return super().headerData(section, orientation, role)

    def item(self, index: Index) -> Agent | Chat | None:
        """Return the snapshot of a row without going through Qt; None if there is none."""
        if not index.isValid():
            return None
        if index.internalId() == TOP:
            return self._tree.branches[index.row()].agent if index.row() < len(self._tree.branches) else None
        row = self._tree.row_of(index.internalId())
        return self._tree.branches[row].chat_at(index.row()) if row >= 0 else None

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
            return self._sentence(item)
        return None

    def _sentence(self, item: Agent | Chat) -> str:
        if isinstance(item, Chat):
            types = self.is_typing(item.chat_id)
            return chat_sentence(item, self.chat_preview_of(item), self._clock, self.marks, types=types)
        return agent_sentence(item, self.pending_of(item.agent_id))
