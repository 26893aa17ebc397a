"""Keeps the tree still while the operator works in it, so that no row moves under the pointer.

Rows also stay while the menu of a row is open. Afterwards chats move to their places, and the current row keeps its
position on the screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPersistentModelIndex, QTimer

from chimein_gui.ui.widgets.rows.scroll_anchor import ScrollAnchor

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu, QTreeView

    from chimein_gui.viewmodels.chats.chats import ChatTreeModel

REST_MS = 4000
"""Time without keys or pointer moves after which rows may move again, ms."""

_MOVES = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.MouseMove,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.Wheel,
        QEvent.Type.ContextMenu,
    }
)


class UpdateThrottle(QObject):
    """Detects that the operator is working in the tree, and delays moves of the model's rows meanwhile."""

    def __init__(self, view: QTreeView, chats: ChatTreeModel) -> None:
        super().__init__(view)
        self._view, self._chats = view, chats
        self._anchor = ScrollAnchor(
            view, QPersistentModelIndex, lambda kept: chats.index(kept.row(), kept.column(), kept.parent())
        )
        self._menu_is_open = False
        self._noted_at = (QPersistentModelIndex(), 0)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._release)
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)
        for about in (chats.moves.about_to_reorder, chats.rowsAboutToBeInserted, chats.rowsAboutToBeRemoved):
            about.connect(self._note_height)
        chats.moves.reordered.connect(self._show_order)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in _MOVES:
            self._rest.start()
            self._chats.moves.set_still(True)
        elif kind is QEvent.Type.Hide or (kind in (QEvent.Type.Leave, QEvent.Type.FocusOut) and self._is_free()):
            self._rest.stop()
            self._release()
        return False

    def hold_for(self, menu: QMenu) -> None:
        """Keep the rows still while a menu is open, and for `REST_MS` after it."""
        self._menu_is_open = True
        self._chats.moves.set_still(True)
        menu.aboutToHide.connect(self._menu_closed)

    def _menu_closed(self) -> None:
        self._menu_is_open = False
        self._rest.start()

    def _release(self) -> None:
        if not self._menu_is_open:
            self._chats.moves.set_still(False)

    def _is_free(self) -> bool:
        return not self._view.underMouse() and not self._view.hasFocus()

    def _note_height(self) -> None:
        """Remember the position of the current row, if the tree has the focus; otherwise the newest chats stay visible.

        Changes before the next layout count as one, because restoring the position after each would cost a layout.
        """
        index, bar = self._view.currentIndex(), self._view.verticalScrollBar()
        if self._anchor.is_set or not self._view.hasFocus() or not index.isValid() or bar.value() <= 0:
            return
        if self._view.viewport().rect().intersects(self._view.visualRect(index)):
            self._anchor.remember((index,))
            self._noted_at = (QPersistentModelIndex(index), bar.value())

    def _show_order(self, agent_row: int, first: int, last: int) -> None:
        """Paint the rows again that have changed; only a position that is to be restored needs a layout."""
        if self._anchor.is_set:
            self._view.scheduleDelayedItemsLayout()
            return
        agent, view = self._chats.index(agent_row, 0), self._view
        if view.isExpanded(agent):
            upper, lower = (view.visualRect(self._chats.index(row, 0, agent)) for row in (first, last))
            view.viewport().update(upper.united(lower))

    def lay_out(self, lay_out: Callable[[], None]) -> None:
        """Lay out the view with this function, and restore the position of the current row."""
        index, bar = self._view.currentIndex(), self._view.verticalScrollBar()
        moved_since = self._noted_at != (QPersistentModelIndex(index), bar.value())
        if moved_since:
            self._anchor.forget()
        lay_out()
        self._anchor.restore()
