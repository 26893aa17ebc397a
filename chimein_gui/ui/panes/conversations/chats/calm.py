"""Nothing jumps under the hand: while somebody moves about in the tree, every chat stays where it is.

So it is while the menu of a row is open. When they come to rest, chats go where they belong, and the row of the cursor
stays at its height on the screen.
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
"""After so long without a key or a move of the pointer nobody is about to press on a row."""

_MOVES = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.MouseMove,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.Wheel,
        QEvent.Type.ContextMenu,
    }
)


class TreeCalm(QObject):
    """Watches the hand, and holds the model still meanwhile."""

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
        self._rest.timeout.connect(self._let_go)
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)
        for about in (chats.rowsAboutToBeMoved, chats.rowsAboutToBeInserted, chats.rowsAboutToBeRemoved):
            about.connect(self._note_height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in _MOVES:
            self._rest.start()
            self._chats.set_still(True)
        elif kind is QEvent.Type.Hide or (kind in (QEvent.Type.Leave, QEvent.Type.FocusOut) and self._is_free()):
            self._rest.stop()
            self._let_go()
        return False

    def hold_for(self, menu: QMenu) -> None:
        """Hold still while a menu is open, and a rest longer: its row is still looked at."""
        self._menu_is_open = True
        self._chats.set_still(True)
        menu.aboutToHide.connect(self._menu_closed)

    def _menu_closed(self) -> None:
        self._menu_is_open = False
        self._rest.start()

    def _let_go(self) -> None:
        if not self._menu_is_open:
            self._chats.set_still(False)

    def _is_free(self) -> bool:
        return not self._view.underMouse() and not self._view.hasFocus()

    def _note_height(self) -> None:
        """Only where the operator works in the tree: else the newest chats are to be seen.

        Rows that move before the next layout are one change: to look after each would lay out all rows each time.
        """
        index, bar = self._view.currentIndex(), self._view.verticalScrollBar()
        if self._anchor.is_set or not self._view.hasFocus() or not index.isValid() or bar.value() <= 0:
            return
        if self._view.viewport().rect().intersects(self._view.visualRect(index)):
            self._anchor.remember((index,))
            self._noted_at = (QPersistentModelIndex(index), bar.value())

    def lay_out(self, lay_out: Callable[[], None]) -> None:
        """Let the view lay out its rows, and put the row of the cursor where it was before they changed."""
        index, bar = self._view.currentIndex(), self._view.verticalScrollBar()
        moved_since = self._noted_at != (QPersistentModelIndex(index), bar.value())
        if moved_since:
            self._anchor.forget()
        lay_out()
        self._anchor.restore()
