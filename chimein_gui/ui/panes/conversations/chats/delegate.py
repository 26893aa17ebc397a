"""Paints the tree: agents with their health, chats with their preview. Each appearance is painted once and cached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QTreeView

from chimein_gui.domain.agents import Agent
from chimein_gui.domain.chats import Chat
from chimein_gui.ui.messages.row_pictures import RowPictures
from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.panes.conversations.chats.looks import AgentLook, ChatLook, agent_look, chat_look
from chimein_gui.ui.widgets.rows.row_states import FOCUSED, HOVERED, SELECTED
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, State, colours_of, draw_ring, draw_row
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.theme import Face

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOptionViewItem

RIGHT = 12.0
MARK = 12

LEAST_NAME = 56.0
"""Minimum width of a name in px, below which the label beside it loses its word."""


class ChatDelegate(QStyledItemDelegate):
    """Paints rows of agents and chats.

    Attributes:
        menu_row: The row whose menu is open, which is painted as hovered.
    """

    def __init__(self, context: PaneContext, view: QTreeView) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view
        self._chats = context.models.chats
        self.menu_row = QPersistentModelIndex()
        self.pictures = RowPictures(context.theme, "pane")
        self._measure()
        context.theme.fonts_changed.connect(self._measure)

    def _measure(self) -> None:
        """Recompute the row heights for the text size (44 and 56 px at the usual size)."""
        body, small = (self._theme.metrics(face).height() for face in (Face.BODY, Face.SMALL))
        self._agent_size = QSize(120, max(44, round(body + 24)))
        self._chat_size = QSize(120, max(56, round(body + small + 24)))
        self.pictures.clear()
        self._view.scheduleDelayedItemsLayout()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return self._agent_size if self._chats.is_agent(index) else self._chat_size

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        item, state, models = self._chats.item(index), option.state.value, self._context.models
        selected, turned = bool(state & SELECTED), self._view.isRightToLeft()
        hovered = bool(state & HOVERED) or self.menu_row == index
        if isinstance(item, Agent):
            expanded, first = self._view.isExpanded(index), index.row() == 0
            agent = agent_look(models, item, expanded=expanded, first=first, hovered=hovered)
            self.pictures.draw(
                painter, option.rect, agent, lambda p, rect: self._paint_agent(p, rect, agent), turned=turned
            )
        elif isinstance(item, Chat):
            chat = chat_look(models, item, selected=selected, hovered=hovered)
            self.pictures.draw(
                painter, option.rect, chat, lambda p, rect: self._paint_chat(p, rect, chat), turned=turned
            )
        if state & FOCUSED:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ring = colours_of(self._theme, Role.ROW, State(focused=True))
            draw_ring(painter, ring, QRectF(option.rect).adjusted(1.5, 1.5, -1.5, -1.5), 0, 1)
            painter.restore()

    def _paint_ground(self, painter: QPainter, rect: QRectF, *, selected: bool, hovered: bool) -> None:
        draw_row(painter, colours_of(self._theme, Role.ROW, State(checked=selected, hovered=hovered)), rect)

    def _paint_agent(self, painter: QPainter, rect: QRectF, look: AgentLook) -> None:
        theme, middle = self._theme, rect.center().y()
        self._paint_ground(painter, rect, selected=False, hovered=look.hovered)
        if not look.first:
            painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), 1), theme.color("line"))
        caret = "caret-down" if look.expanded else "caret-right"
        icons.draw(painter, caret, theme.color("text3"), QRectF(rect.left() + 7, middle - 6, 12, 12))
        square = QRectF(rect.left() + 24, middle - 12, 24, 24)
        marks.draw_square(painter, theme, square, look.name, look.identity)
        right = rect.right() - RIGHT
        if look.pending:
            right = marks.draw_badge(painter, theme, right, middle, _count(look.pending), "attention") - 8
        self._paint_name(painter, QRectF(square.right() + 8, middle, right - square.right() - 8, 0), look)

    def _paint_name(self, painter: QPainter, line: QRectF, look: AgentLook) -> None:
        """Paint the name and the label at its end. The name is elided first, then the label loses its word."""
        theme, label, middle = self._theme, look.label, line.top()
        wanted = theme.metrics(Face.STRONG).horizontalAdvance(look.name)
        width = marks.mark_width(theme, label.word)
        if min(wanted, LEAST_NAME) + 8 + width > line.width():
            label, width = IconLabel(label.icon, "", label.token), float(marks.MARK_ICON)
        marks.draw_mark(painter, theme, QPointF(line.right() - width, middle), label, theme.color(label.token))
        room = line.width() - width - 8
        marks.draw_line(painter, theme.font(Face.STRONG), theme.color("text1"), line.topLeft(), look.name, room)

    def _paint_chat(self, painter: QPainter, rect: QRectF, look: ChatLook) -> None:
        theme = self._theme
        self._paint_ground(painter, rect, selected=look.selected, hovered=look.hovered)
        small, body = theme.metrics(Face.SMALL).height(), theme.metrics(Face.BODY).height()
        top = rect.top() + (rect.height() - body - small - 4) / 2 + body / 2
        bottom = top + body / 2 + 4 + small / 2
        circle = QRectF(rect.left() + 18, rect.center().y() - 18, 36, 36)
        marks.draw_circle(painter, theme, circle, look.title, group=look.group)
        left, right = rect.left() + 64, rect.right() - RIGHT
        self._paint_first_line(painter, QRectF(left, top, right - left, 0), look)
        if look.unread:
            right = marks.draw_badge(painter, theme, right, bottom, _count(look.unread), "track") - 5
        if look.pending:
            right = marks.draw_badge(painter, theme, right, bottom, _count(look.pending), "attention") - 5
        self._paint_preview(painter, QRectF(left, bottom, right - left - 3, 0), look)

    def _paint_first_line(self, painter: QPainter, line: QRectF, look: ChatLook) -> None:
        theme, middle, right = self._theme, line.top(), line.right()
        ink = colours_of(theme, Role.ROW, State(checked=look.selected)).quiet
        if look.stamp:
            width = theme.metrics(Face.META).horizontalAdvance(look.stamp)
            marks.draw_line(painter, theme.font(Face.META), ink, QPointF(right - width, middle), look.stamp)
            right -= width + 8
        for icon in look.marks:
            icons.draw(painter, icon, ink, QRectF(right - MARK, middle - MARK / 2, MARK, MARK))
            right -= MARK + 4
        face = Face.STRONG if look.unread or look.pending else Face.BODY
        wanted = theme.metrics(face).horizontalAdvance(look.title)
        if look.label is not None:
            right = self._paint_label(
                painter, look.label, QPointF(right, middle), line.left() + min(wanted, LEAST_NAME), ink
            )
        place = QPointF(line.left(), middle)
        marks.draw_line(painter, theme.font(face), theme.color("text1"), place, look.title, right - line.left())

    def _paint_label(self, painter: QPainter, label: IconLabel, end: QPointF, least: float, ink: QColor) -> float:
        """Paint a label that ends at a point; without its word if the name would have less than `least` px.

        Returns:
            Where the space for the name ends.
        """
        theme, width = self._theme, marks.mark_width(self._theme, label.word)
        if least + 6 + width > end.x():
            label, width = IconLabel(label.icon, "", label.token), float(marks.MARK_ICON)
        color = ink if label.token == "text3" else theme.color(label.token)
        marks.draw_mark(painter, theme, QPointF(end.x() - width, end.y()), label, color)
        return end.x() - width - 6

    def _paint_preview(self, painter: QPainter, line: QRectF, look: ChatLook) -> None:
        theme, x, middle = self._theme, line.left(), line.top()
        font, label = theme.font(Face.SMALL), look.news
        if label is not None:
            face = Face.SMALL_STRONG if look.text else Face.SMALL
            room = line.width() - marks.MARK_ICON - marks.MARK_GAP
            word = elided(theme.metrics(face), label.word, max(0.0, room))
            shown = IconLabel(label.icon, word, label.token)
            x = marks.draw_mark(painter, theme, QPointF(x, middle), shown, theme.color(label.token), face) + 6
        if x < line.right():
            marks.draw_line(painter, font, theme.color("text2"), QPointF(x, middle), look.text, line.right() - x)


def _count(number: int) -> str:
    return str(number) if number < 1000 else "999+"
