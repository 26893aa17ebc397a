"""Moves chats to their places, and in or out of the shown rows, without changing the current row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.viewmodels.chats.branches import MOST_CHATS
from chimein_gui.viewmodels.chats.rows import TOP, ChatRowsModel
from chimein_gui.viewmodels.chats.seen import SeenMessages

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AgentId, ChatId
    from chimein_gui.viewmodels.chats.branches import Branch

ARRANGE_MS = 500
"""Milliseconds between two moves of rows: rows that jump with every message can't be read or clicked."""


class ChatMovesModel(ChatRowsModel):
    """Base of the tree: how its rows move, and when they may.

    Attributes:
        chats_changed: Agents or these chats changed, or their partners type or stopped; a frozenset of chat ids, once a
            batch.
        listed_changed: The filter lists other chats of an agent.
        about_to_reorder: Chats are about to change places within the rows of an agent.
        reordered: They have; carries the agent's row, and the first and the last row within it that show another chat.
            Neither rows nor heights have changed, so Qt is told of no move: after one, QTreeView asks for every row
            again, and twice a second that would block the loop for 10 ms.
    """

    chats_changed = Signal(object)
    listed_changed = Signal()
    about_to_reorder = Signal()
    reordered = Signal(int, int, int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._seen = SeenMessages()
        self._touched: set[ChatId] = set()
        self._counted: set[AgentId] = set()
        self._agents_touched = False
        self._still = False
        self._arranging = QTimer(self)
        self._arranging.setSingleShot(True)
        self._arranging.setInterval(ARRANGE_MS)
        self._arranging.timeout.connect(self._arrange_again)
        self.marks.changed.connect(self._show_again)
        self.marks.read.connect(self._mark_read)

    def set_postponed(self, chat_id: ChatId, number: int) -> None:
        """Set how many drafts of a chat are postponed: they need nobody until their time comes."""
        if self._seen.set_postponed(chat_id, number):
            branch = self._tree.branch_of(chat_id)
            if branch is not None:
                self._counted.add(branch.agent.agent_id)
                self._show_again(chat_id)

    def _mark_read(self, chat_id: ChatId) -> None:
        chat = self.chat(chat_id)
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

    def _repaint(self, chat_id: ChatId) -> None:
        index = self.index_of_chat(chat_id)
        if index.isValid():
            self.dataChanged.emit(index, index)

    def _settle(self) -> None:
        """Emit the changes of a whole batch once."""
        while self._counted:
            if (row := self._tree.row_of(self._counted.pop())) >= 0:
                index = self.createIndex(row, 0, TOP)
                self.dataChanged.emit(index, index)
        if not self._still and not self._arranging.isActive() and self.arrange():
            self._arranging.start()
        if self._touched or self._agents_touched:
            touched, self._touched, self._agents_touched = frozenset(self._touched), set(), False
            self.chats_changed.emit(touched)

    def _arrange_again(self) -> None:
        if not self._still and self.arrange():
            self._arranging.start()

    def set_still(self, still: bool) -> None:
        """Keep every chat at its place while the operator moves the pointer or the focus in the tree."""
        self._still = still
        if not still:
            self._settle()

    def arrange(self) -> bool:
        """Move every misplaced chat now; return whether any row moved."""
        moved = False
        for row, branch in enumerate(self._tree.branches):
            for chat_id in sorted(branch.misplaced):
                moved |= self._move_chat(row, branch, chat_id)
        return moved

    def _move_chat(self, row: int, branch: Branch, chat_id: ChatId) -> bool:
        old, place = branch.way_of(chat_id)
        if min(old, place) < 0:
            return self._list_or_unlist(row, branch, chat_id, old, place)
        if old < branch.shown < place:
            return self._move_down(row, branch, chat_id, old, place)
        return self._move_within(row, branch, chat_id, old, place)

    def _move_down(self, row: int, branch: Branch, chat_id: ChatId, old: int, place: int) -> bool:
        """Move a chat below the shown rows.

        The row of the current chat is not removed: another chat would become current.
        """
        if place < MOST_CHATS:
            self._show(row, place)
        elif chat_id == self.asked.kept:
            branch.keep_visible(chat_id)
            old, place = branch.way_of(chat_id)
        else:
            self.beginRemoveRows(self.createIndex(row, 0, TOP), old, old)
            branch.move(chat_id, old, place)
            branch.shown -= 1
            self.endRemoveRows()
            return True
        return self._move_within(row, branch, chat_id, old, place)

    def _move_within(self, row: int, branch: Branch, chat_id: ChatId, old: int, place: int) -> bool:
        if place in (old, old + 1) or min(old, place) >= branch.shown:
            branch.move(chat_id, old, place)
            return False
        if old < branch.shown:
            self.about_to_reorder.emit()
            branch.move(chat_id, old, place)
            new = place - (place > old)
            self._follow_move(branch.agent.agent_id, old, new)
            self.reordered.emit(row, min(old, new), max(old, new))
        else:
            parent = self.createIndex(row, 0, TOP)
            self.beginInsertRows(parent, place, place)
            branch.move(chat_id, old, place)
            branch.shown += 1
            self.endInsertRows()
        return True

    def _follow_move(self, agent_id: AgentId, old: int, new: int) -> None:
        """Let the cursor, the selection and whatever else marks chats follow the chats to their rows."""
        low, high, step = min(old, new), max(old, new), 1 if new < old else -1
        marked = [
            one for one in self.persistentIndexList() if one.internalId() == agent_id and low <= one.row() <= high
        ]
        rows = (new if one.row() == old else one.row() + step for one in marked)
        self.changePersistentIndexList(marked, [self.createIndex(row, 0, agent_id) for row in rows])

    def _list_or_unlist(self, row: int, branch: Branch, chat_id: ChatId, old: int, place: int) -> bool:
        """Insert or remove the row of a chat whose filter result changed."""
        parent = self.createIndex(row, 0, TOP)
        if 0 <= old < branch.shown:
            self.beginRemoveRows(parent, old, old)
            branch.move(chat_id, old, place)
            branch.shown -= 1
            self.endRemoveRows()
        elif place >= 0 and branch.shows_at(place):
            self.beginInsertRows(parent, place, place)
            branch.move(chat_id, old, place)
            branch.shown += 1
            self.endInsertRows()
        else:
            branch.move(chat_id, old, place)
            return False
        self.listed_changed.emit()
        return True
