"""The facets at the left of the Media pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate

from chimein_gui.domain.media.records import DescriptionStatus
from chimein_gui.ui.panes.media.grid.cell import status_label
from chimein_gui.ui.widgets.controls.spoken_role import speak_rows_only
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, State, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.media_library.facet_rows import ALL, FacetRows
from chimein_gui.viewmodels.media_library.facets import NEEDS_LOOK, NONE, SENDABLE, Facet, Section
from chimein_gui.viewmodels.media_library.words import section_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent, QMouseEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.ui.widgets.theme.theme import Theme

INSET, PAD = 6.0, 8.0
ICON = 14.0
_KINDS = {"sticker": "sticker", "photo": "image", "moving": "video", "audio": "mic", "other": "file"}


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, view: FacetList, identity: Callable[[str], int]) -> None:
        super().__init__(view)
        self._theme, self._view, self._identity = theme, view, identity

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        line = self._theme.metrics(Face.BODY).height()
        heading = isinstance(self._view.rows.item(index.row()), Section)
        return QSize(120, max(32, round(line + 16)) if heading else max(26, round(line + 8)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        # A Section in a QVariant comes back as a plain text.
        row, rect, theme = self._view.rows.item(index.row()), QRectF(option.rect), self._theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        if isinstance(row, Section):
            at = QPointF(rect.left() + INSET + PAD, rect.bottom() - 12)
            marks.draw_line(painter, theme.font(Face.META_STRONG), theme.color("text2"), at, section_words(row))
        elif isinstance(row, Facet):
            is_current = index == self._view.currentIndex() and self._view.hasFocus()
            bits = row_state(option.state.value)
            state = State(hovered=bits.hovered, checked=self._view.rows.is_chosen(row), focused=is_current)
            draw_tile(painter, colours_of(theme, Role.ROW, state), rect.adjusted(INSET, 1, -INSET, -1))
            self._paint(painter, row, rect.adjusted(INSET + PAD, 0, -INSET - PAD, 0), chosen=state.checked)
        painter.restore()

    def _paint(self, painter: QPainter, row: Facet, rect: QRectF, *, chosen: bool) -> None:
        theme, middle, left = self._theme, rect.center().y(), rect.left()
        count = str(row.count)
        width = theme.metrics(Face.SMALL).horizontalAdvance(count)
        at = QPointF(rect.right() - width, middle)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), at, count)
        icon, token = self._icon(row)
        if icon:
            icons.draw(painter, icon, theme.color(token), QRectF(left, middle - ICON / 2, ICON, ICON))
            left += ICON + 8
        elif row.section is Section.AGENT and row.value != NONE:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.identity(self._identity(row.value)))
            painter.drawEllipse(QRectF(left + 2, middle - 4, 8, 8))
            left += ICON + 8
        words = foreign_text.line(self._view.rows.words(row), 80)
        face = Face.STRONG if chosen else Face.BODY
        room = rect.right() - width - 8 - left
        marks.draw_line(painter, theme.font(face), theme.color("text1"), QPointF(left, middle), words, room)

    def _icon(self, row: Facet) -> tuple[str, str]:
        if row.section is Section.STATUS:
            if row.value == ALL:
                return "layers", "accent_text"
            if row.value == NEEDS_LOOK:
                return "eye", "text2"
            label = status_label(DescriptionStatus(row.value))
            return label.icon, label.token
        if row.section is Section.KIND:
            return _KINDS[row.value], "text2"
        if row.section is Section.SENDING:
            return ("send", "text2") if row.value == SENDABLE else ("block", "text2")
        return "", ""


class FacetList(SpokenListView):
    """Return, Space or a click chooses a facet, or takes the choice back; arrows only move.

    Attributes:
        left: The operator goes on to the grid.
    """

    left = Signal()

    def __init__(self, theme: Theme, rows: FacetRows, identity: Callable[[str], int]) -> None:
        """`identity` returns the number of an agent's identity colour by its name."""
        super().__init__()
        self.rows = rows
        speak_rows_only(self)
        self.setModel(rows)
        self.setItemDelegate(_Delegate(theme, self, identity))
        self.setAccessibleName(self.tr("Show only"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._press(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index.isValid():
            self._press(index.row())

    def _press(self, row: int) -> None:
        facet = self.rows.item(row)
        self.rows.press(row)
        for place in range(self.rows.rowCount()):  # the rows may be others now
            if self.rows.item(place) == facet:
                self.setCurrentIndex(self.rows.index(place, 0))
