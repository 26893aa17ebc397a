"""The list of the Log pane: it follows what is written until the operator scrolls up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractItemView, QListView

from chimein_gui.ui.panes.log.ahead import RowsAhead
from chimein_gui.ui.panes.log.columns import Columns, columns_of
from chimein_gui.ui.panes.log.rows import LogDelegate
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.opaque_ground import fill, make_opaque
from chimein_gui.ui.widgets.rows.scroll_anchor import CurrentInSight
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.rows.whole_rows import fit_rows, stand_on_row
from chimein_gui.viewmodels.traces.words import TRACE_KEY

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent, QWheelEvent

    from chimein_gui.reporting.log_lines import LogLine
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.core.roles import Index
    from chimein_gui.viewmodels.log.model import LogModel


class LogList(SpokenListView):
    """At most 10,000 rows of one height; a native model between the view and the lines answers what Qt asks of each.

    Attributes:
        followed: Following was switched on or off.
        entered: What the current line is about was asked for.
        searched: The filter field was asked for.
        trace_wanted: The trace of the plan that the current line is about was asked for.
        picked: Another line is current, or none.
        moved: Other lines are in sight.
    """

    followed = Signal(bool)
    entered = Signal()
    searched = Signal()
    trace_wanted = Signal()
    picked = Signal()
    moved = Signal()

    def __init__(self, context: PaneContext, model: LogModel) -> None:
        super().__init__()
        self._theme, self._model, self._single_keys = context.theme, model, context.models.single_keys
        self.follows = True
        self._columns: tuple[float, Columns] | None = None
        speak_rows_only(self)
        make_opaque(self)
        self._rows = LogDelegate(context, self, model, lambda: self.columns)
        self.setItemDelegate(self._rows)
        self._ahead = RowsAhead(self, model, self._rows)
        self.setAccessibleName(self.tr("Log lines"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        proxy = QSortFilterProxyModel(self)
        proxy.setSourceModel(model)
        self.setModel(proxy)
        make_selected_current(self)
        CurrentInSight(self, lambda: not self.follows)
        for changed in (model.grown, model.changed):
            changed.connect(self._go_on)
        model.new.coming.connect(self._prepare)
        model.dropping.connect(self._keep_place)
        keys = SingleKeyShortcuts(
            {
                "J": lambda: self.step(1),
                "K": lambda: self.step(-1),
                "F": lambda: self.follow(not self.follows),
                TRACE_KEY: self.trace_wanted.emit,
                "E": lambda: self.go_to_error(1),
                "⇧E": lambda: self.go_to_error(-1),
            },
            self,
            context.models.single_keys,
        )
        keys.watch(self)
        self.doubleClicked.connect(lambda _index: self.entered.emit())
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(lambda _value: self.moved.emit())
        bar.sliderMoved.connect(lambda _value: self.look_where())
        # Qt tells of an action of the bar before its value changes. Lines that come in move the bar, too.
        bar.actionTriggered.connect(lambda _action: QTimer.singleShot(0, self, self.look_where))
        self.verticalScrollBar().rangeChanged.connect(lambda *_range: self.moved.emit())
        context.theme.changed.connect(self.viewport().update)
        context.theme.fonts_changed.connect(self._measure)

    def _measure(self) -> None:
        self._columns = None
        self._fit_rows()
        self.scheduleDelayedItemsLayout()

    def _fit_rows(self) -> None:
        fit_rows(self, self._rows.row_height())
        if not self.follows:
            stand_on_row(self, self._rows.row_height())

    @property
    def columns(self) -> Columns:
        """The columns for the present width."""
        width = float(self.viewport().width())
        if self._columns is None or self._columns[0] != width:
            self._columns = width, columns_of(self._theme, width)
        return self._columns[1]

    @property
    def current(self) -> LogLine | None:
        """The chosen line."""
        return self._model.line_at(self.currentIndex().row())

    def follow(self, on: bool) -> None:
        """Keep the newest line in sight, or stay here."""
        if on is not self.follows:
            self.follows = on
            self.followed.emit(on)
        if on:
            self._to_end()

    def step(self, by: int) -> None:
        """Choose the line `by` rows further down; the last one if none is chosen."""
        count = self.model().rowCount()
        row = self.currentIndex().row()
        self.choose(min(max(0, row + by), count - 1) if row >= 0 else count - 1)

    def choose(self, row: int) -> None:
        """Choose a line and bring it into view; that of the end goes on following."""
        if not 0 <= row < self.model().rowCount():
            return
        if row < self.model().rowCount() - 1:
            self.follow(on=False)
        self.setCurrentIndex(self.model().index(row, 0))
        self.scrollTo(self.currentIndex())

    def go_to_error(self, by: int) -> None:
        """Choose the next error after the chosen line, or the one before it."""
        row = self.currentIndex().row()
        self.choose(self._model.next_error(row if row >= 0 or by > 0 else self.model().rowCount(), by))

    def show_time(self, at: float) -> None:
        """Scroll to the lines of a time, seconds since 1970."""
        row = self._model.row_at(at)
        if row >= 0:
            self.follow(on=False)
            self.scrollTo(self.model().index(row, 0), QAbstractItemView.ScrollHint.PositionAtTop)

    def times_in_sight(self) -> tuple[float, float] | None:
        """Return the times of the first and the last line in sight, seconds since 1970; None without lines."""
        height, at = self._rows.row_height(), self.verticalScrollBar().value()
        last = min((at + self.viewport().height() - 1) // height, self.model().rowCount() - 1)
        first, end = self._model.line_at(at // height), self._model.line_at(last)
        return None if first is None or end is None else (first.at, end.at)

    # --- following ------------------------------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Lay out and scroll at once, and only once for lines that came and others that were dropped for them."""
        if self.follows:
            self._to_end()
        self.moved.emit()

    def _prepare(self) -> None:
        if self.follows and self.isVisible():
            self._ahead.start()

    def _to_end(self) -> None:
        self.scrollToBottom()

    def _keep_place(self, dropped: int) -> None:
        """Keep the lines in sight where they are while some are dropped above them.

        When the current line is dropped, none is: Qt would go on to the next one, which is dropped soon, too.
        """
        if 0 <= self.currentIndex().row() < dropped:
            self.setCurrentIndex(QModelIndex())
        if not self.follows:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() - dropped * self._rows.row_height())

    def look_where(self) -> None:
        """Follow from now on if the operator has scrolled to the end, and no longer if he has left it."""
        bar = self.verticalScrollBar()
        at_end = bar.value() >= bar.maximum()
        if at_end is not self.follows:
            self.follows = at_end
            self.followed.emit(at_end)

    # --- Qt -------------------------------------------------------------------------------------------------------

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.picked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif event.text() == "/" and self._single_keys.enabled:
            self.searched.emit()
        else:
            super().keyPressEvent(event)
            self.look_where()

    def wheelEvent(self, event: QWheelEvent) -> None:
        super().wheelEvent(event)
        self.look_where()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index, columns = self.indexAt(event.position().toPoint()), self.columns
        x = self.viewport().width() - event.position().x() if self.isRightToLeft() else event.position().x()
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton and x > columns.end - columns.link_width:
            self.entered.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_rows()
        self._go_on()

    def paintEvent(self, event: QPaintEvent) -> None:
        fill(self, event, self._theme, "pane")
        super().paintEvent(event)
