"""Rows of a list that are painted by hand: the frame that they have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate

from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.viewmodels.core.roles import ItemRole

if TYPE_CHECKING:
    from PySide6.QtWidgets import QListView, QStyleOptionViewItem

    from chimein_gui.ui.widgets.theme.theme import Face, Theme


Row = TypeVar("Row")


class PaintedRows(QStyledItemDelegate, Generic[Row]):
    """Paints what stands under `ItemRole`, mirrored where the view runs from right to left."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ItemRole)
        if row is None:
            return
        rect = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        self.draw(painter, rect, row, option.state.value)
        painter.restore()

    def draw(self, painter: QPainter, rect: QRectF, row: Row, state: int) -> None:
        """Paint one row from left to right.

        Args:
            painter: Its pen and brush may be changed.
            rect: The place of the row.
            row: What stands under `ItemRole`.
            state: The flags of the style option.
        """
        raise NotImplementedError

    def height_of(self, face: Face, lines: float, pad: float, least: int) -> QSize:
        """Return the size of a row of some lines with a pad, at least so high, px."""
        return QSize(120, max(least, round(lines * self._theme.metrics(face).height() + pad)))


def two_lines(rect: QRectF) -> tuple[float, float]:
    """Return the middles of the upper and the lower line of a row."""
    return rect.top() + rect.height() * 0.32, rect.top() + rect.height() * 0.7
