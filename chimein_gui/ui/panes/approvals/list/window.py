"""Moves the window of shown cards along with the cursor and the scroll bar; what is in sight stays where it is."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QTimer
from PySide6.QtWidgets import QAbstractItemView, QListView

from chimein_gui.ui.widgets.rows.clocked_rows import rows_in_sight
from chimein_gui.ui.widgets.rows.scroll_anchor import ScrollAnchor
from chimein_gui.viewmodels.core.windowed_list import MOST_ROWS

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.viewmodels.approvals.queue import CardQueueModel

_Move = QAbstractItemView.CursorAction
_UP = (_Move.MoveUp, _Move.MovePageUp, _Move.MovePrevious)
_DOWN = (_Move.MoveDown, _Move.MovePageDown, _Move.MoveNext)


class ListWindow(QObject):
    """Fetches rows where the operator comes near the end of those shown, and hides those he left far behind."""

    def __init__(self, view: QListView, approvals: CardQueueModel) -> None:
        super().__init__(view)
        self._view, self._approvals = view, approvals
        self._anchor = ScrollAnchor(view, self._id_of, approvals.index_of)
        # Rows are hidden between two turns of the loop: never while Qt is about to set the cursor.
        self._narrowing = QTimer(self)
        self._narrowing.setSingleShot(True)
        self._narrowing.setInterval(0)
        self._narrowing.timeout.connect(self.narrow)
        view.verticalScrollBar().valueChanged.connect(self._scrolled)

    def make_room(self, step: int) -> None:
        """Fetch rows if a step up or down would leave those shown."""
        row = self._view.currentIndex().row() + step
        if row < 0:
            self._fetch_earlier()
        elif row >= self._approvals.rowCount() and self._approvals.canFetchMore(QModelIndex()):
            self._approvals.fetchMore(QModelIndex())

    def target_of(self, action: QAbstractItemView.CursorAction) -> QModelIndex | None:
        """Make room for a movement of the cursor; return where it leads, or None where Qt knows."""
        if action == _Move.MoveHome:
            self._approvals.reveal_first()
            return self._approvals.index(0, 0)
        if action == _Move.MoveEnd:
            self._approvals.reveal_last()
            return self._approvals.index(self._approvals.rowCount() - 1, 0)
        if action in _UP or action in _DOWN:
            self.make_room(-1 if action in _UP else 1)
        return None

    def follow_cursor(self) -> None:
        """The cursor has moved: what lies far from it can be hidden soon."""
        if self._approvals.rowCount() > MOST_ROWS and not self._narrowing.isActive():
            self._narrowing.start()

    def narrow(self) -> None:
        """Hide what is far from the cursor and from what is in sight."""
        near = [index.row() for index in (*rows_in_sight(self._view), self._view.currentIndex()) if index.isValid()]
        if near:
            self._hold_place()
            if not self._approvals.narrow(min(near), max(near)):
                self._anchor.forget()

    def restore(self) -> None:
        """Scroll so that what was in sight is where it was; to be called after each layout."""
        self._anchor.restore()

    def _hold_place(self) -> None:
        self._anchor.forget()
        self._anchor.remember(islice(rows_in_sight(self._view), 1))

    def _id_of(self, index: QModelIndex) -> ApprovalId | None:
        card = self._approvals.item_at(index.row())
        return card.approval_id if card is not None else None

    def _fetch_earlier(self) -> None:
        if self._approvals.has_earlier:
            self._hold_place()
            self._approvals.fetch_earlier()

    def _scrolled(self, value: int) -> None:
        if value <= self._view.verticalScrollBar().minimum() and not self._anchor.is_set:
            self._fetch_earlier()
