"""The list of traces: any number of rows, each read when it is in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListView, QToolTip

from chimein_gui.domain.traces.summaries import TraceSummary
from chimein_gui.ui.panes.traces.rows import TraceDelegate
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.opaque_ground import fill
from chimein_gui.ui.widgets.rows.paint_budget import take_turns
from chimein_gui.ui.widgets.rows.scroll_anchor import CurrentInSight
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.core.roles import ItemRole

if TYPE_CHECKING:
    from PySide6.QtGui import QHelpEvent, QKeyEvent, QPaintEvent

    from chimein_gui.domain.ids import ChatId
    from chimein_gui.domain.traces.summaries import TraceId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.core.roles import Index
    from chimein_gui.viewmodels.traces.list import TraceListModel


class TraceList(SpokenListView):
    """Any number of traces; a native model between the view and the rows answers what Qt asks of each.

    Attributes:
        picked: Another trace is current, or none; carries its row.
        entered: Return was pressed.
    """

    picked = Signal(object)
    entered = Signal()

    def __init__(self, context: PaneContext, model: TraceListModel) -> None:
        super().__init__()
        self._model, self._theme, self._clock = model, context.theme, context.models.clock
        self._picked: TraceSummary | None = None
        self._sought: TraceId | None = None
        speak_rows_only(self)
        self._rows = TraceDelegate(context, self, model)
        self.setItemDelegate(self._rows)
        self.setAccessibleName(self.tr("Traces"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        proxy = QSortFilterProxyModel(self)
        proxy.setSourceModel(model)
        self.setModel(proxy)
        proxy.dataChanged.connect(self._look_again)
        take_turns(self)
        make_selected_current(self)
        CurrentInSight(self)
        self.doubleClicked.connect(lambda _index: self.entered.emit())
        context.theme.changed.connect(self.viewport().update)
        models = context.models
        models.clock.ticked.connect(self._count_down)
        models.agents.summary_changed.connect(self._paint_again)
        for moved in (models.chats.feed.chats_changed, models.approvals.chats_changed):
            moved.connect(self._look_at_chats)
        context.theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    @property
    def current(self) -> TraceSummary | None:
        """The chosen row."""
        row = self.currentIndex().data(ItemRole) if self.currentIndex().isValid() else None
        return row if isinstance(row, TraceSummary) else None

    def _paint_again(self) -> None:
        self._rows.waiting.clear()  # what is painted now fills it
        self.viewport().update()

    def _look_at_chats(self, chats: frozenset[ChatId]) -> None:
        """Show what plans wait for now, if rows of these chats show it."""
        if not self._rows.waiting.isdisjoint(chats):
            self._paint_again()

    def _count_down(self) -> None:
        """Show the time that is left of waits in sight."""
        if self._rows.counts_down and self.isVisible():
            self._rows.counts_down = False
            self.viewport().update()

    def set_narrow(self, *, narrow: bool) -> None:
        """Show an icon and the time of each plan alone; the rest is in a tool tip."""
        self._rows.is_narrow = narrow
        self._rows.pictures.clear()
        bars = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if narrow else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(bars)
        self.viewport().update()

    def seek(self, words: str) -> None:
        """Show of each message the part in which these words stand."""
        if words != self._rows.sought:
            self._rows.sought = words
            self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and self._rows.is_narrow:
            helps: QHelpEvent = event  # type: ignore[assignment]
            words = self.indexAt(helps.pos()).data(Qt.ItemDataRole.AccessibleTextRole)
            QToolTip.showText(helps.globalPos(), foreign_text.tool_tip(str(words)) if words else "", self)
            return True
        return super().viewportEvent(event)

    def step(self, by: int) -> None:
        """Choose the trace `by` rows further down."""
        row = min(max(0, self.currentIndex().row() + by), self.model().rowCount() - 1)
        self.setCurrentIndex(self.model().index(row, 0))

    def choose(self, trace_id: TraceId) -> bool:
        """Choose a trace; False if it is not among the rows that were read."""
        row = self._model.row_of(trace_id)
        if row >= 0:
            self.setCurrentIndex(self.model().index(row, 0))
            self.scrollTo(self.currentIndex())
        return row >= 0

    def go_to(self, place: int, trace_id: TraceId) -> None:
        """Choose the trace at a place, whose row is read when it is in sight; another one there is left alone."""
        index = self.model().index(place, 0)
        row = index.data(ItemRole)
        if isinstance(row, TraceSummary) and row.trace_id != trace_id:
            return
        self.setCurrentIndex(index)
        self._sought = trace_id if row is None else None
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self._sought, self._picked = None, self.current
        self.picked.emit(self._picked)

    def rowsAboutToBeRemoved(self, parent: Index, start: int, end: int) -> None:
        if start <= self.currentIndex().row() <= end:  # Qt would choose another trace, which would be opened
            self.setCurrentIndex(QModelIndex())
        super().rowsAboutToBeRemoved(parent, start, end)

    def _look_again(self, first: QModelIndex, last: QModelIndex) -> None:
        """Tell of the chosen row once it has been read; follow it if another one stands there now."""
        row = self.current if first.row() <= self.currentIndex().row() <= last.row() else None
        if row is None:
            return
        wanted = self._sought if self._picked is None else self._picked.trace_id
        if wanted is not None and wanted != row.trace_id:
            if not self.choose(wanted):
                self.setCurrentIndex(QModelIndex())
            return
        was_unread, self._picked, self._sought = self._picked is None, row, None
        if was_unread:
            self.picked.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        fill(self, event, self._theme, "pane")
        self._rows.today = self._clock.today()
        super().paintEvent(event)
