"""A small table as a list of painted rows: calls of a model, pages of a trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate, QWidget

from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.row_states import SELECTED
from chimein_gui.ui.widgets.rows.scroll_anchor import CurrentInSight
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.mirror import follow_layout, mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import Index, ItemRole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.ui.widgets.theme.theme import Theme

SIDE, GAP = 14.0, 12.0


class Column(NamedTuple):
    """A column; one of width 0 takes the rest."""

    title: str
    width: float = 0.0
    at_end: bool = False
    """Its texts end at the trailing edge, as numbers do."""


class Cell(NamedTuple):
    """A text, foreign or not, with the token of its colour."""

    text: str
    token: str = "text1"
    strong: bool = False
    span: int = 1
    """Columns that it takes; those behind it stay empty."""


@dataclass(frozen=True, slots=True)
class CellRow:
    """One row.

    Attributes:
        key: What it stands for.
        cells: One a column.
        sentence: The row for screen readers.
    """

    key: object
    cells: tuple[Cell, ...]
    sentence: str


class _Rows(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[CellRow, ...] = ()

    def show_rows(self, rows: Sequence[CellRow]) -> None:
        if tuple(rows) != self.rows:
            self.beginResetModel()
            self.rows = tuple(rows)
            self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == ItemRole:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.sentence
        return None


def _places(columns: Sequence[Column], width: float, scale: float) -> Iterator[tuple[float, float]]:
    """Yield where each column begins and ends."""
    fixed = sum(column.width * scale + GAP for column in columns if column.width)
    left = SIDE
    for column in columns:
        room = column.width * scale if column.width else max(60.0, width - 2 * SIDE - fixed)
        yield left, left + room
        left += room + GAP


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, view: CellTable) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, self.row_height())

    def row_height(self) -> int:
        """Return the height of each row, px."""
        return max(26, round(self._theme.metrics(Face.BODY).height() * 1.6))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ItemRole)
        if not isinstance(row, CellRow):
            return
        rect, state, theme = QRectF(option.rect), option.state.value, self._theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        focused = self._view.hasFocus() and bool(state & SELECTED)
        colours = colours_of(theme, Role.ROW, row_state(state, focused=focused))
        draw_tile(painter, colours, rect.adjusted(4, 1, -4, -1))
        places = tuple(_places(self._view.columns, rect.width(), theme.percent / 100))
        middle = rect.center().y() + 0.5
        for number, (cell, column) in enumerate(zip(row.cells, self._view.columns, strict=True)):
            left, right = places[number][0], places[number + cell.span - 1][1]
            face = Face.SMALL_STRONG if cell.strong else Face.SMALL
            words = foreign_text.line(cell.text, 300)
            begin = max(left, right - theme.metrics(face).horizontalAdvance(words)) if column.at_end else left
            at = QPointF(rect.left() + begin, middle)
            marks.draw_line(painter, theme.font(face), theme.color(cell.token), at, words, right - left + 1)
        painter.restore()


class _Heads(QWidget):
    def __init__(self, theme: Theme, view: CellTable) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("line"))
        follow_layout(painter, self)
        metrics, middle = theme.metrics(Face.META_STRONG), self.height() / 2 - 0.5
        font, ink = theme.font(Face.META_STRONG), theme.color("text3")
        places = _places(self._view.columns, self._view.viewport().width(), theme.percent / 100)
        for column, (left, right) in zip(self._view.columns, places, strict=True):
            begin = max(left, right - metrics.horizontalAdvance(column.title)) if column.at_end else left
            at = QPointF(begin, middle)
            marks.draw_line(painter, font, ink, at, column.title, right - left + 1)
        painter.end()


class CellTable(SpokenListView):
    """Rows of one height below the names of their columns.

    Attributes:
        picked: Another row is current, or none; carries its key.
    """

    picked = Signal(object)

    def __init__(self, theme: Theme, name: str, columns: tuple[Column, ...]) -> None:
        super().__init__()
        self._theme, self.columns, self._rows = theme, columns, _Rows()
        self._rows.setParent(self)
        self._delegate = _Delegate(theme, self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(name)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setModel(self._rows)
        self._heads = _Heads(theme, self)
        speak_rows_only(self)
        make_selected_current(self)
        CurrentInSight(self)
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self._fit)
        self.verticalScrollBar().rangeChanged.connect(lambda _least, _most: self._heads.update())
        self._fit()

    def show_rows(self, rows: Sequence[CellRow]) -> None:
        """Show other rows; the chosen one stays if it is still there."""
        key = self.current_key
        self._rows.show_rows(rows)
        if rows and self.current_key is None:
            self.choose(key)

    def height_of(self, rows: int) -> int:
        """Return the height of the heads with some whole rows, px."""
        return self._heads.height() + rows * self._delegate.row_height()

    @property
    def current_key(self) -> object:
        """What the chosen row stands for; None without one."""
        row = self.currentIndex().data(ItemRole) if self.currentIndex().isValid() else None
        return row.key if isinstance(row, CellRow) else None

    def choose(self, key: object) -> None:
        """Choose the row of a key; the first one if there is none."""
        place = next((at for at, row in enumerate(self._rows.rows) if row.key == key), 0)
        self.setCurrentIndex(self._rows.index(place, 0))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.picked.emit(self.current_key)

    def _fit(self) -> None:
        height = round(self._theme.metrics(Face.META_STRONG).height()) + 8
        self.setViewportMargins(0, height, 0, 0)
        self._heads.setGeometry(0, 0, self.width(), height)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._heads.setGeometry(0, 0, self.width(), self._heads.height())
