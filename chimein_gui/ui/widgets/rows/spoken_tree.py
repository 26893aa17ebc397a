"""Keeps what a screen reader reads of a tree the same as what the tree shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAccessible, QAccessibleTableModelChangeEvent

if TYPE_CHECKING:
    from PySide6.QtWidgets import QTreeView


class SpokenTree(QObject):
    """Lets Qt forget the rows that it has told, whenever others may stand in their places.

    Qt keeps a tree's rows by their number. It renumbers them before the tree is laid out, not at all when a branch is
    closed or a row hidden, and forgets them without letting go of them when rows are removed: a screen reader would
    hear one row twice and another never. What is forgotten in time is asked for anew, by its right number.
    """

    def __init__(self, view: QTreeView) -> None:
        super().__init__(view)
        self._view, model = view, view.model()
        self._laid_out = QTimer(self)
        self._laid_out.setSingleShot(True)
        self._laid_out.setInterval(0)
        self._laid_out.timeout.connect(self._tell)
        for about in (model.rowsAboutToBeInserted, model.rowsAboutToBeRemoved):  # at moves and resets Qt does it
            about.connect(self._forget)
        for changed in (model.rowsInserted, model.rowsRemoved, model.rowsMoved, model.modelReset):
            changed.connect(self.look_again)
        view.expanded.connect(self._forget)
        view.collapsed.connect(self._forget)

    def look_again(self) -> None:
        """Other rows will be shown after the next layout."""
        if QAccessible.isActive():
            self._laid_out.start()

    def _tell(self) -> None:
        # Qt lays out a tree behind another pane only when it is shown; it is read before.
        self._view.executeDelayedItemsLayout()
        self._forget()

    def _forget(self) -> None:
        if QAccessible.isActive():
            kind = QAccessibleTableModelChangeEvent.ModelChangeType.ModelReset
            QAccessible.updateAccessibility(QAccessibleTableModelChangeEvent(self._view, kind))
