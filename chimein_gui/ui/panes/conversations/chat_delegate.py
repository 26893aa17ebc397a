"""Paints the tree: agents with their health, chats with what is special first. Each look is painted once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QTreeView

from chimein_gui.domain.agents import Agent
from chimein_gui.domain.chats import Chat, ChatKind, TrustLevel
from chimein_gui.engine.trust import trust_now
from chimein_gui.ui.panes.conversations.trust_menu import trust_sign
from chimein_gui.ui.widgets import foreign_text, icons, marks
from chimein_gui.ui.widgets.health import health_sign
from chimein_gui.ui.widgets.marks import Sign
from chimein_gui.ui.widgets.pane import PaneContext
from chimein_gui.ui.widgets.row_pictures import RowPictures
from chimein_gui.ui.widgets.row_states import FOCUSED, HOVERED, SELECTED
from chimein_gui.ui.widgets.theme import Face
from chimein_gui.viewmodels.message_words import preview_words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOptionViewItem

RIGHT = 12.0


class AgentLook(NamedTuple):
    """All that an agent's row shows."""

    name: str
    identity: int
    sign: Sign
    expanded: bool
    pending: int
    first: bool
    hovered: bool


class ChatLook(NamedTuple):
    """All that a chat's row shows."""

    title: str
    group: bool
    stamp: str
    trust: TrustLevel
    unread: int
    pending: int
    sign: Sign | None
    text: str
    selected: bool
    hovered: bool


class ChatDelegate(QStyledItemDelegate):
    """Two kinds of rows."""

    def __init__(self, context: PaneContext, view: QTreeView) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view
        self._chats = context.models.chats
        self.pictures = RowPictures(context.theme, "pane")
        body, small = (self._theme.metrics(face).height() for face in (Face.BODY, Face.SMALL))
        self._agent_size = QSize(120, max(44, round(body + 24)))
        self._chat_size = QSize(120, max(56, round(body + small + 24)))

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return self._agent_size if self._chats.is_agent(index) else self._chat_size

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        item, state = self._chats.item(index), option.state.value
        selected, hovered = bool(state & SELECTED), bool(state & HOVERED)
        if isinstance(item, Agent):
            agent = self._agent_look(item, index, hovered=hovered)
            self.pictures.draw(painter, option.rect, agent, lambda p, rect: self._paint_agent(p, rect, agent))
        elif isinstance(item, Chat):
            chat = self._chat_look(item, selected=selected, hovered=hovered)
            self.pictures.draw(painter, option.rect, chat, lambda p, rect: self._paint_chat(p, rect, chat))
        if state & FOCUSED:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(option.rect).adjusted(1.5, 1.5, -1.5, -1.5))
            painter.restore()

    def _agent_look(self, agent: Agent, index: QModelIndex | QPersistentModelIndex, *, hovered: bool) -> AgentLook:
        expanded = self._view.isExpanded(index)
        pending = 0 if expanded else self._chats.pending_of(agent.agent_id)
        sign = health_sign(agent, self._context.models.clock)
        name = foreign_text.name(agent.spec.name)
        return AgentLook(name, agent.identity, sign, expanded, pending, index.row() == 0, hovered)

    def _chat_look(self, chat: Chat, *, selected: bool, hovered: bool) -> ChatLook:
        stamp = self._context.models.clock.stamp(chat.last_at) if chat.last_at is not None else ""
        sign, text = self._preview(chat)
        return ChatLook(
            foreign_text.name(chat.info.title),
            chat.info.kind is not ChatKind.DM,
            stamp,
            trust_now(chat, self._context.models.clock.now()),
            chat.unread,
            chat.pending,
            sign,
            text,
            selected,
            hovered and not selected,
        )

    def _paint_ground(self, painter: QPainter, rect: QRectF, *, selected: bool, hovered: bool) -> None:
        if selected:
            painter.fillRect(rect, self._theme.color("accent_soft"))
            painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), self._theme.color("accent"))
        elif hovered:
            painter.fillRect(rect, self._theme.color("raised"))

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
            right = marks.draw_badge(painter, theme, right, middle, str(look.pending), "attention") - 8
        sign = look.sign
        wanted = theme.metrics(Face.STRONG).horizontalAdvance(look.name)
        left = square.right() + 8
        width = marks.mark_width(theme, sign.word)
        if left + min(wanted, 60) + 8 + width > right:
            sign, width = Sign(sign.icon, "", sign.token), float(marks.MARK_ICON)
        marks.draw_mark(painter, theme, QPointF(right - width, middle), sign, theme.color(sign.token))
        font, ink = theme.font(Face.STRONG), theme.color("text1")
        marks.draw_line(painter, font, ink, QPointF(left, middle), look.name, right - width - 8 - left)

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
        ink = theme.color("text2" if look.selected else "text3")
        if look.stamp:
            width = theme.metrics(Face.META).horizontalAdvance(look.stamp)
            marks.draw_line(painter, theme.font(Face.META), ink, QPointF(right - width, middle), look.stamp)
            right -= width + 8
        face = Face.STRONG if look.unread or look.pending else Face.BODY
        wanted = theme.metrics(face).horizontalAdvance(look.title)
        sign = trust_sign(look.trust)
        width = marks.mark_width(theme, sign.word)
        if line.left() + min(wanted, line.width() * 0.45) + 6 + width > right:
            sign, width = Sign(sign.icon, "", sign.token), float(marks.MARK_ICON)
        color = ink if sign.token == "text3" else theme.color(sign.token)
        marks.draw_mark(painter, theme, QPointF(right - width, middle), sign, color)
        right -= width + 6
        place = QPointF(line.left(), middle)
        marks.draw_line(painter, theme.font(face), theme.color("text1"), place, look.title, right - line.left())

    def _paint_preview(self, painter: QPainter, line: QRectF, look: ChatLook) -> None:
        theme, x, middle = self._theme, line.left(), line.top()
        font, sign = theme.font(Face.SMALL), look.sign
        if sign is not None:
            face = Face.SMALL_STRONG if look.text else Face.SMALL
            color = theme.color(sign.token)
            if marks.mark_width(theme, sign.word, face) > line.width():
                icons.draw(painter, sign.icon, color, QRectF(x, middle - 7, 14, 14))
                marks.draw_line(painter, font, color, QPointF(x + 18, middle), sign.word, line.width() - 18)
                return
            x = marks.draw_mark(painter, theme, QPointF(x, middle), sign, color, face) + 6
        marks.draw_line(painter, font, theme.color("text2"), QPointF(x, middle), look.text, line.right() - x)

    def _preview(self, chat: Chat) -> tuple[Sign | None, str]:
        """Return what is special, and the text after it."""
        models = self._context.models
        if chat.pending:
            draft = models.approvals.newest_open_of_chat(chat.chat_id)
            return Sign("planned", self.tr("Planned"), "attention"), foreign_text.line(draft.text if draft else "")
        if chat.takeover_until is not None and chat.takeover_until > models.clock.now():
            return Sign("pencil", self.tr("You took over"), "info"), foreign_text.line(chat.last_text)
        if chat.planning_problem:
            return Sign("alert", foreign_text.line(chat.planning_problem), "danger"), ""
        if models.chats.is_typing(chat.chat_id):
            return Sign("pencil", self.tr("typing…"), "accent_text"), ""
        if chat.planning:
            return Sign("spinner", self.tr("Planning an answer…"), "info"), ""
        text = foreign_text.line(preview_words(chat.last_text, chat.last_media))
        return None, self.tr("You: {text}").format(text=text) if chat.last_out and text else text


def _count(number: int) -> str:
    return str(number) if number < 1000 else "999+"
