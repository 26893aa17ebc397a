"""Paints an entry as a card: when and marks, the text, where it comes from, and who would read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate

from chimein_gui.domain.memory.provenance import Source
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.surfaces.surface import soft_ground
from chimein_gui.ui.widgets.text import foreign_text, text_block
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_ground, row_state
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import is_turned, mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import decimal_words
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.memory.cards import Card, Mark, MarkKind, leak_words, link_words, mark_words, source_words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.memory.cards import EntriesModel

GAP, PAD, BAR, DAY = 4.0, 10.0, 34.0, 60.0
MOST_LINES = 12
"""Lines of an entry that a card shows."""

MOST_LEAK_LINES = 3

_SOURCES = {
    Source.OPERATOR: "person",
    Source.REPLY: "memory",
    Source.ORDER: "chats",
    Source.EXTRACTION: "bolt",
    Source.UNKNOWN: "file",
}
_MARKS = {
    MarkKind.ALWAYS: ("quotes", "accent_text"),
    MarkKind.NEXT: ("quotes", "accent_text"),
    MarkKind.FROM: ("warning", "attention"),
    MarkKind.SAME: ("copy", "text2"),
}


def _shown_name(name: str) -> str:
    return foreign_text.isolate(foreign_text.short(foreign_text.name(name), 24))


def mark_label(mark: Mark) -> IconLabel:
    """Return a mark as icon and word."""
    icon, token = _MARKS[mark.kind]
    return IconLabel(icon, mark_words(mark, _shown_name), token)


class CardView(SpokenListView):
    """What the delegate asks of its view.

    Attributes:
        rows: The entries.
    """

    rows: EntriesModel

    def field_height(self, card: Card) -> int:
        """Return the least height of a card, px: that of the field, if it is written in."""
        raise NotImplementedError

    def is_recalled(self, score: float) -> bool:
        """Tell whether a score is among the best, whose cards are marked."""
        raise NotImplementedError


class CardDelegate(QStyledItemDelegate):
    """One card."""

    def __init__(self, theme: Theme, view: CardView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    # --- measures -------------------------------------------------------------------------------------------------

    def _small(self) -> float:
        return self._theme.metrics(Face.SMALL).height()

    def _text(self, card: Card, width: float) -> text_block.TextBlock:
        words = foreign_text.body(card.text)
        return text_block.lay_out(words, self._theme.font(Face.BODY), max(60.0, width), MOST_LINES)

    def _leak(self, card: Card, width: float) -> text_block.TextBlock | None:
        words = leak_words(card, _shown_name)
        if not words:
            return None
        return text_block.lay_out(words, self._theme.font(Face.SMALL), max(60.0, width - 38), MOST_LEAK_LINES)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        card = index.data(ItemRole)
        if not isinstance(card, Card):
            return QSize(120, 30)
        width = self._view.viewport().width() - 2 * (GAP + PAD)
        height = self._small() + 7 + self._text(card, width).height + 5 + self._small() + 2 * PAD + GAP
        leak = self._leak(card, width)
        if leak is not None:
            height += leak.height + 14
        return QSize(120, round(max(height, self._view.field_height(card))))

    def link_rect(self, rect: QRectF, card: Card) -> QRectF:
        """Return where the link to the message of a card is, in a row's rectangle; empty without one."""
        words = link_words(card)
        if not words:
            return QRectF()
        width = self._theme.metrics(Face.SMALL).horizontalAdvance(words) + 4
        leak = self._leak(card, rect.width() - 2 * (GAP + PAD))
        below = 0.0 if leak is None else leak.height + 14
        top = rect.bottom() - GAP / 2 - PAD - below - self._small()
        right = rect.right() - GAP - PAD
        left = rect.left() + GAP + PAD if self._view.isRightToLeft() else right - width
        return QRectF(left, top - 3, width, self._small() + 6)

    # --- painting -------------------------------------------------------------------------------------------------

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        card = index.data(ItemRole)
        if not isinstance(card, Card):
            return
        rect = QRectF(option.rect).adjusted(GAP, GAP / 2, -GAP, -GAP / 2)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        state = row_state(option.state.value, focused=self._view.hasFocus())
        colours = colours_of(self._theme, Role.CARD, state)
        inset = colours.width / 2
        draw_ground(painter, colours, rect.adjusted(inset, inset, -inset, -inset), 8)
        inside = rect.adjusted(PAD, PAD, -PAD, -PAD)
        top = self._paint_head(painter, card, inside) + 7
        text = QRectF(inside.left(), top, inside.width(), 0)
        block = self._text(card, inside.width())
        self._draw_block(painter, block, text, "text1")
        top += block.height + 5
        self._paint_source(painter, card, QRectF(inside.left(), top, inside.width(), self._small()))
        leak = self._leak(card, inside.width())
        if leak is not None:
            self._paint_leak(painter, leak, QRectF(inside.left(), top + self._small() + 6, inside.width(), 0))
        painter.restore()

    def _draw_block(self, painter: QPainter, block: text_block.TextBlock, rect: QRectF, ink: str) -> None:
        painter.save()
        if is_turned(painter):
            mirror(painter, rect)
        text_block.draw(painter, block, rect.topLeft(), self._theme.color(ink))
        painter.restore()

    def _paint_head(self, painter: QPainter, card: Card, rect: QRectF) -> float:
        """Paint day, marks and score; return the lower edge."""
        theme, height = self._theme, self._small()
        middle, right = rect.top() + height / 2, rect.right()
        if card.score is not None:
            right = self._paint_score(painter, card.score, right, middle) - 8
        left, labels = rect.left(), [mark_label(mark) for mark in card.marks]
        chips = sum(self._theme.metrics(Face.META_STRONG).horizontalAdvance(label.word) + 35 for label in labels)
        room = max(DAY, right - left - chips - 8)
        day = self.day_in(card, room)
        if day:
            at, quiet = QPointF(left, middle), theme.color("text2")
            left += marks.draw_line(painter, theme.font(Face.SMALL), quiet, at, day, room) + 8
        for label in labels:
            left = self._paint_chip(painter, label, left, right, middle) + 6
        return rect.top() + height

    def day_in(self, card: Card, room: float) -> str:
        """Return when an entry was written: day and time, or less where that is wider than the room, px."""
        day = self._view.rows.day_of(card.found)
        fits = self._theme.metrics(Face.SMALL).horizontalAdvance(day) <= room
        return day if fits else self._view.rows.short_day_of(card.found)

    def _paint_score(self, painter: QPainter, score: float, right: float, middle: float) -> float:
        theme = self._theme
        token = "accent" if self._view.is_recalled(score) else "line_strong"
        painter.setPen(Qt.PenStyle.NoPen)
        for width, color in ((BAR, "track"), (BAR * min(1.0, max(0.0, score)), token)):
            painter.setBrush(theme.color(color))
            painter.drawRoundedRect(QRectF(right - BAR, middle - 2, width, 4), 2, 2)
        words = decimal_words(score, 2)
        advance = theme.metrics(Face.SMALL_STRONG).horizontalAdvance(words)
        left = right - BAR - 8 - advance
        ink = theme.color("accent_text" if token == "accent" else "text3")
        marks.draw_line(painter, theme.font(Face.SMALL_STRONG), ink, QPointF(left, middle), words)
        return left

    def _paint_chip(self, painter: QPainter, label: IconLabel, left: float, right: float, middle: float) -> float:
        """Paint a mark as a chip, elided at `right`; return its right edge."""
        theme, metrics = self._theme, self._theme.metrics(Face.META_STRONG)
        room = right - left - 30
        if room < 12:
            return left - 6
        word = elided(metrics, label.word, room)
        height = metrics.height() + 4
        rect = QRectF(left, middle - height / 2, metrics.horizontalAdvance(word) + 29, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(soft_ground(label.token)))
        painter.drawRoundedRect(rect, 4, 4)
        ink = theme.color(label.token)
        icons.draw(painter, label.icon, ink, QRectF(left + 6, middle - 6, 12, 12))
        marks.draw_line(painter, theme.font(Face.META_STRONG), ink, QPointF(left + 22, middle), word)
        return rect.right()

    def _paint_source(self, painter: QPainter, card: Card, rect: QRectF) -> None:
        theme, middle = self._theme, rect.center().y()
        link, right = link_words(card), rect.right()
        if link:
            width = theme.metrics(Face.SMALL).horizontalAdvance(link)
            right -= width
            ink = theme.color("accent_text")
            marks.draw_line(painter, theme.font(Face.SMALL), ink, QPointF(right, middle), link)
            right -= 8
        icons.draw(painter, _SOURCES[card.origin.source], theme.color("text3"), QRectF(rect.left(), middle - 6, 12, 12))
        words = source_words(card)
        if card.origin.source in (Source.REPLY, Source.ORDER, Source.EXTRACTION) and card.origin.chat_title:
            words = f"{foreign_text.isolated(card.origin.chat_title)} · {words}"
        at = QPointF(rect.left() + 18, middle)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), at, words, right - at.x())

    def _paint_leak(self, painter: QPainter, block: text_block.TextBlock, rect: QRectF) -> None:
        theme = self._theme
        box = QRectF(rect.left(), rect.top(), rect.width(), block.height + 8)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("attention_soft"))
        painter.drawRoundedRect(box, 6, 6)
        icons.draw(painter, "warning", theme.color("attention"), QRectF(box.left() + 9, box.center().y() - 7, 14, 14))
        self._draw_block(painter, block, QRectF(box.left() + 30, box.top() + 4, box.width() - 38, 0), "attention")
