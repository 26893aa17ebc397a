"""Paints the rows of the list of traces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate

from chimein_gui.domain.traces.summaries import TraceSummary
from chimein_gui.ui.panes.traces.looks import state_sign
from chimein_gui.ui.widgets.rows.row_states import SELECTED
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.traces.words import dollars_exact

if TYPE_CHECKING:
    from PySide6.QtWidgets import QListView, QStyleOptionViewItem

    from chimein_gui.ui.pane import PaneContext

STRIPE, LEAD, TRAIL = 3.0, 24.0, 16.0


class TraceDelegate(QStyledItemDelegate):
    """Two lines: who answers whom and when; what became of it, the message, and the cost."""

    def __init__(self, context: PaneContext, view: QListView) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, max(54, round(2.1 * self._theme.metrics(Face.BODY).height() + 20)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ItemRole)
        if not isinstance(row, TraceSummary):
            return
        rect, state, theme = QRectF(option.rect), option.state.value, self._theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        focused = self._view.hasFocus() and bool(state & SELECTED)
        colours = colours_of(theme, Role.ROW, row_state(state, focused=focused))
        draw_tile(painter, colours, rect.adjusted(6, 1, -6, -2))
        identity = theme.identity(self._context.models.agents.identity_of(row.agent_id))
        painter.fillRect(QRectF(rect.left() + 12, rect.top() + 8, STRIPE, rect.height() - 17), identity)
        line = QRectF(rect.left() + LEAD, rect.bottom(), rect.width() - LEAD - 10, 1)
        painter.fillRect(line, theme.color("line"))
        self._paint_head(painter, rect, row, is_strong=bool(state & SELECTED))
        self._paint_state(painter, rect, row)
        painter.restore()

    def _paint_head(self, painter: QPainter, rect: QRectF, row: TraceSummary, *, is_strong: bool) -> None:
        theme, middle = self._theme, rect.top() + rect.height() * 0.32
        small = theme.metrics(Face.SMALL)
        time = self._context.models.clock.stamp(row.ended_at)
        end = rect.right() - TRAIL - small.horizontalAdvance(time)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(end, middle), time)
        if row.is_kept:
            end -= 20
            icons.draw(painter, "pin", theme.color("accent"), QRectF(end, middle - 7, 14, 14))
        font, ink, left = theme.font(Face.STRONG if is_strong else Face.BODY), theme.color("text1"), rect.left() + LEAD
        agent = foreign_text.name(row.agent_name).split(" ")[0]
        left += marks.draw_line(painter, font, ink, QPointF(left, middle), agent, (end - left) * 0.45) + 4
        icons.draw(painter, "arrow-right", theme.color("text3"), QRectF(left, middle - 6, 12, 12))
        chat = foreign_text.name(row.chat_title)
        marks.draw_line(painter, font, ink, QPointF(left + 16, middle), chat, end - left - 24)

    def _paint_state(self, painter: QPainter, rect: QRectF, row: TraceSummary) -> None:
        theme, middle = self._theme, rect.top() + rect.height() * 0.7
        cost = dollars_exact(row.usd)
        end = rect.right() - TRAIL - theme.metrics(Face.SMALL).horizontalAdvance(cost)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(end, middle), cost)
        sign = state_sign(row)
        at = QPointF(rect.left() + LEAD, middle)
        left = marks.draw_mark(painter, theme, at, sign, theme.color(sign.token), Face.SMALL_STRONG) + 10
        words = foreign_text.line(row.first_words)
        marks.draw_line(
            painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(left, middle), words, end - left - 10
        )
