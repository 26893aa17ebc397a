"""What happens next as a time line: one lane a chat, from now on, under a scale."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from chimein_gui.ui.panes.upcoming.blocks import Block, Scale, blocks_of
from chimein_gui.ui.widgets.surfaces.health import health_sign
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout, mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.plans.lanes import AgentHead, Lane
from chimein_gui.viewmodels.words.trust import trust_word

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId, TaskId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.panes.upcoming import UpcomingModels
    from chimein_gui.viewmodels.plans.upcoming_words import UpcomingView

RANGES_S = (15 * 60, 2 * 3600, 24 * 3600)
"""The lengths of the time line that can be chosen, in seconds."""

LANE, HEAD, NAMES, PAD, SCALE = 42, 34, 286, 14, 28
BLOCK, ICON = 22, 14
_STEPS_S = {RANGES_S[0]: 180, RANGES_S[1]: 1800, RANGES_S[2]: 4 * 3600}
"""Distance of the grid's lines, in seconds."""


class _Lanes(QStyledItemDelegate):
    """Paints a lane with its blocks, or the head of an agent."""

    def __init__(self, context: PaneContext, models: UpcomingModels, view: LaneList) -> None:
        super().__init__(view)
        self._theme, self._agents, self._view = context.theme, context.models.agents, view
        self._models = models

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        line = round(self._theme.metrics(Face.SMALL).height())
        return QSize(200, max(HEAD if isinstance(index.data(ItemRole), AgentHead) else LANE, line + 16))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row, rect = index.data(ItemRole), QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.direction is Qt.LayoutDirection.RightToLeft:
            mirror(painter, rect)
        if isinstance(row, AgentHead):
            self._head(painter, rect, row)
        elif isinstance(row, Lane):
            self._lane(painter, rect, row, option.state)
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.restore()

    def _head(self, painter: QPainter, rect: QRect, head: AgentHead) -> None:
        theme, middle = self._theme, rect.center().y() + 0.5
        painter.fillRect(rect, theme.color("window"))
        square = QRectF(rect.left() + PAD, middle - 11, 22, 22)
        marks.draw_square(painter, theme, square, head.name, self._agents.identity_of(head.agent_id))
        spot = QPointF(square.right() + 9, middle)
        name = foreign_text.name(head.name)
        used = marks.draw_line(painter, theme.font(Face.STRONG), theme.color("text1"), spot, name, NAMES - 60.0)
        agent = self._agents.find(head.agent_id)
        if agent is not None:
            sign = health_sign(agent, self._models.upcoming.clock)
            spot = QPointF(spot.x() + used + 14, middle)
            marks.draw_mark(painter, theme, spot, sign, theme.color(sign.token))

    def _lane(self, painter: QPainter, rect: QRect, lane: Lane, state: QStyle.StateFlag) -> None:
        theme, scale, entry = self._theme, self._view.scale(), lane.views[0].entry
        is_chosen = bool(state & QStyle.StateFlag.State_Selected)
        if is_chosen:
            painter.fillRect(rect, theme.color("accent_soft"))
            if state & QStyle.StateFlag.State_HasFocus:
                painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        middle = rect.center().y() + 0.5
        trust = trust_word(entry.trust)
        small = theme.metrics(Face.META)
        trust_left = scale.left - PAD - small.horizontalAdvance(trust)
        marks.draw_line(painter, theme.font(Face.META), theme.color("text2"), QPointF(trust_left, middle), trust)
        left = float(rect.left() + PAD + 31)
        if not self._view.is_by_agent:
            square = QRectF(rect.left() + PAD, middle - 11, 22, 22)
            marks.draw_square(painter, theme, square, entry.agent_name, self._agents.identity_of(entry.agent_id))
        title = foreign_text.name(entry.chat_title)
        ink = theme.color("text1")
        room = trust_left - left - 10
        marks.draw_line(painter, theme.font(Face.SMALL_STRONG), ink, QPointF(left, middle), title, room)
        self._grid(painter, rect, scale)
        chosen = self._view.current if is_chosen else None
        painter.setClipRect(QRectF(scale.left, rect.top(), scale.right - scale.left, rect.height()))
        for block in self._view.blocks(lane):
            self._block(painter, block, middle, is_chosen=chosen is not None and chosen.key == block.view.key)
        painter.setPen(QPen(theme.color("accent"), 2))
        painter.drawLine(QPointF(scale.now_x, rect.top()), QPointF(scale.now_x, rect.bottom()))
        painter.setClipping(False)

    def _grid(self, painter: QPainter, rect: QRect, scale: Scale) -> None:
        painter.setPen(QPen(self._theme.color("line"), 1))
        for seconds in range(0, scale.range_s, _STEPS_S[scale.range_s]):
            x = round(scale.x_of(seconds)) + 0.5
            painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()))
        painter.drawLine(QPointF(scale.left, rect.top()), QPointF(scale.left, rect.bottom()))

    def _block(self, painter: QPainter, block: Block, middle: float, *, is_chosen: bool) -> None:
        theme = self._theme
        if block.waits is not None:
            painter.setPen(QPen(theme.color("text3"), 1.5, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(block.waits[0], middle), QPointF(block.waits[1], middle))
        if block.types is not None:
            begin, end = block.types
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("track"))
            painter.drawRoundedRect(QRectF(begin, middle - 7, max(4.0, end - begin), 14), 3, 3)
        if block.hatched is not None:
            begin, end = block.hatched
            _draw_hatched(painter, theme, QRectF(begin, middle - BLOCK / 2, end - begin, BLOCK))
        self._label(painter, block, middle, is_chosen=is_chosen)

    def _label(self, painter: QPainter, block: Block, middle: float, *, is_chosen: bool) -> None:
        theme, look = self._theme, block.look
        pill = QRectF(block.left, middle - BLOCK / 2, block.width, BLOCK)
        ring = QPen(theme.color("accent"), 2) if is_chosen else None
        if look.ground or look.line:
            pen = QPen(theme.color(look.line), 1) if look.line else QPen(Qt.PenStyle.NoPen)
            if look.is_dashed:
                pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.setBrush(theme.color(look.ground) if look.ground else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(pill.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        if ring is not None:
            painter.setPen(ring)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(pill.adjusted(-1, -1, 1, 1), 6, 6)
        ink = theme.color(look.ink)
        icons.draw(painter, block.icon, ink, QRectF(pill.left() + 6, middle - ICON / 2, ICON, ICON))
        spot = QPointF(pill.left() + ICON + 11, middle)
        room = pill.width() - ICON - 17
        marks.draw_line(painter, theme.font(Face.META_STRONG), ink, spot, block.words, room)


def _draw_hatched(painter: QPainter, theme: Theme, bar: QRectF) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("info_soft"))
    painter.drawRoundedRect(bar, 4, 4)
    painter.setBrush(QBrush(theme.color("info"), Qt.BrushStyle.BDiagPattern))
    painter.setOpacity(0.45)
    painter.drawRoundedRect(bar, 4, 4)
    painter.setOpacity(1.0)


class BlockLegend(QWidget):
    """What filled, dashed and hatched mean; what does not fit is left out from the end."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._is_shown = theme, True
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        theme.changed.connect(self.update)

    def show_signs(self, *, shown: bool) -> None:
        """Show or hide the signs; the room for them stays."""
        self._is_shown = shown
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._is_shown:
            return
        theme, middle, left = self._theme, self.height() / 2, 8.0
        words = (self.tr("leaves by itself"), self.tr("only if you decide"), self.tr("Telegram's wait"))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        for place, word in enumerate(words):
            if left + 32 + theme.metrics(Face.META).horizontalAdvance(word) > self.width():
                break
            swatch = QRectF(left, middle - 6.5, 22, 13)
            if place == 2:
                _draw_hatched(painter, theme, swatch)
            else:
                filled = QPen(Qt.PenStyle.NoPen), theme.color("accent")
                dashed = QPen(theme.color("text2"), 1, Qt.PenStyle.DashLine), Qt.GlobalColor.transparent
                pen, ground = dashed if place else filled
                painter.setPen(pen)
                painter.setBrush(ground)
                painter.drawRoundedRect(swatch.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
            spot = QPointF(left + 29, middle)
            left = spot.x() + marks.draw_line(painter, theme.font(Face.META), theme.color("text2"), spot, word) + 16
        painter.end()


class LaneList(QListView):
    """The lanes. Up and Down change the lane, Left and Right the step in it, Enter opens it.

    Attributes:
        opened: Enter or a double click; carries the chat and the step, which may be None.
        scale_changed: The scale above must be painted again.
    """

    opened = Signal(object, object)
    scale_changed = Signal()

    def __init__(self, context: PaneContext, models: UpcomingModels) -> None:
        super().__init__()
        self._theme, self._models = context.theme, models
        self._clock = models.upcoming.clock
        self._place = 0
        self._kept: tuple[ChatId, TaskId | None] | None = None
        self.range_s = RANGES_S[0]
        self.setModel(models.lanes)
        self.setItemDelegate(_Lanes(context, models, self))
        self.setAccessibleName(self.tr("What happens next, by time"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        models.lanes.modelAboutToBeReset.connect(self._keep)
        models.lanes.modelReset.connect(lambda: self.choose(self._kept))
        self._clock.ticked.connect(self._advance)
        context.theme.changed.connect(self.viewport().update)
        context.theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    @property
    def is_by_agent(self) -> bool:
        """Whether the lanes stand under their agents."""
        return isinstance(self.model().index(0, 0).data(ItemRole), AgentHead)

    @property
    def current(self) -> UpcomingView | None:
        """The chosen entry."""
        lane = self.currentIndex().data(ItemRole)
        return lane.views[min(self._place, len(lane.views) - 1)] if isinstance(lane, Lane) else None

    def choose(self, key: tuple[ChatId, TaskId | None] | None) -> None:
        """Choose an entry; the first lane if there is no such entry."""
        row = self._models.lanes.row_of(key[0]) if key is not None else -1
        if row < 0:
            row = next((one for one in range(min(2, self.model().rowCount())) if self._is_lane(one)), -1)
        index = self.model().index(row, 0) if row >= 0 else QModelIndex()
        self.setCurrentIndex(index)
        lane = index.data(ItemRole)
        keys = [view.key for view in lane.views] if isinstance(lane, Lane) else []
        self._place = keys.index(key) if key in keys else 0

    def scale(self) -> Scale:
        """Return where each time is, in px from the leading edge."""
        width = float(self.viewport().width())
        names = min(float(NAMES), width * 0.34)
        return Scale(names, width, self.range_s, self._clock.now())

    def blocks(self, lane: Lane) -> list[Block]:
        """Return what is painted in a lane, from the leading edge."""
        return blocks_of(lane, self.scale(), self._clock, self._theme.metrics(Face.META_STRONG))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key in {Qt.Key.Key_Left, Qt.Key.Key_Right}:
            forward = (key is Qt.Key.Key_Right) is not self.isRightToLeft()
            self._step(1 if forward else -1)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._open()
        else:
            super().keyPressEvent(event)

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().currentChanged(current, previous)
        self._place = 0

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        lane = self.currentIndex().data(ItemRole)
        if isinstance(lane, Lane):
            x = event.position().x()
            x = self.viewport().width() - x if self.isRightToLeft() else x
            for block in self.blocks(lane):
                if block.left <= x <= block.left + block.width:
                    self._place = lane.views.index(block.view)
            self.update(self.currentIndex())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        if self.indexAt(event.position().toPoint()) == self.currentIndex():
            self._open()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scale_changed.emit()

    def _is_lane(self, row: int) -> bool:
        return isinstance(self.model().index(row, 0).data(ItemRole), Lane)

    def _step(self, by: int) -> None:
        lane = self.currentIndex().data(ItemRole)
        if isinstance(lane, Lane):
            self._place = max(0, min(len(lane.views) - 1, self._place + by))
            # The lane is one row for screen readers: so the step in it is told as what the list is about.
            self.setAccessibleDescription(lane.views[self._place].sentence(self._clock))
            self.update(self.currentIndex())

    def _open(self) -> None:
        if self.current is not None:
            self.opened.emit(*self.current.key)

    def _keep(self) -> None:
        self._kept = self.current.key if self.current is not None else None

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
        for seconds in range(_STEPS_S[scale.range_s], scale.range_s, _STEPS_S[scale.range_s]):
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
    """The scale and the lanes.

    Attributes:
        opened: As in `LaneList`.
    """

    opened = Signal(object, object)

    def __init__(self, context: PaneContext, models: UpcomingModels) -> None:
        super().__init__()
        self.lanes = LaneList(context, models)
        ruler = _Ruler(context.theme, self.lanes, models)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(ruler)
        column.addWidget(self.lanes, 1)
        self.lanes.opened.connect(self.opened)
        self.setFocusProxy(self.lanes)

    def show_range(self, seconds: int) -> None:
        """Show this many seconds from now on, one of `RANGES_S`."""
        self.lanes.range_s = seconds
        self.lanes.viewport().update()
        self.lanes.scale_changed.emit()
