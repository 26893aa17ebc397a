"""A grid of moving stickers as the media pane will need it: full speed under the pointer, slower elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QRegion
from PySide6.QtWidgets import QListView, QStyledItemDelegate

from chimein_gui.ui.widgets.controls.spoken_role import speak_rows_only
from chimein_gui.ui.widgets.rows.row_states import FOCUSED, HOVERED, SELECTED
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.core.roles import SPOKEN, ItemRole

if TYPE_CHECKING:
    from PySide6.QtCore import QItemSelection, SignalInstance
    from PySide6.QtGui import QHideEvent, QImage, QPaintEvent, QShowEvent
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

    from chimein_gui.domain.messages import Message
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.core.roles import Index
    from chimein_gui.viewmodels.media.frame_strip import FrameStrip
    from chimein_gui.viewmodels.media.pictures import Pictures

SIDE = 96
"""Of a sticker, in logical pixels."""

CELL = QSize(112, 112)

FAST_FPS = 30
"""Of the hovered and the selected ones."""

SLOW_FPS = 10
TICK_MS = 16
SLOW_EVERY = 2
"""Ticks from one look at all stickers to the next; those the eye is on are looked at each time."""


class StickerPictures(Protocol):
    """Where a grid gets its pictures; sizes are device pixels."""

    @property
    def changed(self) -> SignalInstance:
        """Tells the key of a sticker whose picture came."""
        ...

    def still(self, key: object, size: QSize) -> QImage | None:
        """Return a picture, or None: not there yet."""
        ...

    def frames(self, key: object, size: QSize, *, fps: int = ...) -> FrameStrip | None:
        """Return what moves, or None: not there yet, or nothing moves."""
        ...


@dataclass(frozen=True, slots=True)
class StickerCell:
    """One sticker of a grid.

    Attributes:
        key: What `StickerPictures` knows it by.
        words: What a screen reader says, foreign text.
    """

    key: object
    words: str


class MessageStickers:
    """The stickers of messages, by their keys."""

    def __init__(self, pictures: Pictures, messages: Iterable[Message]) -> None:
        self._pictures = pictures
        self._messages: dict[object, Message] = {message.key: message for message in messages}

    @property
    def changed(self) -> SignalInstance:
        """Tells the key of a message whose picture came."""
        return self._pictures.changed

    def still(self, key: object, size: QSize) -> QImage | None:
        """Return a picture, or None: not there yet."""
        return self._pictures.still(self._messages[key], size)

    def frames(self, key: object, size: QSize, *, fps: int = FAST_FPS) -> FrameStrip | None:
        """Return what moves, or None: not there yet, or nothing moves."""
        return self._pictures.frames(self._messages[key], size, fps=fps)


class StickerModel(QAbstractListModel):
    """The stickers of one grid."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cells: tuple[StickerCell, ...] = ()
        self._rows: dict[object, int] = {}

    def set_cells(self, cells: Sequence[StickerCell]) -> None:
        """Show these."""
        self.beginResetModel()
        self._cells = tuple(cells)
        self._rows = {cell.key: row for row, cell in enumerate(self._cells)}
        self.endResetModel()

    def row_of(self, key: object) -> int | None:
        """Return where a sticker stands."""
        return self._rows.get(key)

    def cell(self, row: int) -> StickerCell:
        """Return the sticker of a row."""
        return self._cells[row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._cells)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        if not index.isValid():
            return None
        cell = self._cells[index.row()]
        if role == ItemRole:
            return cell
        return foreign_text.line(cell.words, SPOKEN) if role == Qt.ItemDataRole.AccessibleTextRole else None


