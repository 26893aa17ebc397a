"""The list of decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSortFilterProxyModel, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListView

from chimein_gui.ui.panes.decisions.rows import LineDelegate
from chimein_gui.ui.widgets.controls.spoken_role import speak_rows_only
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtGui import QKeyEvent

    from chimein_gui.ui.pane import PaneContext


class DecisionList(QListView):
    """Lines of the log, however many were read.

    A view asks its model for every row whenever rows come. Those questions are answered by a model of Qt's own, which
    is in front of the log: 20,000 of them in Python would take longer than a frame.

    Return opens the chat; the slash goes to the words, where single keys are on.

    Attributes:
        entered: Return was pressed, or a line pressed twice.
        searched: The slash was pressed.
    """

    entered = Signal()
    searched = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._single_keys = context.models.single_keys
        speak_rows_only(self)
        self.setItemDelegate(LineDelegate(context, self))
        self.setAccessibleName(self.tr("Decisions"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.doubleClicked.connect(lambda _index: self.entered.emit())
        keys = SingleKeyShortcuts(
            {"J": lambda: self.step(1), "K": lambda: self.step(-1)}, self, context.models.single_keys
        )
        keys.watch(self)
        context.theme.changed.connect(self.viewport().update)
        context.theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    def show_log(self, log: QAbstractItemModel) -> None:
        """Show these lines."""
        lines = QSortFilterProxyModel(self)
        lines.setSourceModel(log)
        self.setModel(lines)

    def step(self, by: int) -> None:
        """Go to another line."""
        row = min(max(0, self.currentIndex().row() + by), self.model().rowCount() - 1)
        self.setCurrentIndex(self.model().index(row, 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif event.text() == "/" and self._single_keys.enabled:
            self.searched.emit()
        else:
            super().keyPressEvent(event)
