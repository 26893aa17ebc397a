"""Paints an agent: square, name, phone, health as icon and word, and what it waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QListView, QStyledItemDelegate

from chimein_gui.domain.agents import Agent
from chimein_gui.ui.widgets import foreign_text, marks
from chimein_gui.ui.widgets.health import health_sign
from chimein_gui.ui.widgets.pane import PaneContext
from chimein_gui.ui.widgets.row_states import HOVERED, SELECTED
from chimein_gui.ui.widgets.theme import Face
from chimein_gui.viewmodels.roles import ItemRole

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOptionViewItem

LEFT = 58.0


def note_of(agent: Agent) -> str:
    """Return the third line of a row: that Telegram limits the account, or what it waits for."""
    if agent.limited:
        words = QCoreApplication.translate("Agents", "Limited by Telegram: {words}")
        return words.format(words=foreign_text.line(agent.limited))
    return foreign_text.line(agent.health_note)


class AgentDelegate(QStyledItemDelegate):
    """One agent a row; the note gets a line of its own where there is one."""

    def __init__(self, context: PaneContext, view: QListView) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        agent = index.data(ItemRole)
        lines = 3 if isinstance(agent, Agent) and note_of(agent) else 2
        body = QFontMetricsF(self._theme.font(Face.BODY)).height()
        small = QFontMetricsF(self._theme.font(Face.SMALL)).height()
        return QSize(self._view.viewport().width(), round(body + (lines - 1) * (small + 4) + 24))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        agent = index.data(ItemRole)
        if not isinstance(agent, Agent):
            return
        rect, theme = QRectF(option.rect), self._theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state.value & SELECTED:
            painter.fillRect(rect, theme.color("accent_soft"))
            painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        elif option.state.value & HOVERED:
            painter.fillRect(rect, theme.color("raised"))
        painter.fillRect(QRectF(rect.left() + 14, rect.bottom(), rect.width() - 14, 1), theme.color("line"))
        marks.draw_square(
            painter, theme, QRectF(rect.left() + 14, rect.top() + 12, 32, 32), agent.spec.name, agent.identity
        )
        self._paint_lines(painter, rect, agent)
        painter.restore()

    def _paint_lines(self, painter: QPainter, rect: QRectF, agent: Agent) -> None:
        theme = self._theme
        body = QFontMetricsF(theme.font(Face.BODY)).height()
        small = QFontMetricsF(theme.font(Face.SMALL)).height()
        left, right = rect.left() + LEFT, rect.right() - 14
        y = rect.top() + 12 + body / 2
        phone = agent.spec.phone
        width = QFontMetricsF(theme.font(Face.SMALL)).horizontalAdvance(phone)
        name = foreign_text.name(agent.spec.name)
        marks.draw_line(
            painter,
            theme.font(Face.STRONG),
            theme.color("text1"),
            QPointF(left, y),
            name,
            right - left - width - 10,
        )
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(right - width, y), phone)
        y += body / 2 + 4 + small / 2
        sign = health_sign(agent, self._context.models.clock)
        marks.draw_mark(painter, theme, QPointF(left, y), sign, theme.color(sign.token), Face.SMALL_STRONG)
        note = note_of(agent)
        if note:
            y += small + 4
            ink = theme.color("danger" if agent.limited else "text2")
            marks.draw_line(painter, theme.font(Face.SMALL), ink, QPointF(left, y), note, right - left)
