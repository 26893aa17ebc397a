"""Keeps what screen readers know of a tree in step with what the tree shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAccessible, QAccessibleTableModelChangeEvent

if TYPE_CHECKING:
    from PySide6.QtWidgets import QTreeView


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
