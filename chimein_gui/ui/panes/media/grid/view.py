"""The grid: groups with their files, of which only what is in sight is painted."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QRegion
from PySide6.QtWidgets import QAbstractItemView

from chimein_gui.ui.messages.picture_sweep import PictureSweep
from chimein_gui.ui.messages.row_pictures import RowPictures
from chimein_gui.ui.panes.media.grid.cell import CellPainter, CellState, draw_fitted
from chimein_gui.ui.panes.media.grid.layout import GridLayout
from chimein_gui.ui.panes.media.grid.motion import CellMotion
from chimein_gui.ui.panes.media.grid.open_groups import OpenGroups
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.opaque_ground import make_opaque
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.viewmodels.media.frame_strip import FrameStrip
from chimein_gui.viewmodels.media.picture_requests import MOST_UNASKED
from chimein_gui.viewmodels.media.still_pictures import PictureState
from chimein_gui.viewmodels.media_library.groups import Group, moves

if TYPE_CHECKING:
    from PySide6.QtCore import QItemSelectionModel
    from PySide6.QtGui import QHideEvent, QImage, QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent, QShowEvent

    from chimein_gui.domain.media.library import MediaEntry
    from chimein_gui.domain.messages import MessageKey
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.media_library.model import MediaLibraryModel
    from chimein_gui.viewmodels.media_library.pictures import MediaPictures

FAST_FPS, SLOW_FPS = 30, 10
"""Frames a second of the selected and the hovered cell, and of all others where all move."""


CACHE_BYTES = 24 * 2**20


class MediaGrid(SpokenListView):
    """A view of rows in groups. Its current row is the selected file, which moves; others do when pointed at.

    It is a QListView only because Qt gives no other view to screen readers as a list; nothing of its layout is used:
    groups are closed, and show one line, until they are opened, and arrow keys cross their ends.

    Attributes:
        rows: The rows.
        entered: Return was pressed on a file.
    """

    entered = Signal()

    def __init__(self, context: PaneContext, model: MediaLibraryModel, pictures: MediaPictures) -> None:
        super().__init__()
        self.rows = model.rows
        self._theme, self._library, self._of = context.theme, model, pictures
        self._pictures = context.models.pictures
        self._painter = CellPainter(context.theme)
        self._kept = RowPictures(context.theme, "pane", CACHE_BYTES)
        self._versions: dict[str, int] = {}
        self._shown_frames: dict[int, int] = {}
        self.painted_frames: dict[int, int] = {}
        self.is_list = False
        self._groups = OpenGroups(self.rows)
        self._layout = GridLayout((), 100, self._painter.sizes(is_list=False))
        _prepare(self)
        self.setModel(self.rows)
        make_selected_current(self)
        self.rows.modelReset.connect(self.lay_out)
        self.motion = CellMotion(context.theme, self)
        self.setAccessibleName(self.tr("Media"))
        self.motion.ticked.connect(self._tick)
        self.motion.rested.connect(self._repaint_both)
        self.rows.dataChanged.connect(self._row_changed)
        self._pictures.changed.connect(self._picture_changed)
        PictureSweep(self, self._pictures)
        self._theme.changed.connect(self.viewport().update)
        self._theme.fonts_changed.connect(self._new_fonts)
        self._theme.motion_changed.connect(self.viewport().update)

    @property
    def current(self) -> MediaEntry | None:
        """The selected file."""
        item = self.rows.item(self.currentIndex().row()) if self.currentIndex().isValid() else None
        return None if isinstance(item, Group) else item

    def select(self, unique_id: str) -> None:
        """Select a file, and open its group if it is out of sight."""
        row = self.rows.row_of(unique_id)
        if row < 0:
            self.setCurrentIndex(QModelIndex())
            return
        if self._layout.rect(row).isEmpty():
            self._groups.open(row)
            self.lay_out()
        self.setCurrentIndex(self.rows.index(row, 0))

    def toggle_group(self, row: int = -1) -> None:
        """Show all files of the group of a row, or its first line; without a row that of the current one."""
        row = row if row >= 0 else self.currentIndex().row()
        if row < 0:
            return
        self._groups.toggle(row)
        self.lay_out()
        if self.current is not None and self._layout.rect(self.currentIndex().row()).isEmpty():
            self.setCurrentIndex(self.rows.index(self._groups.start_of(row) + 1, 0))
        self.scrollTo(self.rows.index(row, 0))

    def open_all(self, *, is_open: bool = True) -> None:
        """Show all files of all groups, or the first line of each."""
        self._groups.open_all(is_open=is_open)
        self.lay_out()

    def lay_out(self) -> None:
        """Arrange all rows anew."""
        self._layout = GridLayout(
            self._groups.spans(), self.viewport().width(), self._painter.sizes(is_list=self.is_list)
        )
        self.updateGeometries()
        self.viewport().update()

    # --- what is shown --------------------------------------------------------------------------------------------

    def show_as(self, *, is_list: bool) -> None:
        """Show lines with texts, or cells with pictures."""
        if is_list is not self.is_list:
            self.is_list = is_list
            self._kept.clear()
            self.lay_out()
            self.scrollTo(self.currentIndex())

    def play_all(self, *, plays: bool) -> None:
        """Let all files in sight move, or only the selected and the hovered one."""
        self.motion.plays_all = plays
        self.viewport().update()

    def _new_fonts(self) -> None:
        self._kept.clear()
        self.lay_out()

    # --- input ----------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            if self.current is not None:
                self.entered.emit()
        elif event.key() == Qt.Key.Key_Space and not event.modifiers():
            event.ignore()  # the pane plays and pauses with it
        elif event.text() and event.text().isprintable():
            event.ignore()  # no search by typing: letters are commands here
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and index.row() in self.rows.starts:
            self.setFocus()
            if event.button() == Qt.MouseButton.LeftButton:
                self.toggle_group(index.row())
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self.indexAt(event.position().toPoint()).row())

    def leaveEvent(self, event: object) -> None:
        self._hover(-1)

    def _hover(self, row: int) -> None:
        before = self.motion.hover(row)
        if before != row:
            self._repaint_both(row, before)

    def _repaint_both(self, row: int, before: int) -> None:
        self._repaint(row)
        self._repaint(before)

    # --- painting -------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        offset, dirty = self.verticalOffset(), event.rect()
        painter.fillRect(dirty, self._theme.color("pane"))
        for row in self._layout.rows_between(dirty.top() + offset, dirty.bottom() + offset):
            rect = self._on_screen(self._layout.rect(row))
            item = self.rows.item(row) if event.region().intersects(rect) else None
            if isinstance(item, Group):
                self._paint_heading(painter, rect, row, item)
            elif item is not None:
                self._paint_cell(painter, rect, row, item)
        painter.end()

    def _paint_heading(self, painter: QPainter, rect: QRect, row: int, group: Group) -> None:
        count, shown = self._layout.shown_of(row)
        curated, is_open = self.rows.curated_in(group), self._groups.holds(group) and count > self._layout.columns
        key = ("heading", group.key, id(group), curated, count, shown, is_open)

        def paint(inner: QPainter, place: QRectF) -> None:
            self._painter.paint_heading(inner, place, group, curated, shown, is_open=is_open)

        self._kept.draw(painter, rect, key, paint, turned=self.isRightToLeft())

    def _paint_cell(self, painter: QPainter, rect: QRect, row: int, entry: MediaEntry) -> None:
        strip = self._strip(row, entry)
        state = CellState(
            row == self.currentIndex().row(), self.hasFocus(), row == self.motion.hovered, playing=strip is not None
        )
        version = self._versions.get(entry.unique_id, 0)
        key = (entry.unique_id, entry.status, entry.uses, entry.name, entry.text, state, version, self.is_list)

        def paint(inner: QPainter, place: QRectF) -> bool:
            image, waits = (None, False) if strip is not None else self._still(entry)
            self._painter.paint(inner, place, entry, image, state, is_list=self.is_list, has_picture=strip is not None)
            return not waits

        self._kept.draw(painter, rect, key, paint, turned=self.isRightToLeft())
        if strip is not None:
            number = strip.number_at(self.motion.seconds)
            self._shown_frames[row] = number
            self.painted_frames[row] = self.painted_frames.get(row, 0) + 1
            draw_fitted(painter, strip.image(number), self._preview(rect))

    def _preview(self, rect: QRect) -> QRectF:
        box = self._painter.preview(QRectF(rect), is_list=self.is_list)
        if self.isRightToLeft():
            box.moveLeft(rect.left() + rect.right() + 1 - box.right())
        return box

    def side(self) -> QSize:
        box = self._painter.preview(QRectF(0, 0, 124, 150), is_list=self.is_list)
        return QSize(1, 1) * ceil(box.width() * self.devicePixelRatioF())

    def _still(self, entry: MediaEntry) -> tuple[QImage | None, bool]:
        """Return the picture of a cell, and whether it may still come."""
        message = self._of.message_of(entry)
        if message is None:
            return None, False
        image = self._pictures.still(message, self.side())
        return image, image is None and self._pictures.state(message) is PictureState.WAITING

    def _strip(self, row: int, entry: MediaEntry) -> FrameStrip | None:
        """Return the frames of a cell that moves now; None if it stands still, or they are not there yet."""
        is_lively = row in (self.currentIndex().row(), self.motion.resting)
        plays = self.motion.plays_all and not _is_large(entry)
        if self._theme.reduced_motion or not (is_lively or plays) or not moves(entry):
            return None
        message = self._of.message_of(entry)
        if message is None:
            return None
        fast = self._pictures.frames(message, self.side(), fps=FAST_FPS) if is_lively else None
        if fast is not None or not plays:
            return fast
        return self._pictures.frames(message, self.side(), fps=SLOW_FPS)

    # --- moving ---------------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.motion.follow()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.motion.follow()

    def _tick(self, also_slow: bool) -> None:
        """Repaint the cells whose next frame is due."""
        rows = {self.currentIndex().row(), self.motion.resting} - {-1}
        if also_slow:
            offset = self.verticalOffset()
            rows |= set(self._layout.rows_between(offset, offset + self.viewport().height()))
        seconds = self.motion.seconds
        for row in rows:
            item = self.rows.item(row)
            if item is None or isinstance(item, Group):
                continue
            strip = self._strip(row, item)
            if strip is not None and strip.number_at(seconds) != self._shown_frames.get(row):
                rect = self._on_screen(self._layout.rect(row))
                if rect.intersects(self.viewport().rect()):
                    self.viewport().update(self._preview(rect).toAlignedRect())

    def _repaint(self, row: int) -> None:
        rect = self._on_screen(self._layout.rect(row)) if row >= 0 else QRect()
        if not rect.isEmpty():
            self.viewport().update(rect)

    def _row_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        for row in range(first.row(), last.row() + 1):
            self._repaint(row)

    def _picture_changed(self, key: MessageKey) -> None:
        unique_id = self._of.id_of(key)
        if unique_id:
            self._versions[unique_id] = self._versions.get(unique_id, 0) + 1
            self._repaint(self.rows.row_of(unique_id))

    def currentChanged(
        self, now: QModelIndex | QPersistentModelIndex, before: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().currentChanged(now, before)
        for index in (before, now):
            self._repaint(index.row())
        entry = self.current
        if entry is not None:
            self._library.select(entry.unique_id)

    # --- what Qt asks of a view -----------------------------------------------------------------------------------

    def updateGeometries(self) -> None:
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, self._layout.height - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(40)
        QAbstractItemView.updateGeometries(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        QAbstractItemView.resizeEvent(self, event)
        self.lay_out()

    def doItemsLayout(self) -> None:
        self.lay_out()
        QAbstractItemView.doItemsLayout(self)

    def horizontalOffset(self) -> int:
        return 0

    def verticalOffset(self) -> int:
        return self.verticalScrollBar().value()

    def visualRect(self, index: QModelIndex | QPersistentModelIndex) -> QRect:
        rect = self._layout.rect(index.row()) if index.isValid() else QRect()
        return self._on_screen(rect)

    def _on_screen(self, rect: QRect) -> QRect:
        if rect.isEmpty():
            return rect
        rect = rect.translated(0, -self.verticalOffset())
        if self.isRightToLeft():
            rect.moveLeft(self.viewport().width() - rect.left() - rect.width())
        return rect

    def indexAt(self, place: QPoint) -> QModelIndex:
        x = self.viewport().width() - 1 - place.x() if self.isRightToLeft() else place.x()
        row = self._layout.row_at(QPoint(x, place.y() + self.verticalOffset()))
        return self.rows.index(row, 0) if row >= 0 else QModelIndex()

    def isIndexHidden(self, index: QModelIndex | QPersistentModelIndex) -> bool:
        return self._layout.rect(index.row()).isEmpty()

    def scrollTo(
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        rect, bar = self._layout.rect(index.row()) if index.isValid() else QRect(), self.verticalScrollBar()
        if rect.isEmpty():
            return
        top = rect.top() - (self._layout.sizes.heading if index.row() - 1 in self.rows.starts else 0) - 4
        if top < bar.value():
            bar.setValue(top)
        elif rect.bottom() + 8 > bar.value() + self.viewport().height():
            bar.setValue(rect.bottom() + 8 - self.viewport().height())

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().scroll(0, dy)  # only what came into sight is painted

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        index = self.indexAt(rect.topLeft())
        if index.isValid() and index.row() not in self.rows.starts:
            self.selectionModel().select(index, command)

    def visualRegionForSelection(self, selection: object) -> QRegion:
        return QRegion(self.viewport().rect())

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        row, moves_ = self.currentIndex().row(), QAbstractItemView.CursorAction
        if not self.rows.rowCount():
            return QModelIndex()
        forward = -1 if self.isRightToLeft() else 1
        page = max(1, self.viewport().height() // (self._layout.sizes.cell_height + 8) - 1)
        if row < 0 or action == moves_.MoveHome:
            row = self._layout.first()
        elif action == moves_.MoveEnd:
            row = self._layout.last()
        elif action in (moves_.MoveLeft, moves_.MovePrevious):
            row = self._layout.stepped(row, -forward if action == moves_.MoveLeft else -1)
        elif action in (moves_.MoveRight, moves_.MoveNext):
            row = self._layout.stepped(row, forward if action == moves_.MoveRight else 1)
        else:
            lines = {
                moves_.MoveUp: -1,
                moves_.MoveDown: 1,
                moves_.MovePageUp: -page,
                moves_.MovePageDown: page,
            }
            row = self._layout.below(row, lines.get(action, 0))
        return self.rows.index(row, 0)


def _prepare(view: QAbstractItemView) -> None:
    speak_rows_only(view)
    make_opaque(view)
    view.setFrameShape(QAbstractItemView.Shape.NoFrame)
    view.setMouseTracking(True)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)


def _is_large(entry: MediaEntry) -> bool:
    """Tell whether a file is fetched, and moves, only when it is selected or pointed at."""
    return entry.kind in ("video", "round video") or (entry.media is not None and entry.media.size > MOST_UNASKED)