class StickerGrid(QListView):
    """Stickers in rows and columns, chosen with mouse or keys."""

    def __init__(self, theme: Theme, pictures: StickerPictures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        speak_rows_only(self)
        self._theme, self._pictures = theme, pictures
        self.stickers = StickerModel(self)
        self.setModel(self.stickers)
        self.setItemDelegate(_StickerDelegate(self))
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setGridSize(CELL)
        self.setMouseTracking(True)
        self._hovered = self._chosen = -1
        self._exposed = QRegion()
        self._shown: dict[int, int] = {}
        self._began = time.perf_counter()
        self._ticks = 0
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self.entered.connect(lambda index: self._hover(index.row()))
        self.viewportEntered.connect(lambda: self._hover(-1))
        self.stickers.modelReset.connect(self._start_over)
        pictures.changed.connect(self._look_again)
        theme.motion_changed.connect(self._run)
        theme.changed.connect(self.viewport().update)

    @property
    def is_moving(self) -> bool:
        """Tell whether anything ticks."""
        return self._timer.isActive()

    def size_of_pictures(self) -> QSize:
        """Return how large pictures are asked for, in device pixels."""
        side = round(SIDE * self.devicePixelRatioF())
        return QSize(side, side)

    def image_of(self, row: int) -> QImage | None:
        """Return what a sticker looks like now."""
        key, size = self.stickers.cell(row).key, self.size_of_pictures()
        strip = None if self._theme.still else self._strip(row)
        if strip is not None:
            number = self._shown[row] = strip.number_at(time.perf_counter() - self._began)
            return strip.image(number)
        return self._pictures.still(key, size)

    def is_exposed(self, rect: QRect) -> bool:
        """Tell whether a cell is painted at all: Qt offers every cell between the first and the last one that is."""
        return self._exposed.intersects(rect)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._exposed = event.region()
        super().paintEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._run()

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._hover(-1)
        return super().viewportEvent(event)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        chosen = self.selectedIndexes()
        self._chosen = chosen[0].row() if chosen else -1

    def rows_in_sight(self) -> range:
        """Return the rows that can be seen."""
        columns = max(1, self.viewport().width() // CELL.width())
        first = self.verticalOffset() // CELL.height()
        last = (self.verticalOffset() + self.viewport().height() - 1) // CELL.height()
        return range(first * columns, min((last + 1) * columns, self.stickers.rowCount()))

    def _run(self) -> None:
        if self.isVisible() and not self._theme.still and self.stickers.rowCount():
            self._timer.start()
        else:
            self._timer.stop()
        self.viewport().update()

    def _start_over(self) -> None:
        self._shown.clear()
        self._hovered = self._chosen = -1
        self._run()

    def _hover(self, row: int) -> None:
        self._hovered = row

    def _is_lively(self, row: int) -> bool:
        return row in {self._hovered, self._chosen}

    def _strip(self, row: int) -> FrameStrip | None:
        key, size = self.stickers.cell(row).key, self.size_of_pictures()
        if self._is_lively(row):
            fast = self._pictures.frames(key, size, fps=FAST_FPS)
            if fast is not None:
                return fast
        return self._pictures.frames(key, size, fps=SLOW_FPS)

    def _tick(self) -> None:
        seconds = time.perf_counter() - self._began
        self._ticks += 1
        in_sight = self.rows_in_sight()
        lively = (row for row in {self._hovered, self._chosen} if row in in_sight)
        for row in lively if self._ticks % SLOW_EVERY else in_sight:
            strip = self._strip(row)
            if strip is not None and strip.number_at(seconds) != self._shown.get(row):
                self.viewport().update(self.visualRect(self.stickers.index(row)))

    def _look_again(self, key: object) -> None:
        row = self.stickers.row_of(key)
        if row is not None:
            self.viewport().update(self.visualRect(self.stickers.index(row)))


class _StickerDelegate(QStyledItemDelegate):
    """Paints one sticker; one that is not there yet, or never will be, is a quiet square."""

    def __init__(self, grid: StickerGrid) -> None:
        super().__init__(grid)
        self._grid = grid

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return CELL

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        cell: QRect = option.rect
        if not self._grid.is_exposed(cell):
            return
        state = int(option.state.value)
        theme = self._grid._theme
        if state & (SELECTED | HOVERED):
            painter.fillRect(cell, theme.color("accent_soft" if state & SELECTED else "raised"))
        image = self._grid.image_of(index.row())
        if image is None or image.isNull():
            self._paint_waiting(painter, cell, theme.color("line"))
        else:
            room = QRect(QPoint(0, 0), (image.size() / self._grid.devicePixelRatioF()))
            room.moveCenter(cell.center())
            painter.drawImage(room, image)
        if state & FOCUSED:
            painter.setPen(theme.color("accent"))
            painter.drawRect(cell.adjusted(1, 1, -2, -2))

    def _paint_waiting(self, painter: QPainter, cell: QRect, colour: QColor) -> None:
        square = QRect(0, 0, SIDE // 2, SIDE // 2)
        square.moveCenter(cell.center())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(square, 8, 8)
        painter.setBrush(Qt.BrushStyle.NoBrush)
