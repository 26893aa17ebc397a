"""Paints the rows of the command palette."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate

from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.keycaps import caps_width, draw_caps
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import is_turned, mirror
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.palette.entries import Entry, Row

if TYPE_CHECKING:
    from PySide6.QtWidgets import QListView, QStyleOptionViewItem

LEFT, RIGHT, GAP = 20.0, 18.0, 10.0
FACE = 28.0
LONGEST_TITLE, LONGEST_DETAIL = 120, 160


class PaletteDelegate(QStyledItemDelegate):
    """Rows are 44 px high, headings 30 px; both grow with the text size."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row = index.data(ItemRole)
        height = self._theme.metrics(Face.STRONG).height()
        is_heading = isinstance(row, Row) and row.entry is None
        wanted = max(30.0, height + 12) if is_heading else max(44.0, height * 2.3)
        return QSize(self._view.viewport().width(), round(wanted))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ItemRole)
        if not isinstance(row, Row):
            return
        rect, theme = QRectF(option.rect), self._theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        if row.entry is None:
            at = QPointF(rect.left() + LEFT, rect.center().y() + 2)
            marks.draw_line(painter, theme.font(Face.SMALL_STRONG), theme.color("text2"), at, row.words)
        else:
            state = row_state(option.state.value)
            draw_tile(painter, colours_of(theme, Role.ROW, state), rect.adjusted(8, 1, -8, -1), 8)
            self._paint_entry(painter, rect, row, row.entry, chosen=state.checked)
        painter.restore()

    def _paint_entry(self, painter: QPainter, rect: QRectF, row: Row, entry: Entry, *, chosen: bool) -> None:
        theme, middle = self._theme, rect.center().y()
        self._paint_face(painter, QRectF(rect.left() + LEFT, middle - FACE / 2, FACE, FACE), entry)
        left, right = rect.left() + LEFT + FACE + GAP + 2, rect.right() - RIGHT
        if chosen:
            icons.draw(painter, "return", theme.color("text2"), QRectF(right - 16, middle - 8, 16, 16))
            right -= 16 + GAP
        if entry.shortcut and caps_width(theme, entry.shortcut) < (right - left) / 2:
            right = draw_caps(painter, theme, right, middle, entry.shortcut) - GAP
        if entry.mark is not None:
            label = IconLabel(*entry.mark)
            width = marks.mark_width(theme, label.word, Face.SMALL_STRONG)
            if width < (right - left) / 2:
                ink = theme.color(label.token)
                marks.draw_mark(painter, theme, QPointF(right - width, middle), label, ink, Face.SMALL_STRONG)
                right -= width + GAP
        used = self._paint_title(painter, QRectF(left, rect.top(), right - left, rect.height()), row, entry)
        detail = foreign_text.line(entry.detail, LONGEST_DETAIL)
        room = right - left - used - GAP
        if detail and room > 40:
            ink = theme.color("text2")
            marks.draw_line(painter, theme.font(Face.SMALL), ink, QPointF(left + used + GAP, middle), detail, room)

    def _paint_title(self, painter: QPainter, rect: QRectF, row: Row, entry: Entry) -> float:
        """Paint the title with the matched letters in the accent colour; return its width in px."""
        theme, metrics = self._theme, self._theme.metrics(Face.STRONG)
        title = foreign_text.line(entry.title, LONGEST_TITLE)
        painter.setFont(theme.font(Face.STRONG))
        shown = elided(metrics, title, rect.width())
        plain = theme.color("text1")
        # Matched letters are marked only if the shown text is exactly the searched text, and left-to-right.
        marked = shown == title == entry.title and title.isascii()
        pieces = _pieces(shown, row.spans) if marked else [(shown, False)]
        width = sum(metrics.horizontalAdvance(piece) for piece, _fits in pieces)
        painter.save()
        if is_turned(painter):  # the pieces of a word follow its own direction
            mirror(painter, QRectF(rect.left(), rect.top(), width, rect.height()))
        x = rect.left()
        for piece, fits in pieces:
            painter.setPen(theme.color("accent_text") if fits else plain)
            marks.draw_words(painter, QRectF(x, rect.top(), width + 2, rect.height()), piece)
            x += metrics.horizontalAdvance(piece)
        painter.restore()
        return width

    def _paint_face(self, painter: QPainter, rect: QRectF, entry: Entry) -> None:
        theme = self._theme
        if entry.face:
            marks.draw_circle(painter, theme, rect, entry.face, group=entry.is_group)
            if entry.agent is not None:
                small = QRectF(rect.right() - 10, rect.bottom() - 10, 13, 13)
                marks.draw_square(painter, theme, small, *entry.agent)
        elif entry.agent is not None:
            marks.draw_square(painter, theme, rect.adjusted(3, 3, -3, -3), *entry.agent)
        elif entry.icon:
            token = "danger" if entry.destructive else "text2"
            icons.draw(painter, entry.icon, theme.color(token), rect.adjusted(6, 6, -6, -6))


def _pieces(text: str, spans: tuple[tuple[int, int], ...]) -> list[tuple[str, bool]]:
    """Split a text at the edges of the matched spans; True marks a matched piece."""
    pieces, place = [], 0
    for begin, end in spans:
        pieces += [(text[place:begin], False), (text[begin:end], True)]
        place = end
    return [(piece, fits) for piece, fits in (*pieces, (text[place:], False)) if piece]
