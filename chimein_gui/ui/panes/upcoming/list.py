"""What happens next as a list in groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from chimein_gui.ui.widgets.rows.clocked_rows import ClockedRows
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import ItemRole, KeyRole
from chimein_gui.viewmodels.plans.upcoming import GroupHead
from chimein_gui.viewmodels.plans.upcoming_words import UpcomingView, group_words

if TYPE_CHECKING:
    from collections.abc import Hashable

    from chimein_gui.domain.ids import ChatId, TaskId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.panes.upcoming import UpcomingModels

ROW, HEAD, PAD, ICON, SQUARE = 48, 30, 14, 14, 24

_HEAD_TONES = {"needs you": "attention", "now": "accent_text"}
"""Colour tokens of headings; the others are quiet."""


class _Rows(QStyledItemDelegate):
    """Paints an entry in two lines, with its time at the trailing edge; or a heading."""

    def __init__(self, context: PaneContext, models: UpcomingModels, view: UpcomingList) -> None:
        super().__init__(view)
        self._theme, self._agents = context.theme, context.models.agents
        self._clock = models.upcoming.clock

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        line = self._theme.metrics(Face.SMALL).height()
        if isinstance(index.data(ItemRole), GroupHead):
            return QSize(200, max(HEAD, round(line) + 12))
        return QSize(200, max(ROW, round(2 * line) + 16))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row, rect = index.data(ItemRole), QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.direction is Qt.LayoutDirection.RightToLeft:
            mirror(painter, rect)
        if isinstance(row, GroupHead):
            self._head(painter, rect, row)
        else:
            self._ground(painter, rect, option.state)
            self._entry(painter, rect, row)
        painter.restore()

    def _head(self, painter: QPainter, rect: QRect, head: GroupHead) -> None:
        theme, middle = self._theme, rect.center().y() + 2.5
        font = theme.font(Face.SMALL_STRONG)
        left = float(rect.left() + PAD)
        ink = theme.color(_HEAD_TONES.get(head.group.value, "text2"))
        left += marks.draw_line(painter, font, ink, QPointF(left, middle), group_words(head.group)) + 6
        left += marks.draw_line(painter, font, theme.color("text3"), QPointF(left, middle), str(head.count)) + 10
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(QPointF(left, middle), QPointF(rect.right() - PAD, middle))

    def _ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, self._theme.color("accent_soft"))
            if state & QStyle.StateFlag.State_HasFocus:
                painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), self._theme.color("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, self._theme.color("raised"))

    def _entry(self, painter: QPainter, rect: QRect, view: UpcomingView) -> None:
        theme, entry = self._theme, view.entry
        line = theme.metrics(Face.SMALL).height()
        upper, lower = rect.center().y() - line / 2 - 0.5, rect.center().y() + line / 2 + 2.5
        square = QRectF(rect.left() + PAD, rect.center().y() - SQUARE / 2 + 0.5, SQUARE, SQUARE)
        marks.draw_square(painter, theme, square, entry.agent_name, self._agents.identity_of(entry.agent_id))
        left, right = square.right() + 10, float(rect.right() - PAD)
        when = view.when(self._clock)
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
        sign, token = view.sign
        tone = theme.color(token)
        icons.draw(painter, sign, tone, QRectF(left, middle - ICON / 2, ICON, ICON))
        left += ICON + 5
        words = foreign_text.line(view.state, 200)
        strong = theme.font(Face.SMALL_STRONG)
        used = marks.draw_line(painter, strong, tone, QPointF(left, middle), words, right - left)
        left += used + 12
        if view.text and right - left > 60:
            text = foreign_text.line(view.text, 200)
            spot = QPointF(left, middle)
            marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text3"), spot, text, right - left)


class UpcomingList(QListView):
    """One row an entry, under the headings of the groups.

    Attributes:
        opened: Enter or a double click on an entry; carries its chat and its step, which may be None.
    """

    opened = Signal(object, object)

    def __init__(self, context: PaneContext, models: UpcomingModels) -> None:
        super().__init__()
        self._rows = models.rows
        self._clock = models.upcoming.clock
        self._kept: tuple[ChatId, TaskId | None] | None = None
        self._scrolled = 0
        self.setModel(models.rows)
        self.setItemDelegate(_Rows(context, models, self))
        self.setAccessibleName(self.tr("What happens next"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        models.rows.modelAboutToBeReset.connect(self._keep)
        models.rows.modelReset.connect(self._restore)
        self.doubleClicked.connect(self._open)
        ClockedRows(self, self._clock, self._times)
        context.theme.changed.connect(self.viewport().update)
        context.theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    @property
    def current(self) -> UpcomingView | None:
        """The chosen entry."""
        row = self.currentIndex().data(ItemRole)
        return row if isinstance(row, UpcomingView) else None

    def choose(self, key: tuple[ChatId, TaskId | None] | None) -> None:
        """Make an entry current; the first one if there is no such entry."""
        row = self._rows.row_of(key)
        if row < 0 and self._rows.rowCount() > 1:
            row = 1  # below the first heading
        self.setCurrentIndex(self._rows.index(row) if row >= 0 else QModelIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if Qt.Key(event.key()) in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not event.modifiers():
            self._open(self.currentIndex())
            return
        super().keyPressEvent(event)

    def _open(self, index: QModelIndex) -> None:
        row = index.data(ItemRole)
        if isinstance(row, UpcomingView):
            self.opened.emit(*row.key)

    def _times(self, index: QModelIndex) -> tuple[Hashable, Hashable]:
        row = index.data(ItemRole)
        return index.data(KeyRole), row.when(self._clock) if isinstance(row, UpcomingView) else ""

    def _keep(self) -> None:
        self._kept = self.current.key if self.current is not None else None
        self._scrolled = self.verticalScrollBar().value()

    def _restore(self) -> None:
        self.choose(self._kept)
        if self.isVisible():
            self.executeDelayedItemsLayout()
            self.verticalScrollBar().setValue(self._scrolled)
