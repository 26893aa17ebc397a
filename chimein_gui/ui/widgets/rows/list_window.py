"""Limits the rows of the list to a range around the current row and the scroll position; visible rows stay in place."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QObject, QTimer
from PySide6.QtWidgets import QAbstractItemView, QListView

from chimein_gui.ui.widgets.rows.clocked_rows import rows_in_sight
from chimein_gui.ui.widgets.rows.scroll_anchor import ScrollAnchor
from chimein_gui.viewmodels.core.roles import KeyRole
from chimein_gui.viewmodels.core.windowed_list import MOST_ROWS

if TYPE_CHECKING:
    from collections.abc import Container

    from chimein_gui.viewmodels.core.windowed_list import WindowedListModel

_Move = QAbstractItemView.CursorAction
_UP = (_Move.MoveUp, _Move.MovePageUp, _Move.MovePrevious)
_DOWN = (_Move.MoveDown, _Move.MovePageDown, _Move.MoveNext)


class ListWindow(QObject):
    """Loads rows when the operator comes near the end of the range, and unloads distant ones."""

    def __init__(self, view: QListView, model: WindowedListModel[Any]) -> None:
        super().__init__(view)
        self._view, self._model = view, model
        self._anchor = ScrollAnchor(view, lambda index: index.data(KeyRole), model.index_of)
        # Rows are unloaded in a later event, never while Qt is about to set the current row.
        self._narrowing = QTimer(self)
        self._narrowing.setSingleShot(True)
        self._narrowing.setInterval(0)
        self._narrowing.timeout.connect(self.narrow)
        view.verticalScrollBar().valueChanged.connect(self._scrolled)

    def make_room(self, step: int) -> None:
        """Load rows if a step up or down would leave the range."""
        row = self._view.currentIndex().row() + step
        if row < 0:
            self._fetch_earlier()
        elif row >= self._model.rowCount() and self._model.canFetchMore(QModelIndex()):
            self._model.fetchMore(QModelIndex())

    def target_of(self, action: QAbstractItemView.CursorAction) -> QModelIndex | None:
        """Load rows for a movement of the current row; return its target, or None to let Qt find it."""
        if action == _Move.MoveHome:
            self._model.reveal_first()
            return self._model.index(0, 0)
        if action == _Move.MoveEnd:
            self._model.reveal_last()
            return self._model.index(self._model.rowCount() - 1, 0)
        if action in _UP or action in _DOWN:
            self.make_room(-1 if action in _UP else 1)
        return None

    def follow_cursor(self) -> None:
        """Schedule the unloading of distant rows: the current row has changed."""
        if self._model.rowCount() > MOST_ROWS and not self._narrowing.isActive():
            self._narrowing.start()

    def narrow(self) -> None:
        """Unload rows that are far from the current row and the visible ones."""
        near = [index.row() for index in (*rows_in_sight(self._view), self._view.currentIndex()) if index.isValid()]
        if near:
            self.hold_place()
            if not self._model.narrow(min(near), max(near)):
                self._anchor.forget()

    def restore(self) -> None:
        """Restore the scroll position; call this after each layout."""
        self._anchor.restore()

    def hold_place(self, moving: Container[object] = ()) -> None:
        """Keep the first visible row where it is until the next `restore`; rows with the keys `moving` don't count."""
        self._anchor.forget()
        staying = (index for index in rows_in_sight(self._view) if index.data(KeyRole) not in moving)
        self._anchor.remember(islice(staying, 1))

    def _fetch_earlier(self) -> None:
        if self._model.has_earlier:
            self.hold_place()
            self._model.fetch_earlier()

    def _scrolled(self, value: int) -> None:
        if value <= self._view.verticalScrollBar().minimum() and not self._anchor.is_set:
            self._fetch_earlier()
