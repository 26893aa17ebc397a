"""A view of rows in groups: what Qt asks of a view, over a layout that is only arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QAbstractItemView

from chimein_gui.ui.panes.media.grid.layout import GridLayout, Sizes, Span
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.opaque_ground import make_opaque
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.viewmodels.media_library.groups import Group

if TYPE_CHECKING:
    from PySide6.QtCore import QItemSelectionModel
    from PySide6.QtGui import QResizeEvent

    from chimein_gui.domain.media.library import MediaEntry
    from chimein_gui.viewmodels.media_library.groups import GroupKey
    from chimein_gui.viewmodels.media_library.rows import GridRows


class GroupedView(SpokenListView):
    """Groups are closed, and show one line, until they are opened; arrow keys cross their ends.

    It is a QListView only because Qt gives no other view to screen readers as a list; nothing of its layout is used.

    Attributes:
        rows: The rows.
    """

    def __init__(self, rows: GridRows) -> None:
        super().__init__()
        self.rows = rows
        self._open: set[GroupKey] = set()
        self._layout = GridLayout((), 100, self.row_sizes())
        self._prepare()
        self.setModel(rows)
        make_selected_current(self)
        rows.modelReset.connect(self.lay_out)

    def row_sizes(self) -> Sizes:
        """Return the sizes of rows; for subclasses."""
        return Sizes(124, 150, 34)

    def _prepare(self) -> None:
        speak_rows_only(self)
        make_opaque(self)
        self.setFrameShape(QAbstractItemView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)

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
            self._open.add(self._group_of(row).key)
            self.lay_out()
        self.setCurrentIndex(self.rows.index(row, 0))

    def toggle_group(self, row: int = -1) -> None:
        """Show all files of the group of a row, or its first line; without a row that of the current one."""
        row = row if row >= 0 else self.currentIndex().row()
        if row < 0:
            return
        key = self._group_of(row).key
        self._open ^= {key}
        self.lay_out()
        if self.current is not None and self._layout.rect(self.currentIndex().row()).isEmpty():
            self.setCurrentIndex(self.rows.index(self._start_of(row) + 1, 0))
        self.scrollTo(self.rows.index(row, 0))

    def open_all(self, *, is_open: bool = True) -> None:
        """Show all files of all groups, or the first line of each."""
        self._open = {group.key for group in self.rows.groups} if is_open else set()
        self.lay_out()

    def _start_of(self, row: int) -> int:
        return max(start for start in self.rows.starts if start <= row)

    def _group_of(self, row: int) -> Group:
        group = self.rows.item(self._start_of(row))
        assert isinstance(group, Group)
        return group

    def lay_out(self) -> None:
        """Arrange all rows anew."""
        spans = [
            Span(start, len(group.entries), group.key in self._open)
            for start, group in zip(self.rows.starts, self.rows.groups, strict=True)
        ]
        self._layout = GridLayout(spans, self.viewport().width(), self.row_sizes())
        self.updateGeometries()
        self.viewport().update()

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
