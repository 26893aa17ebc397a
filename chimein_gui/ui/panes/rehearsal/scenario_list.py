"""The list of scenarios: title, summary, and the progress of the running one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate

from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.row_states import FOCUSED
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.text import foreign_text, text_block
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_ring, draw_row, row_state
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.core.roles import Index, ItemRole
from chimein_gui.viewmodels.rehearsal.scenarios import ScenarioListModel, ScenarioRow

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.viewmodels.rehearsal.rehearsal import RehearsalModel

SIDE, TOP = 14.0, 9.0
LINES, ALL_LINES = 2, 6
"""Most lines of a summary, in other rows and in the current one."""


class ScenarioDelegate(QStyledItemDelegate):
    """One scenario per row; the summary has at most two lines, and six in the current row."""

    def __init__(self, theme: Theme, rows: ScenarioListModel, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._rows, self._view = theme, rows, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row, width = index.data(ItemRole), self._view.viewport().width()
        if not isinstance(row, ScenarioRow):
            return QSize(width, 44)
        words = foreign_text.line(row.scenario.summary, 400)
        lines = ALL_LINES if index == self._view.currentIndex() else LINES
        summary = text_block.lay_out(words, self._theme.font(Face.SMALL), width - 2 * SIDE, lines).height
        return QSize(width, round(self._theme.metrics(Face.STRONG).height() + 3 + summary + 2 * TOP))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ItemRole)
        if not isinstance(row, ScenarioRow):
            return
        rect, theme, state = QRectF(option.rect), self._theme, option.state.value
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        has_ring = bool(state & FOCUSED) and self._view.hasFocus()
        colours = colours_of(theme, Role.ROW, row_state(state, focused=has_ring))
        draw_row(painter, colours, rect)
        marks.draw_hairline(painter, theme, rect, SIDE)
        self._paint_row(painter, rect, row, current=index == self._view.currentIndex())
        draw_ring(painter, colours, rect.adjusted(1.5, 1.5, -1.5, -1.5), 0, 1)
        painter.restore()

    def _paint_row(self, painter: QPainter, rect: QRectF, row: ScenarioRow, *, current: bool) -> None:
        quiet = "text2" if current else "text3"
        theme, left, right = self._theme, rect.left() + SIDE, rect.right() - SIDE
        line = theme.metrics(Face.STRONG).height()
        middle = rect.top() + TOP + line / 2
        words, label = self._rows.state_of(row), state_label(row)
        if label is not None:
            width = marks.mark_width(theme, words, Face.META_STRONG)
            said = IconLabel(label.icon, words, label.token)
            place = QPointF(right - width, middle)
            marks.draw_mark(painter, theme, place, said, theme.color(label.token), Face.META_STRONG)
        else:
            width = theme.metrics(Face.META).horizontalAdvance(words)
            marks.draw_line(painter, theme.font(Face.META), theme.color(quiet), QPointF(right - width, middle), words)
        title = foreign_text.name(row.scenario.title)
        font, ink = theme.font(Face.STRONG), theme.color("text1")
        marks.draw_line(painter, font, ink, QPointF(left, middle), title, right - width - 10 - left)
        below = QRectF(left, rect.top() + TOP + line + 3, right - left, rect.height())
        summary = foreign_text.line(row.scenario.summary, 400)
        text_block.draw_in(
            painter, summary, theme.font(Face.SMALL), theme.color("text2"), below, ALL_LINES if current else LINES
        )


def state_label(row: ScenarioRow) -> IconLabel | None:
    """Return icon and colour of a scenario's state; None if it was not started."""
    now = row.progress
    if now is None:
        return None
    if now.problem:
        return IconLabel("alert", "", "danger")
    if now.finished:
        return IconLabel("ok-circle", "", "ok")
    if now.stopped:
        return IconLabel("stop", "", "text2")
    return IconLabel("pause-circle" if now.paused else "play", "", "unreal")


class ScenarioList(SpokenListView):
    """All scenarios.

    Attributes:
        play_pressed: Return, Space or a double click on a row; carries the scenario's name.
        current_changed: Another row is selected.
    """

    play_pressed = Signal(str)
    current_changed = Signal()

    def __init__(self, theme: Theme, rehearsal: RehearsalModel) -> None:
        super().__init__()
        speak_rows_only(self)
        self._rows = ScenarioListModel(rehearsal, self)
        self.setModel(self._rows)
        make_selected_current(self)
        self.setItemDelegate(ScenarioDelegate(theme, self._rows, self))
        self.setAccessibleName(self.tr("Scenarios"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.doubleClicked.connect(lambda _index: self._play())
        self._rows.rowsInserted.connect(lambda *_: self._choose_first())
        theme.changed.connect(self.viewport().update)
        self._choose_first()

    def chosen(self) -> ScenarioRow | None:
        """Return the selected row, or None."""
        return self._rows.item_at(self.currentIndex().row())

    def choose(self, name: str) -> None:
        """Select a scenario by name."""
        index = self._rows.index_of(name)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def contents_height(self) -> int:
        """Return the height of all rows, px."""
        return sum(self.sizeHintForRow(row) for row in range(self._rows.rowCount()))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.scheduleDelayedItemsLayout()  # the current row shows its whole summary
        self.current_changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if not event.isAutoRepeat():
                self._play()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.scheduleDelayedItemsLayout()

    def _play(self) -> None:
        row = self.chosen()
        if row is not None:
            self.play_pressed.emit(row.scenario.name)

    def _choose_first(self) -> None:
        if not self.currentIndex().isValid() and self._rows.rowCount():
            self.setCurrentIndex(self._rows.index(0, 0))
