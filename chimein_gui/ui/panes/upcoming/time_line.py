"""What happens next as a time line: one lane a chat, from now on, under a scale."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from chimein_gui.ui.panes.upcoming.blocks import RANGES_S, Block, Scale, blocks_of
from chimein_gui.ui.panes.upcoming.headed import HeadedView
from chimein_gui.ui.panes.upcoming.lane_rows import AGENT, NAMES, STEPS_S, LaneRows
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole
from chimein_gui.viewmodels.plans.lanes import AgentHead, Lane, LaneOrder

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId, TaskId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.panes.upcoming import UpcomingModels
    from chimein_gui.viewmodels.plans.upcoming_words import UpcomingView

SCALE = 28


class LaneList(HeadedView):
    """The lanes. Up and Down change the lane, Left and Right the step in it; on an agent they fold its lanes.

    Attributes:
        scale_changed: The scale above must be painted again.
    """

    scale_changed = Signal()

    def __init__(self, context: PaneContext, models: UpcomingModels) -> None:
        super().__init__(context, models, models.lanes)
        self._theme, self._lanes = context.theme, models.lanes
        self._step: tuple[ChatId, TaskId | None] | None = None
        self.range_s = RANGES_S[0]
        self.setItemDelegate(LaneRows(context, models, self, self))
        self.setAccessibleName(self.tr("What happens next, by time"))
        self._clock.ticked.connect(self._advance)
        context.models.holds.changed.connect(self.viewport().update)

    @property
    def is_by_agent(self) -> bool:
        """Whether the lanes stand under their agents."""
        return self._lanes.order is LaneOrder.BY_AGENT

    @property
    def current(self) -> UpcomingView | None:
        lane = self.currentIndex().data(ItemRole)
        return lane.views[self._place_in(lane)] if isinstance(lane, Lane) else None

    def choose(self, key: tuple[ChatId, TaskId | None] | None) -> None:
        if key is None or not self.choose_row(("chat", key[0])):
            first = (row for row in range(min(2, self._rows.rowCount())) if self._is_lane(row))
            self.choose_near(next(first, 0))
        self._step = key

    def scale(self) -> Scale:
        """Return where each time is, in px from the leading edge."""
        width = float(self.viewport().width())
        names = min(float(NAMES), width * 0.34)
        return Scale(names, width, self.range_s, self._clock.now())

    def blocks(self, lane: Lane) -> list[Block]:
        """Return what is painted in a lane, from the leading edge."""
        return blocks_of(lane, self.scale(), self._clock, self._theme.metrics(Face.META_STRONG))

    def use(self) -> None:
        head = self.currentIndex().data(ItemRole)
        if isinstance(head, AgentHead):
            self._lanes.fold(head.agent_id, folded=not head.is_folded)
        else:
            super().use()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key not in {Qt.Key.Key_Left, Qt.Key.Key_Right} or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
            return
        forward = (key is Qt.Key.Key_Right) is not self.isRightToLeft()
        row = self.currentIndex().data(ItemRole)
        if isinstance(row, AgentHead):
            self._lanes.fold(row.agent_id, folded=not forward)
        elif isinstance(row, Lane):
            self._move_to(row, self._place_in(row) + (1 if forward else -1))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.data(KeyRole) != previous.data(KeyRole):
            self._step = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        row, x = index.data(ItemRole), event.position().x()
        x = self.viewport().width() - x if self.isRightToLeft() else x
        if isinstance(row, AgentHead) and x < AGENT:
            self.use()
        elif isinstance(row, Lane):
            for block in self.blocks(row):
                if block.left <= x <= block.left + block.width:
                    self._step = block.view.key
            self.update(index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scale_changed.emit()

    def _is_lane(self, row: int) -> bool:
        return isinstance(self._rows.index(row, 0).data(ItemRole), Lane)

    def _place_in(self, lane: Lane) -> int:
        keys = [view.key for view in lane.views]
        return keys.index(self._step) if self._step in keys else 0

    def _move_to(self, lane: Lane, place: int) -> None:
        view = lane.views[max(0, min(len(lane.views) - 1, place))]
        self._step = view.key
        # The lane is one row for screen readers: so the step in it is told as what the list is about.
        self.setAccessibleDescription(view.sentence(self._clock))
        self.update(self.currentIndex())

    def _restore(self) -> None:
        step = self._step
        super()._restore()
        self._step = step

    def _advance(self) -> None:
        """Move everything towards now, as long as that moves it by a visible distance."""
        if self.isVisible():
            self.viewport().update()
            self.scale_changed.emit()


class _Ruler(QWidget):
    """The scale above the lanes: now, and the times of the grid's lines."""

    def __init__(self, theme: Theme, lanes: LaneList, models: UpcomingModels) -> None:
        super().__init__()
        self._theme, self._lanes, self._clock = theme, lanes, models.upcoming.clock
        self.setFixedHeight(SCALE)
        lanes.scale_changed.connect(self.update)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, scale, middle = self._theme, self._lanes.scale(), self.height() / 2
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        painter.fillRect(self.rect(), theme.color("pane"))
        font, metrics = theme.font(Face.META), theme.metrics(Face.META)
        now = self.tr("now {time}").format(time=self._clock.clock(scale.now))
        spot = QPointF(scale.now_x + 6, middle)
        strong = theme.font(Face.META_STRONG)
        end = spot.x() + marks.draw_line(painter, strong, theme.color("accent_text"), spot, now)
        for seconds in range(STEPS_S[scale.range_s], scale.range_s, STEPS_S[scale.range_s]):
            words = self._words(scale, seconds)
            x = scale.x_of(seconds) + 5
            if x > end + 8 and x + metrics.horizontalAdvance(words) < scale.right:
                end = x + marks.draw_line(painter, font, theme.color("text2"), QPointF(x, middle), words)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        x, low = scale.now_x, float(self.height())
        painter.drawPolygon([QPointF(x - 5, low - 8), QPointF(x + 5, low - 8), QPointF(x, low)])
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(QPointF(0, low - 0.5), QPointF(self.width(), low - 0.5))
        painter.end()

    def _words(self, scale: Scale, seconds: int) -> str:
        if scale.range_s == RANGES_S[0]:
            return self.tr("+{n} min").format(n=seconds // 60)
        return self._clock.clock(scale.now + timedelta(seconds=seconds))


class TimeLine(QWidget):
    """The scale and the lanes."""

    def __init__(self, context: PaneContext, models: UpcomingModels) -> None:
        super().__init__()
        self.lanes = LaneList(context, models)
        ruler = _Ruler(context.theme, self.lanes, models)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(ruler)
        column.addWidget(self.lanes, 1)
        self.setFocusProxy(self.lanes)

    def show_range(self, seconds: int) -> None:
        """Show this many seconds from now on, one of `RANGES_S`."""
        self.lanes.range_s = seconds
        self.lanes.viewport().update()
        self.lanes.scale_changed.emit()
