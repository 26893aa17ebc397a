"""The list of decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSortFilterProxyModel, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListView

from chimein_gui.ui.panes.decisions.rows import LineDelegate
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.opaque_ground import fill
from chimein_gui.ui.widgets.rows.paint_budget import take_turns
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.viewmodels.traces.words import TRACE_KEY

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtGui import QKeyEvent, QPaintEvent

    from chimein_gui.ui.pane import PaneContext


class DecisionList(SpokenListView):
    """A list of any number of log entries.

    A view asks its model about every row whenever rows are inserted. So a native Qt model is between the view and the
    log: 20,000 calls into Python would take longer than a frame.

    Return opens the chat; the slash key focuses the search field if single keys are enabled.

    Attributes:
        entered: Return was pressed, or an entry was double-clicked.
        searched: The slash key was pressed.
        trace_wanted: The trace of the plan is wanted.
    """

    entered = Signal()
    searched = Signal()
    trace_wanted = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._single_keys, self._theme = context.models.single_keys, context.theme
        speak_rows_only(self)
        self.setItemDelegate(LineDelegate(context, self))
        self.setAccessibleName(self.tr("Decisions"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        take_turns(self)
        self.doubleClicked.connect(lambda _index: self.entered.emit())
        keys = SingleKeyShortcuts(
            {"J": lambda: self.step(1), "K": lambda: self.step(-1), TRACE_KEY: self.trace_wanted.emit},
            self,
            context.models.single_keys,
        )
        keys.watch(self)
        context.theme.changed.connect(self.viewport().update)
        context.theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    def show_log(self, log: QAbstractItemModel) -> None:
        """Show the entries of this model."""
        lines = QSortFilterProxyModel(self)
        lines.setSourceModel(log)
        self.setModel(lines)
        make_selected_current(self)

    def step(self, by: int) -> None:
        """Select the entry `by` rows further down."""
        row = min(max(0, self.currentIndex().row() + by), self.model().rowCount() - 1)
        self.setCurrentIndex(self.model().index(row, 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif event.text() == "/" and self._single_keys.enabled:
            self.searched.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        fill(self, event, self._theme, "pane")
        super().paintEvent(event)
