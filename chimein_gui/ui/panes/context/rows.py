"""Paints the rows of the Context pane: messages, days, silences and folded runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate

from chimein_gui.domain.chats import PinKind
from chimein_gui.ui.panes.context.columns import PIN, Columns
from chimein_gui.ui.widgets.rows.row_states import SELECTED
from chimein_gui.ui.widgets.surfaces.surface import soft_ground
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.mirror import is_turned, mirror
from chimein_gui.ui.widgets.theme.theme import Face, blend
from chimein_gui.viewmodels.context.rows import ContextRow, RowKind
from chimein_gui.viewmodels.context.words import in_or_out, missed_word, percent_words, reason_word, text_words
from chimein_gui.viewmodels.core.roles import ItemRole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QListView, QStyleOptionViewItem

    from chimein_gui.domain.ids import MessageId
    from chimein_gui.domain.prompt.considered import ConsideredMessage
    from chimein_gui.ui.pane import PaneContext

AVATAR, CHIP_ICON, CHIP_PAD, PIN_ICON = 18, 12, 6, 14
FADED = 0.45

_SIGNS = {
    "trigger": ("at", "attention"),
    "anchor": ("return", "info"),
    "reply chain": ("reply", "info"),
    "link": ("context", "accent_text"),
    "same session": ("clock", "accent_text"),
    "history": ("clock", "text2"),
    "pinned in": ("pin", "accent_text"),
    "included once": ("arrow-right", "accent_text"),
}

_PIN_SIGNS = {
    PinKind.IN: ("pin", "accent"),
    PinKind.OUT: ("block", "attention"),
    PinKind.ONCE: ("arrow-right", "accent"),
}


def row_height(context: PaneContext) -> int:
    """Return the height of every row, px."""
    return max(29, round(context.theme.metrics(Face.BODY).height() * 1.75))


class ContextDelegate(QStyledItemDelegate):
    """All rows have the same height, so that the view needs to measure none."""

    def __init__(
        self,
        context: PaneContext,
        view: QListView,
        columns: Callable[[], Columns],
        identity: Callable[[], int],
        pins: Callable[[], Mapping[MessageId, PinKind]],
    ) -> None:
        """Create the delegate of a view.

        Args:
            context: Colours and times.
            view: The list.
            columns: Returns where the columns are now.
            identity: Returns the agent's identity colour.
            pins: Returns how each pinned message is pinned.
        """
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view
        self._columns, self._identity, self._pins = columns, identity, pins

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, row_height(self._context))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ItemRole)
        if not isinstance(row, ContextRow):
            return
        rect, columns, state = QRectF(option.rect), self._columns(), option.state.value
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        if row.kind is RowKind.MESSAGE and row.one is not None:
            self._paint_ground(painter, rect, columns, state, is_trigger=row.one.reason == "trigger")
            self._paint_message(painter, rect, columns, row.one)
        elif row.kind is RowKind.FOLD:
            self._paint_ground(painter, rect, columns, state)
            self._paint_fold(painter, rect, columns, row)
        else:
            self._paint_break(painter, rect, columns, row)
        painter.restore()

    def _paint_ground(
        self, painter: QPainter, rect: QRectF, columns: Columns, state: int, *, is_trigger: bool = False
    ) -> None:
        """Paint the tile behind a row; it begins before the dot, so that it covers no arc."""
        left = columns.dot - 10
        tile = QRectF(rect.left() + left, rect.top() + 1, columns.end + PIN + 6 - left, rect.height() - 2)
        focused = self._view.hasFocus() and bool(state & SELECTED)
        colours = colours_of(self._theme, Role.ROW, row_state(state, focused=focused))
        if is_trigger:
            painter.setPen(QPen(self._theme.color("attention_line"), 1))
            painter.setBrush(self._theme.color("attention_soft"))
            painter.drawRoundedRect(tile, 6, 6)
        draw_tile(painter, colours, tile)

    def _paint_message(self, painter: QPainter, rect: QRectF, columns: Columns, one: ConsideredMessage) -> None:
        theme, left, middle = self._theme, rect.left(), rect.center().y()
        is_trigger, ink = one.reason == "trigger", theme.color("text1" if one.included else "text2")
        self._paint_rule(painter, QPointF(left, middle), columns, one)
        self._paint_dot(painter, QPointF(left + columns.dot, middle), included=one.included, is_trigger=is_trigger)
        at = QPointF(left + columns.state, middle)
        word_ink = theme.color("attention" if is_trigger else "accent_text" if one.included else "text3")
        self._word(painter, Face.META, word_ink, at, in_or_out(included=one.included))
        percent = percent_words(one.percent)
        if one.percent is not None and columns.bar_width:
            self._paint_bar(painter, QRectF(left + columns.bar, middle - 2, columns.bar_width, 4), one)
        end = columns.percent_end - theme.metrics(Face.SMALL).horizontalAdvance(percent)
        self._word(painter, Face.SMALL, ink, QPointF(left + end, middle), percent)
        clock = self._context.models.clock.clock(one.message.sent_at)
        self._word(painter, Face.SMALL, theme.color("text2"), QPointF(left + columns.time, middle), clock)
        self._paint_person(painter, QPointF(left, middle), columns, one)
        self._paint_pin(painter, QPointF(left + columns.end + PIN, middle), one)
        end = self._paint_reason(painter, QPointF(left + columns.end, middle), one)
        words = foreign_text.line(text_words(one.message))
        room = end - left - columns.text - 10
        marks.draw_line(painter, theme.font(Face.BODY), ink, QPointF(left + columns.text, middle), words, room)

    def _paint_person(self, painter: QPainter, middle: QPointF, columns: Columns, one: ConsideredMessage) -> None:
        theme, message = self._theme, one.message
        square = QRectF(middle.x() + columns.avatar, middle.y() - AVATAR / 2, AVATAR, AVATAR)
        if not one.included:
            painter.setOpacity(FADED)
        if message.out:
            marks.draw_square(painter, theme, square, message.sender_name, self._identity())
        else:
            marks.draw_circle(painter, theme, square, message.sender_name)
        painter.setOpacity(1)
        color = theme.color("text2") if not one.included else marks.person_text(theme, message.sender_name)
        font = theme.font(Face.SMALL_STRONG if one.included else Face.SMALL)
        at = QPointF(middle.x() + columns.name, middle.y())
        marks.draw_line(painter, font, color, at, foreign_text.name(message.sender_name), columns.name_width)

    def _paint_rule(self, painter: QPainter, middle: QPointF, columns: Columns, one: ConsideredMessage) -> None:
        """Paint what the time-gap rule says: agrees, takes it wrongly, or misses it."""
        theme = self._theme
        spot = QPointF(middle.x() + columns.rule + columns.rule_width / 2, middle.y())
        if one.in_session:
            color = theme.color("attention")
            painter.setPen(QPen(color, 1.3))
            painter.setBrush(color if one.reason == "trigger" else Qt.BrushStyle.NoBrush)
            painter.drawEllipse(spot, 4.0, 4.0)
            if not one.included:
                painter.drawLine(spot + QPointF(-2, -2), spot + QPointF(2, 2))
                painter.drawLine(spot + QPointF(-2, 2), spot + QPointF(2, -2))
        elif one.included and one.reason != "history":
            at = QPointF(middle.x() + columns.rule, middle.y())
            self._word(painter, Face.META, theme.color("danger"), at, missed_word())

    def _word(self, painter: QPainter, face: Face, color: QColor, at: QPointF, word: str) -> None:
        """Paint a short word that is never elided; without measuring it, for there are a hundred in sight."""
        if is_turned(painter):
            marks.draw_line(painter, self._theme.font(face), color, at, word)
            return
        metrics = self._theme.metrics(face)
        painter.setFont(self._theme.font(face))
        painter.setPen(color)
        painter.drawText(QPointF(at.x(), at.y() + (metrics.ascent() - metrics.descent()) / 2), word)

    def _paint_dot(self, painter: QPainter, spot: QPointF, *, included: bool, is_trigger: bool) -> None:
        theme = self._theme
        if included:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("attention" if is_trigger else "accent"))
            painter.drawEllipse(spot, 5.0, 5.0)
        else:
            painter.setPen(QPen(theme.color("text3"), 1.2))
            painter.setBrush(theme.color("pane"))
            painter.drawEllipse(spot, 3.8, 3.8)

    def _paint_bar(self, painter: QPainter, bar: QRectF, one: ConsideredMessage) -> None:
        theme = self._theme
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("track"))
        painter.drawRoundedRect(bar, 2, 2)
        if one.percent:
            painter.setBrush(theme.color("accent" if one.included else "text3"))
            painter.drawRoundedRect(QRectF(bar.left(), bar.top(), bar.width() * one.percent / 100, 4), 2, 2)

    def _paint_reason(self, painter: QPainter, right: QPointF, one: ConsideredMessage) -> float:
        """Paint the reason as a chip that ends at a point; return its left edge."""
        theme, word = self._theme, reason_word(one.reason)
        icon, token = _SIGNS.get(one.reason, ("", "text2")) if one.included else ("", "text2")
        if one.reason == "pinned out":
            icon, token = "block", "attention"
        metrics = theme.metrics(Face.META)
        lead = CHIP_ICON + 4 if icon else 0
        width, height = metrics.horizontalAdvance(word) + lead + 2 * CHIP_PAD, metrics.height() + 4
        chip = QRectF(right.x() - width, right.y() - height / 2, width, height)
        if icon:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(soft_ground(token)))
        else:
            painter.setPen(QPen(theme.color("line_strong"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(chip, 4, 4)
        ink = theme.color(token)
        if icon:
            spot = QRectF(chip.left() + CHIP_PAD, right.y() - CHIP_ICON / 2, CHIP_ICON, CHIP_ICON)
            icons.draw(painter, icon, ink, spot)
        at = QPointF(chip.left() + CHIP_PAD + lead, right.y())
        self._word(painter, Face.META, ink, at, word)
        return chip.left()

    def _paint_pin(self, painter: QPainter, right: QPointF, one: ConsideredMessage) -> None:
        """Paint whether a message is pinned for later plans."""
        pin = self._pins().get(one.message_id)
        if pin is not None:
            icon, token = _PIN_SIGNS[pin]
            spot = QRectF(right.x() - PIN_ICON - 1, right.y() - PIN_ICON / 2, PIN_ICON, PIN_ICON)
            icons.draw(painter, icon, self._theme.color(token), spot)

    def _paint_fold(self, painter: QPainter, rect: QRectF, columns: Columns, row: ContextRow) -> None:
        theme, middle = self._theme, rect.center().y()
        left = rect.left() + columns.state
        icons.draw(painter, "caret-right", theme.color("text3"), QRectF(left, middle - 6, 12, 12))
        room = columns.end - columns.state - 24
        marks.draw_line(
            painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(left + 18, middle), row.words, room
        )

    def _paint_break(self, painter: QPainter, rect: QRectF, columns: Columns, row: ContextRow) -> None:
        """Paint a day or a silence: words in the middle of a line."""
        theme, middle = self._theme, rect.center().y()
        color, line = self._break_colours(row)
        face = Face.META_STRONG if row.cuts else Face.META
        first = rect.left() + (columns.rule if row.cuts else columns.dot - 6)
        last = rect.left() + columns.end
        icon = CHIP_ICON + 5 if row.kind is RowKind.GAP else 0
        width = min(theme.metrics(face).horizontalAdvance(row.words) + icon, last - first - 40)
        begin = max(first + 16, (rect.left() + columns.dot + last) / 2 - width / 2)
        pen = QPen(line, 1)
        if row.kind is RowKind.GAP:
            pen.setDashPattern([3, 3])
        painter.setPen(pen)
        painter.drawLine(QPointF(first, middle), QPointF(begin - 8, middle))
        painter.drawLine(QPointF(begin + width + 8, middle), QPointF(last, middle))
        if icon:
            icons.draw(painter, "clock", color, QRectF(begin, middle - CHIP_ICON / 2, CHIP_ICON, CHIP_ICON))
        room = width - icon + 1
        marks.draw_line(painter, theme.font(face), color, QPointF(begin + icon, middle), row.words, room)

    def _break_colours(self, row: ContextRow) -> tuple[QColor, QColor]:
        theme = self._theme
        if row.cuts:
            return theme.color("attention"), theme.color("attention")
        if row.kind is RowKind.DAY:
            return theme.color("text2"), theme.color("line")
        return theme.color("text3"), blend(theme.color("line_strong"), theme.color("line"), 0.5)
