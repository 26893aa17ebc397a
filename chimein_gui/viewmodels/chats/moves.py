"""Moves chats to their places, and in or out of the shown rows, without changing the current row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.viewmodels.chats.branches import MOST_CHATS, TOP

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QAbstractItemModel

    from chimein_gui.domain.ids import AgentId, ChatId
    from chimein_gui.viewmodels.chats.branches import Branch, ChatBranches

ARRANGE_MS = 500
"""Milliseconds between two moves of rows: rows that jump with every message can't be read or clicked."""


class ChatMoves(QObject):
    """How the rows of the tree move, and when they may. It calls what Qt lets a model itself call.

    Attributes:
        listed_changed: The filter lists other chats of an agent.
        about_to_reorder: Chats are about to change places within the rows of an agent.
        reordered: They have; carries the agent's row, and the first and the last row within it that show another chat.
            Neither rows nor heights have changed, so Qt is told of no move: after one, QTreeView asks for every row
            again, and twice a second that would block the loop for 10 ms.
        is_still: Every chat keeps its place, because the operator moves the pointer or the focus in the tree.
    """

    listed_changed = Signal()
    about_to_reorder = Signal()
    reordered = Signal(int, int, int)

    def __init__(self, model: QAbstractItemModel, tree: ChatBranches, show_rows: Callable[[int, int], None]) -> None:
        """Create the moves of a tree.

        Args:
            model: The tree for Qt.
            tree: Its agents and chats.
            show_rows: Shows the first rows of an agent, by its row.
        """
        super().__init__(model)
        self._model, self._tree, self._show_rows = model, tree, show_rows
        self.is_still = False
        self._arranging = QTimer(self)
        self._arranging.setSingleShot(True)
        self._arranging.setInterval(ARRANGE_MS)
        self._arranging.timeout.connect(self._arrange_again)

    def stop(self) -> None:
        """Stop the timer."""
        self._arranging.stop()

    def settle(self) -> None:
        """Move what may move, at most every `ARRANGE_MS`."""
        if not self._arranging.isActive():
            self._arrange_again()

    def _arrange_again(self) -> None:
        if not self.is_still and self.arrange():
            self._arranging.start()

    def set_still(self, still: bool) -> None:
        """Keep every chat at its place while the operator moves the pointer or the focus in the tree."""
        self.is_still = still
        if not still:
            self.settle()

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
            self._show_rows(row, place)
        elif chat_id == self._tree.asked.kept:
            branch.keep_visible(chat_id)
            old, place = branch.way_of(chat_id)
        else:
            self._model.beginRemoveRows(self._model.createIndex(row, 0, TOP), old, old)
            branch.move(chat_id, old, place)
            branch.shown -= 1
            self._model.endRemoveRows()
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
            parent = self._model.createIndex(row, 0, TOP)
            self._model.beginInsertRows(parent, place, place)
            branch.move(chat_id, old, place)
            branch.shown += 1
            self._model.endInsertRows()
        return True

    def _follow_move(self, agent_id: AgentId, old: int, new: int) -> None:
        """Let the cursor, the selection and whatever else marks chats follow the chats to their rows."""
        low, high, step = min(old, new), max(old, new), 1 if new < old else -1
        marked = [
            one
            for one in self._model.persistentIndexList()
            if one.internalId() == agent_id and low <= one.row() <= high
        ]
        rows = (new if one.row() == old else one.row() + step for one in marked)
        self._model.changePersistentIndexList(marked, [self._model.createIndex(row, 0, agent_id) for row in rows])

    def _list_or_unlist(self, row: int, branch: Branch, chat_id: ChatId, old: int, place: int) -> bool:
        """Insert or remove the row of a chat whose filter result changed."""
        parent = self._model.createIndex(row, 0, TOP)
        if 0 <= old < branch.shown:
            self._model.beginRemoveRows(parent, old, old)
            branch.move(chat_id, old, place)
            branch.shown -= 1
            self._model.endRemoveRows()
        elif place >= 0 and branch.shows_at(place):
            self._model.beginInsertRows(parent, place, place)
            branch.move(chat_id, old, place)
            branch.shown += 1
            self._model.endInsertRows()
        else:
            branch.move(chat_id, old, place)
            return False
        self.listed_changed.emit()
        return True

    def keep(self, chat_id: ChatId | None) -> None:
        """Set the current chat, which stays listed; the one before moves to its place."""
        if chat_id == self._tree.asked.kept:
            return
        self._tree.keep(chat_id)
        branch = self._tree.branch_of(chat_id) if chat_id is not None else None
        if chat_id is not None and branch is not None and branch.row_of(chat_id) < 0:
            self._move_chat(self._tree.row_of(branch.agent.agent_id), branch, chat_id)
        if not self._arranging.isActive() and any(branch.misplaced for branch in self._tree.branches):
            self._arranging.start()
