"""Limits the chats that have rows in the tree: more are added on scrolling down, and distant ones are removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QTimer

from chimein_gui.ui.widgets.rows.clocked_rows import rows_in_sight
from chimein_gui.viewmodels.chats.branches import MOST_CHATS, PAGE_CHATS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QTreeView

    from chimein_gui.viewmodels.chats.chats import ChatTreeModel


class TreeWindow(QObject):
    """Checks the visible rows whenever the tree is scrolled."""

    def __init__(self, view: QTreeView, chats: ChatTreeModel) -> None:
        super().__init__(view)
        self._view, self._chats = view, chats
        # Rows are removed in a later event, never while the tree inserts others.
        self._narrowing = QTimer(self)
        self._narrowing.setSingleShot(True)
        self._narrowing.setInterval(0)
        self._narrowing.timeout.connect(self.narrow)
        view.verticalScrollBar().valueChanged.connect(self._grow)
        view.collapsed.connect(self._grow)
        chats.rowsInserted.connect(self._look)

    def narrow(self) -> None:
        """Remove the rows of chats far below the current and the visible ones; visible rows do not move."""
        in_sight = tuple(rows_in_sight(self._view))
        if not in_sight:
            return
        top = in_sight[0].parent() if in_sight[0].parent().isValid() else in_sight[0]
        for agent_row in range(top.row(), self._chats.rowCount()):
            if self._chats.rowCount(self._chats.index(agent_row, 0)) > MOST_CHATS:
                near = [
                    index.row()
                    for index in (*in_sight, self._view.currentIndex())
                    if index.parent().isValid() and index.parent().row() == agent_row
                ]
                self._chats.narrow(agent_row, max(near, default=0) + 1 + PAGE_CHATS)

    def _look(self, parent: QModelIndex) -> None:
        if parent.isValid() and self._chats.rowCount(parent) > MOST_CHATS and not self._narrowing.isActive():
            self._narrowing.start()

    def _grow(self) -> None:
        """Add rows for further chats of an agent when its last row becomes visible.

        Not if the current row is visible below it: that row keeps its position, so the last row of the agent would stay
        visible, and rows would be added without end.
        """
        in_sight, cursor = tuple(rows_in_sight(self._view)), self._view.currentIndex()
        for index in in_sight[in_sight.index(cursor) if cursor in in_sight else 0 :]:
            parent = index.parent()
            if parent.isValid() and index.row() == self._chats.rowCount(parent) - 1:
                self._chats.show_more(parent.row())
