"""Lists and trees that tell screen readers of a focused row only while they have the keyboard focus.

Qt says of the current row of every list that it has the focus, wherever the keyboard is. A screen reader that looks for
the focus then finds several, and takes the first. So a list that somebody listens to gives its current row away while
the focus is elsewhere, and takes it back when the focus comes. Nobody but Qt sees that: `currentIndex` and
`setCurrentIndex` work as always, and no signal is sent.

Of a list that gets the keyboard focus Qt sends the event of the list only. Here one of its current row follows: what a
screen reader takes for the current row by itself may be gone before it is read. The same event follows when rows above
or below the current one are gone: a screen reader that was about to look at it may have lost it with them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING
from weakref import WeakSet

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSignalBlocker,
    QTimer,
)
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleTableModelChangeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QListView,
    QListWidget,
    QListWidgetItem,
    QTabBar,
    QTableView,
    QTreeView,
)
from shiboken6 import isValid

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent
    from PySide6.QtWidgets import QWidget

    from chimein_gui.viewmodels.core.roles import Index

    _View = QAbstractItemView
else:
    _View = object

_NOTHING = QPersistentModelIndex()


class _SpokenView(_View):
    """What a list or tree does besides, once somebody listens to it."""

    _given_away = _NOTHING
    _settling: QTimer | None = None
    _lost_rows = False

    def currentIndex(self) -> QModelIndex:
        """Return the current row, also while Qt does not know of it."""
        kept = self._given_away
        return (
            kept.model().index(kept.row(), kept.column(), kept.parent()) if kept.isValid() else super().currentIndex()
        )

    def setCurrentIndex(self, index: Index) -> None:
        self._regain()
        super().setCurrentIndex(index)
        self.settle_soon()  # that no other row became current is no change

    def currentChanged(self, current: Index, previous: Index) -> None:
        self._given_away = _NOTHING
        super().currentChanged(current, previous)
        self.settle_soon()

    def rowsAboutToBeRemoved(self, parent: Index, start: int, end: int) -> None:
        self._regain()  # Qt chooses the next one only if it knows that the current row goes
        super().rowsAboutToBeRemoved(parent, start, end)
        self._lost_rows = True
        self.settle_soon()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._regain()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.settle_soon()

    def settle_soon(self) -> None:
        """Tell of the focus as it is; not at once: other receivers of a signal may not have been told yet."""
        if not QAccessible.isActive():
            return
        if self._settling is None:
            self._settling = QTimer(self)
            self._settling.setSingleShot(True)
            self._settling.setInterval(0)
            self._settling.timeout.connect(self._settle)
        self._settling.start()

    def _settle(self) -> None:
        current, lost_rows = super().currentIndex(), self._lost_rows
        self._lost_rows = False
        if lost_rows and self.hasFocus():
            tell_current(self)
        if current.isValid() and not self.hasFocus():
            self._given_away = QPersistentModelIndex(current)
            selection = self.selectionModel()
            with QSignalBlocker(selection):
                selection.clearCurrentIndex()

    def _regain(self) -> None:
        kept, self._given_away = self.currentIndex(), _NOTHING
        if kept.isValid() and not super().currentIndex().isValid():
            selection = self.selectionModel()
            with QSignalBlocker(selection):
                selection.setCurrentIndex(kept, QItemSelectionModel.SelectionFlag.NoUpdate)


class SpokenListView(_SpokenView, QListView):
    """A list for screen readers, too."""


class SpokenTreeView(_SpokenView, QTreeView):
    """A tree for screen readers, too."""


class SpokenTableView(_SpokenView, QTableView):
    """A table for screen readers, too."""


class SpokenListWidget(_SpokenView, QListWidget):
    """A list that holds its own items, for screen readers, too."""

    def currentRow(self) -> int:
        return self.currentIndex().row()

    def currentItem(self) -> QListWidgetItem:
        return self.item(self.currentRow())

    def setCurrentRow(self, row: int) -> None:  # type: ignore[override]
        self._regain()
        super().setCurrentRow(row)
        self.settle_soon()


_waiting: WeakSet[FocusTeller] = WeakSet()
"""Those who do not know of a screen reader yet; a window that is closed takes its own with it."""


@cache
def _notice() -> None:
    # Nothing else tells that a screen reader has come but that Qt is asked what widgets are.
    QAccessible.installFactory(_noticed)


def _noticed(_key: str, _thing: QObject | None) -> None:
    for teller in tuple(_waiting):
        if isValid(teller):
            teller.look_soon()
    _waiting.clear()


def tell_current(holder: QWidget) -> None:
    """Tell of the focus on the current row of a list, or the current tab of a bar."""
    within = QAccessible.queryAccessibleInterface(holder).focusChild()
    if within is not None:
        QAccessible.updateAccessibility(QAccessibleEvent(within, QAccessible.Event.Focus))


class FocusTeller(QObject):
    """Tells where in a list or bar the focus is, and lets lists hear of a screen reader that is started later."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window, self._knows = window, False
        self._looking = QTimer(self)
        self._looking.setSingleShot(True)
        self._looking.setInterval(0)
        self._looking.timeout.connect(self._look)
        self._telling = QTimer(self)
        self._telling.setSingleShot(True)
        self._telling.setInterval(0)
        self._telling.timeout.connect(self._tell)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._look)
        _notice()
        _waiting.add(self)

    def look_soon(self) -> None:
        """Look whether a screen reader has come."""
        self._looking.start()

    def _look(self) -> None:
        was, self._knows = self._knows, QAccessible.isActive()
        if self._knows and not was:
            for view in self._window.findChildren(QAbstractItemView):
                if isinstance(view, _SpokenView):
                    view.settle_soon()
        if self._knows:
            self._telling.start()  # Qt tells of the list or bar itself after this
        else:
            _waiting.add(self)

    def _tell(self) -> None:
        holder = QApplication.focusWidget()
        if isinstance(holder, QAbstractItemView | QTabBar):
            tell_current(holder)


class SpokenTree(QObject):
    """Clears Qt's accessible rows of a tree whenever other rows may be in their places.

    Qt keeps the accessible rows of a tree by number. It renumbers them before the tree is laid out, does not renumber
    them when a branch is collapsed or a row is hidden, and drops them without deleting them when rows are removed. A
    screen reader would read one row twice and skip another. Rows that are cleared in time are created again with the
    right number.
    """

    def __init__(self, view: QTreeView) -> None:
        super().__init__(view)
        self._view, model = view, view.model()
        self._laid_out = QTimer(self)
        self._laid_out.setSingleShot(True)
        self._laid_out.setInterval(0)
        self._laid_out.timeout.connect(self._tell)
        for about in (model.rowsAboutToBeInserted, model.rowsAboutToBeRemoved):  # Qt itself handles moves and resets
            about.connect(self._forget)
        for changed in (model.rowsInserted, model.rowsRemoved, model.rowsMoved, model.modelReset):
            changed.connect(self.look_again)
        view.expanded.connect(self._forget)
        view.collapsed.connect(self._forget)

    def look_again(self) -> None:
        """Clear the accessible rows: the next layout will show other rows."""
        if QAccessible.isActive():
            self._laid_out.start()

    def _tell(self) -> None:
        # Qt lays out a hidden tree only when it is shown, but screen readers read it before.
        self._view.executeDelayedItemsLayout()
        self._forget()

    def _forget(self) -> None:
        if QAccessible.isActive():
            kind = QAccessibleTableModelChangeEvent.ModelChangeType.ModelReset
            QAccessible.updateAccessibility(QAccessibleTableModelChangeEvent(self._view, kind))
