"""Paints the rows of the Log pane."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate

from chimein_gui.domain.ids import AgentId
from chimein_gui.reporting.log_lines import LogLine
from chimein_gui.ui.widgets.rows.row_states import SELECTED
from chimein_gui.ui.widgets.surfaces.surface import soft_ground
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import is_turned, mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.log.words import leads_words, level_word, time_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QListView, QStyleOptionViewItem

    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.panes.log.columns import Columns
    from chimein_gui.viewmodels.log.model import LogModel

ICON, DOT = 13.0, 7.0


def level_sign(level: int) -> IconLabel:
    """Return a level as icon, word and colour."""
    word = level_word(level)
    if level >= logging.ERROR:
        return IconLabel("x-circle", word, "danger")
    if level >= logging.WARNING:
        return IconLabel("warning", word, "attention")
    return IconLabel("info", word, "info") if level >= logging.INFO else IconLabel("dots", word, "text3")


class LogDelegate(QStyledItemDelegate):
    """All rows have the same height, so that the view needs to measure none."""

    def __init__(self, context: PaneContext, view: QListView, model: LogModel, columns: Callable[[], Columns]) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view
        self._model, self._columns = model, columns
        self._known: dict[Face, tuple[float, float]] = {}
        context.theme.fonts_changed.connect(self._known.clear)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, self.row_height())

    def row_height(self) -> int:
        """Return the height of every row, px."""
        return max(25, round(self._theme.metrics(Face.BODY).height() * 1.5))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        line = index.data(ItemRole)
        if not isinstance(line, LogLine):
            return
        rect, state = QRectF(option.rect), option.state.value
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        sign = level_sign(line.level)
        self._paint_ground(painter, rect, sign.token, state)
        self._paint_line(painter, rect, line, sign, is_strong=bool(state & SELECTED))
        painter.restore()

    def _paint_ground(self, painter: QPainter, rect: QRectF, token: str, state: int) -> None:
        if token in ("danger", "attention"):
            tint = QColor(self._theme.color(soft_ground(token)))
            tint.setAlphaF(0.55)
            painter.fillRect(rect, tint)
        focused = self._view.hasFocus() and bool(state & SELECTED)
        colours = colours_of(self._theme, Role.ROW, row_state(state, focused=focused))
        draw_tile(painter, colours, rect.adjusted(6, 1, -6, -1))

    def _paint_line(self, painter: QPainter, rect: QRectF, line: LogLine, sign: IconLabel, *, is_strong: bool) -> None:
        theme, columns, left, middle = self._theme, self._columns(), rect.left(), rect.center().y() + 0.5
        loud, second = line.level >= logging.WARNING, theme.color("text2")
        colour = theme.color(sign.token)
        icons.draw(painter, sign.icon, colour, QRectF(left + columns.level, middle - ICON / 2, ICON, ICON))
        agent_end = self._paint_dot(painter, QPointF(left + columns.agent, middle), line)
        self._word(painter, Face.SMALL, second, QPointF(left + columns.time, middle), time_words(line.at))
        if columns.agent > columns.part:
            part = foreign_text.line(line.part, 40)
            self._word(painter, Face.SMALL, second, QPointF(left + columns.part, middle), part, columns.part_room)
        face = Face.SMALL_STRONG if loud else Face.SMALL
        self._word(painter, face, colour, QPointF(left + columns.level + ICON + 5, middle), sign.word)
        if agent_end:
            name = foreign_text.name(self._model.agent_name(line))
            room = columns.message - columns.agent - DOT - 14
            self._word(painter, Face.SMALL_STRONG, theme.color("text1"), QPointF(agent_end, middle), name, room)
        end = self._paint_link(painter, QPointF(left + columns.end, middle), columns, line) - left
        ink = theme.color("text2" if line.level < logging.INFO else "text1")
        text, at = foreign_text.line(line.text, 300), QPointF(left + columns.message, middle)
        self._word(painter, Face.STRONG if is_strong else Face.BODY, ink, at, text, end - columns.message - 12)

    def _paint_link(self, painter: QPainter, right: QPointF, columns: Columns, line: LogLine) -> float:
        """Paint the link so that it ends at a point; return where it begins."""
        link = leads_words(line)
        if not link:
            return right.x()
        width = min(self._theme.metrics(Face.SMALL_STRONG).horizontalAdvance(link), columns.link_width)
        at = QPointF(right.x() - width, right.y())
        self._word(painter, Face.SMALL_STRONG, self._theme.color("accent_text"), at, link, width + 1)
        return at.x()

    def _paint_dot(self, painter: QPainter, left_middle: QPointF, line: LogLine) -> float:
        """Paint the dot of the agent; return where its name begins, 0 without an agent."""
        agent_id = self._model.agent_of(line)
        if agent_id is None or not self._model.agent_name(line):
            return 0.0
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.identity(self._context.models.agents.identity_of(AgentId(agent_id))))
        painter.drawEllipse(QRectF(left_middle.x(), left_middle.y() - DOT / 2, DOT, DOT))
        return left_middle.x() + DOT + 6

    def _word(self, painter: QPainter, face: Face, color: QColor, at: QPointF, text: str, room: float = 1e6) -> None:
        """Paint one line of text. At 1,000 new lines a second each call counts, so the font's measures are shared."""
        if is_turned(painter):
            marks.draw_line(painter, self._theme.font(face), color, at, text, room)
            return
        metrics = self._theme.metrics(face)
        if len(text) * self._widest(face) > room:
            text = elided(metrics, text, room)
        painter.setFont(self._theme.font(face))
        painter.setPen(color)
        painter.drawText(QPointF(at.x(), at.y() + self._drop(face)), text)

    def _widest(self, face: Face) -> float:
        return self._measures(face)[0]

    def _drop(self, face: Face) -> float:
        return self._measures(face)[1]

    def _measures(self, face: Face) -> tuple[float, float]:
        """Return the width of the widest letter, and how far the base line is below the middle of a line, px."""
        known = self._known.get(face)
        if known is None:
            metrics = self._theme.metrics(face)
            known = self._known[face] = (metrics.maxWidth(), (metrics.ascent() - metrics.descent()) / 2)
        return known
