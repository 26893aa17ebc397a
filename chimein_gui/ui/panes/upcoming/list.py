"""What happens next as a list in groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize
from PySide6.QtGui import QPainter, QPen

from chimein_gui.ui.panes.upcoming.headed import HeadedDelegate, HeadedView
from chimein_gui.ui.widgets.rows.clocked_rows import ClockedRows
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import ItemRole, KeyRole
from chimein_gui.viewmodels.plans.upcoming_rows import GroupHead
from chimein_gui.viewmodels.plans.upcoming_words import UpcomingView, group_words

if TYPE_CHECKING:
    from collections.abc import Hashable

    from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

    from chimein_gui.domain.ids import ChatId, TaskId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.panes.upcoming import UpcomingModels

ROW, HEAD, PAD, ICON, SQUARE = 48, 30, 14, 14, 24

_HEAD_TONES = {"needs you": "attention", "now": "accent_text"}
"""Colour tokens of headings; the others are quiet."""


class _Rows(HeadedDelegate):
    """Paints an entry in two lines, with its time at the trailing edge; or a heading."""

    def __init__(self, context: PaneContext, models: UpcomingModels, view: UpcomingList) -> None:
        super().__init__(context, view)
        self._clock = models.upcoming.clock

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        line = self._theme.metrics(Face.SMALL).height()
        if isinstance(index.data(ItemRole), GroupHead):
            return QSize(200, max(HEAD, round(line) + 12))
        return QSize(200, max(ROW, round(2 * line) + 16))

    def paint_row(self, painter: QPainter, rect: QRect, row: object, state: QStyle.StateFlag) -> None:
        if isinstance(row, GroupHead):
            self._head(painter, rect, row)
        elif isinstance(row, UpcomingView):
            self.paint_ground(painter, rect, state)
            self._entry(painter, rect, row)

    def _head(self, painter: QPainter, rect: QRect, head: GroupHead) -> None:
        theme, middle = self._theme, rect.center().y() + 2.5
        font = theme.font(Face.SMALL_STRONG)
        left = float(rect.left() + PAD)
        ink = theme.color(_HEAD_TONES.get(head.group.value, "text2"))
        left += marks.draw_line(painter, font, ink, QPointF(left, middle), group_words(head.group)) + 6
        left += marks.draw_line(painter, font, theme.color("text3"), QPointF(left, middle), str(head.count)) + 10
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(QPointF(left, middle), QPointF(rect.right() - PAD, middle))

    def _entry(self, painter: QPainter, rect: QRect, view: UpcomingView) -> None:
        theme, entry = self._theme, view.entry
        line = theme.metrics(Face.SMALL).height()
        upper, lower = rect.center().y() - line / 2 - 0.5, rect.center().y() + line / 2 + 2.5
        square = QRectF(rect.left() + PAD, rect.center().y() - SQUARE / 2 + 0.5, SQUARE, SQUARE)
        marks.draw_square(painter, theme, square, entry.agent_name, self._agents.identity_of(entry.agent_id))
        left, right = square.right() + 10, float(rect.right() - PAD)
        when = view.time(self._clock)
        if when:
            width = theme.metrics(Face.SMALL_STRONG).horizontalAdvance(when)
            ink = theme.color("text2" if entry.asks else "text1")
            spot = QPointF(right - width, upper)
            marks.draw_line(painter, theme.font(Face.SMALL_STRONG), ink, spot, when)
            right -= width + 10
        title = foreign_text.name(entry.chat_title)
        marks.draw_line(
            painter, theme.font(Face.STRONG), theme.color("text1"), QPointF(left, upper), title, right - left
        )
        self._second_line(painter, QPointF(left, lower), float(rect.right() - PAD), view)

    def _second_line(self, painter: QPainter, spot: QPointF, right: float, view: UpcomingView) -> None:
        theme, left, middle = self._theme, spot.x(), spot.y()
        if view.what:
            icons.draw(painter, view.icon, theme.color("text2"), QRectF(left, middle - ICON / 2, ICON, ICON))
            left += ICON + 5
            small = theme.font(Face.SMALL)
            left += marks.draw_line(painter, small, theme.color("text2"), QPointF(left, middle), view.what) + 12
        icon, token = view.state_icon
        tone = theme.color(token)
        icons.draw(painter, icon, tone, QRectF(left, middle - ICON / 2, ICON, ICON))
        left += ICON + 5
        words = foreign_text.line(view.state, 200)
        strong = theme.font(Face.SMALL_STRONG)
        used = marks.draw_line(painter, strong, tone, QPointF(left, middle), words, right - left)
        left += used + 12
        if view.text and right - left > 60:
            text = foreign_text.isolate(foreign_text.line(view.text, 200))
            spot = QPointF(left, middle)
            marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text3"), spot, text, right - left)


class UpcomingList(HeadedView):
    """One row an entry, under the headings of the groups."""

    def __init__(self, context: PaneContext, models: UpcomingModels) -> None:
        super().__init__(context, models, models.rows)
        self.setItemDelegate(_Rows(context, models, self))
        self.setAccessibleName(self.tr("What happens next"))
        ClockedRows(self, self._clock, self._times)

    @property
    def current(self) -> UpcomingView | None:
        row = self.currentIndex().data(ItemRole)
        return row if isinstance(row, UpcomingView) else None

    def choose(self, key: tuple[ChatId, TaskId | None] | None) -> None:
        if key is None or not self.choose_row(key):
            self.choose_near(0)

    def _times(self, index: QModelIndex) -> tuple[Hashable, Hashable]:
        row = index.data(ItemRole)
        return index.data(KeyRole), row.time(self._clock) if isinstance(row, UpcomingView) else ""
