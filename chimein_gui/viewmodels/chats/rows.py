"""The rows of the chat tree: agents, and below each its chats; look-ups by id, and Qt's model interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, QCoreApplication, QModelIndex, QObject, Qt

from chimein_gui.viewmodels.chats.branches import MOST_CHATS, PAGE_CHATS, ChatBranches
from chimein_gui.viewmodels.chats.filter import ChatFilter
from chimein_gui.viewmodels.chats.marks import ChatMarks
from chimein_gui.viewmodels.core.roles import Index

if TYPE_CHECKING:
    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import AgentId, ChatId
    from chimein_gui.viewmodels.chats.show import Show

TOP = 0
"""Internal id of agent rows; chat rows carry their agent's id, which starts at 1."""


class ChatRowsModel(QAbstractItemModel):
    """Base of the tree: its data and its rows. Subclasses apply changes."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.marks = ChatMarks(self)
        self._tree = ChatBranches(self.marks.pinned)

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
        self._show(agent_row, self._tree.branches[agent_row].shown + PAGE_CHATS)

    def reveal_chat(self, chat_id: ChatId) -> None:
        """Show a chat and all before it; if those are too many, it is put at the end of the shown ones instead.

        Only the current chat, which `keep` set, is put there.
        """
        branch = self._tree.branch_of(chat_id)
        if branch is None:
            return
        agent_row, old = self._tree.row_of(branch.agent.agent_id), branch.row_of(chat_id)
        if old < max(branch.shown, MOST_CHATS) or chat_id != self.asked.kept:
            self._show(agent_row, old + 1)
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

    def _show(self, agent_row: int, rows: int) -> None:
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
