"""Paints the tree: agents with their health, chats with what is special first."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from chimein_gui.domain.agents import Agent
from chimein_gui.domain.chats import Chat, ChatKind, TrustLevel
from chimein_gui.ui.widgets import foreign_text, icons, marks
from chimein_gui.ui.widgets.health import health_sign
from chimein_gui.ui.widgets.marks import Sign
from chimein_gui.ui.widgets.pane import PaneContext
from chimein_gui.ui.widgets.theme import Face
from chimein_gui.viewmodels.roles import ItemRole

RIGHT = 12.0


class ChatDelegate(QStyledItemDelegate):
    """Two kinds of rows."""

    def __init__(self, context: PaneContext, view: QTreeView) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        body = QFontMetricsF(self._theme.font(Face.BODY)).height()
        small = QFontMetricsF(self._theme.font(Face.SMALL)).height()
        is_agent = isinstance(index.data(ItemRole), Agent)
        return QSize(120, max(44, round(body + 24)) if is_agent else max(56, round(body + small + 24)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect = QRectF(option.rect)
        item = index.data(ItemRole)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if isinstance(item, Agent):
            self._paint_agent(painter, rect, item, index, hovered=hovered)
        elif isinstance(item, Chat):
            self._paint_ground(painter, rect, selected=selected, hovered=hovered)
            self._paint_chat(painter, rect, item, selected=selected)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(1.5, 1.5, -1.5, -1.5))
        painter.restore()

    def _paint_ground(self, painter: QPainter, rect: QRectF, *, selected: bool, hovered: bool) -> None:
        if selected:
            painter.fillRect(rect, self._theme.color("accent_soft"))
            painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), self._theme.color("accent"))
        elif hovered:
            painter.fillRect(rect, self._theme.color("raised"))

    def _paint_agent(
        self,
        painter: QPainter,
        rect: QRectF,
        agent: Agent,
        index: QModelIndex | QPersistentModelIndex,
        *,
        hovered: bool,
    ) -> None:
        theme, middle = self._theme, rect.center().y()
        if hovered:
            painter.fillRect(rect, theme.color("raised"))
        if index.row():
            painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), 1), theme.color("line"))
        row = index.model().index(index.row(), 0)
        caret = "caret-down" if self._view.isExpanded(row) else "caret-right"
        icons.draw(painter, caret, theme.color("text3"), QRectF(rect.left() + 7, middle - 6, 12, 12))
        square = QRectF(rect.left() + 24, middle - 12, 24, 24)
        marks.draw_square(painter, theme, square, agent.spec.name, agent.identity)
        right = rect.right() - RIGHT
        if not self._view.isExpanded(row) and (pending := self._pending_below(row)):
            right = marks.draw_badge(painter, theme, right, middle, str(pending), "attention") - 8
        sign = health_sign(agent, self._context.models.clock)
        name = foreign_text.name(agent.spec.name)
        wanted = QFontMetricsF(theme.font(Face.STRONG)).horizontalAdvance(name)
        left = square.right() + 8
        width = marks.mark_width(theme, sign.word)
        if left + min(wanted, 60) + 8 + width > right:
            sign, width = Sign(sign.icon, "", sign.token), float(marks.MARK_ICON)
        marks.draw_mark(painter, theme, QPointF(right - width, middle), sign, theme.color(sign.token))
        marks.draw_line(
            painter,
            theme.font(Face.STRONG),
            theme.color("text1"),
            QPointF(left, middle),
            name,
            right - width - 8 - left,
        )

    def _pending_below(self, parent: QModelIndex) -> int:
        model = self._context.models.chats
        chats = [model.index(row, 0, parent).data(ItemRole) for row in range(model.rowCount(parent))]
        return sum(chat.pending for chat in chats)

    def _paint_chat(self, painter: QPainter, rect: QRectF, chat: Chat, *, selected: bool) -> None:
        theme = self._theme
        small = QFontMetricsF(theme.font(Face.SMALL)).height()
        body = QFontMetricsF(theme.font(Face.BODY)).height()
        top = rect.top() + (rect.height() - body - small - 4) / 2 + body / 2
        bottom = top + body / 2 + 4 + small / 2
        circle = QRectF(rect.left() + 18, rect.center().y() - 18, 36, 36)
        marks.draw_circle(painter, theme, circle, chat.info.title, group=chat.info.kind is not ChatKind.DM)
        left, right = rect.left() + 64, rect.right() - RIGHT
        self._paint_first_line(painter, QRectF(left, top, right - left, 0), chat, selected=selected)
        if chat.unread:
            right = marks.draw_badge(painter, theme, right, bottom, _count(chat.unread), "track") - 5
        if chat.pending:
            right = marks.draw_badge(painter, theme, right, bottom, _count(chat.pending), "attention") - 5
        self._paint_preview(painter, QRectF(left, bottom, right - left - 3, 0), chat)

    def _paint_first_line(self, painter: QPainter, line: QRectF, chat: Chat, *, selected: bool) -> None:
        theme, middle, right = self._theme, line.top(), line.right()
        meta = theme.font(Face.META)
        ink = theme.color("text2" if selected else "text3")
        if chat.last_at is not None:
            stamp = self._context.models.clock.stamp(chat.last_at)
            width = QFontMetricsF(meta).horizontalAdvance(stamp)
            marks.draw_line(painter, meta, ink, QPointF(right - width, middle), stamp)
            right -= width + 8
        name = foreign_text.name(chat.info.title)
        font = theme.font(Face.STRONG if chat.unread or chat.pending else Face.BODY)
        wanted = QFontMetricsF(font).horizontalAdvance(name)
        sign = trust_sign(chat.trust)
        width = marks.mark_width(theme, sign.word)
        if line.left() + min(wanted, line.width() * 0.45) + 6 + width > right:
            sign, width = Sign(sign.icon, "", sign.token), float(marks.MARK_ICON)
        color = ink if sign.token == "text3" else theme.color(sign.token)
        marks.draw_mark(painter, theme, QPointF(right - width, middle), sign, color)
        right -= width + 6
        marks.draw_line(painter, font, theme.color("text1"), QPointF(line.left(), middle), name, right - line.left())

    def _paint_preview(self, painter: QPainter, line: QRectF, chat: Chat) -> None:
        theme, x, middle = self._theme, line.left(), line.top()
        font = theme.font(Face.SMALL)
        sign, text = self._preview(chat)
        if sign is not None:
            face = Face.SMALL_STRONG if text else Face.SMALL
            if marks.mark_width(theme, sign.word, face) > line.width():
                icons.draw(painter, sign.icon, theme.color(sign.token), QRectF(x, middle - 7, 14, 14))
                marks.draw_line(
                    painter, font, theme.color(sign.token), QPointF(x + 18, middle), sign.word, line.width() - 18
                )
                return
            x = marks.draw_mark(painter, theme, QPointF(x, middle), sign, theme.color(sign.token), face) + 6
        marks.draw_line(painter, font, theme.color("text2"), QPointF(x, middle), text, line.right() - x)

    def _preview(self, chat: Chat) -> tuple[Sign | None, str]:
        """Return what is special, and the text after it."""
        models = self._context.models
        if chat.pending:
            draft = models.approvals.newest_open_of_chat(chat.chat_id)
            return Sign("planned", self.tr("Planned"), "attention"), foreign_text.line(draft.text if draft else "")
        if chat.planning_problem:
            return Sign("alert", foreign_text.line(chat.planning_problem), "danger"), ""
        if models.chats.is_typing(chat.chat_id):
            return Sign("pencil", self.tr("typing…"), "accent_text"), ""
        if chat.planning:
            return Sign("spinner", self.tr("Planning an answer…"), "info"), ""
        text = foreign_text.line(chat.last_text)
        return None, self.tr("You: {text}").format(text=text) if chat.last_out and text else text


def trust_sign(trust: TrustLevel) -> Sign:
    """Return how much leaves without the operator, as a sign."""
    if trust is TrustLevel.AUTO:
        return Sign("bolt", "Auto", "info")
    return Sign("shield", "Review", "text3")


def _count(number: int) -> str:
    return str(number) if number < 1000 else "999+"
