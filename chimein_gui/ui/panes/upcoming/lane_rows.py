"""How the lanes of the time line and the heads of their agents are painted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from chimein_gui.ui.panes.upcoming.blocks import RANGES_S, Block, Scale
from chimein_gui.ui.panes.upcoming.headed import HeadedDelegate, HeadedView
from chimein_gui.ui.widgets.surfaces.health import agent_label
from chimein_gui.ui.widgets.surfaces.trust import trust_icon
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.plans.lanes import AgentHead, Lane

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.panes.upcoming import UpcomingModels
    from chimein_gui.viewmodels.plans.upcoming_words import UpcomingView

LANE, HEAD, NAMES, PAD, AGENT = 42, 34, 286, 12, 28
BLOCK, ICON = 22, 14
STEPS_S = {RANGES_S[0]: 180, RANGES_S[1]: 1800, RANGES_S[2]: 4 * 3600}
"""Distance of the grid's lines, in seconds."""


class Lanes(Protocol):
    """What a view knows of its lanes."""

    @property
    def is_by_agent(self) -> bool:
        """Whether the lanes stand under their agents."""
        ...

    @property
    def current(self) -> UpcomingView | None:
        """The chosen entry."""
        ...

    def scale(self) -> Scale:
        """Return where each time is, in px from the leading edge."""
        ...

    def blocks(self, lane: Lane) -> list[Block]:
        """Return what is painted in a lane, from the leading edge."""
        ...


class LaneRows(HeadedDelegate):
    """Paints a lane with its blocks, or the head of an agent."""

    def __init__(self, context: PaneContext, models: UpcomingModels, view: HeadedView, lanes: Lanes) -> None:
        super().__init__(context, view)
        self._view, self._holds, self._clock = lanes, context.models.holds, models.upcoming.clock

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        line = round(self._theme.metrics(Face.SMALL).height())
        return QSize(200, max(HEAD if isinstance(index.data(ItemRole), AgentHead) else LANE, line + 16))

    def paint_row(self, painter: QPainter, rect: QRect, row: object, state: QStyle.StateFlag) -> None:
        if isinstance(row, AgentHead):
            self._head(painter, rect, row, state)
        elif isinstance(row, Lane):
            self._lane(painter, rect, row, state)
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())

    def _head(self, painter: QPainter, rect: QRect, head: AgentHead, state: QStyle.StateFlag) -> None:
        theme, middle = self._theme, rect.center().y() + 0.5
        painter.fillRect(rect, theme.color("window"))
        self.paint_ground(painter, rect, state)
        caret = "caret-right" if head.is_folded else "caret-down"
        icons.draw(painter, caret, theme.color("text3"), QRectF(rect.left() + PAD, middle - 6, 12, 12))
        square = QRectF(rect.left() + AGENT, middle - 11, 22, 22)
        marks.draw_square(painter, theme, square, head.name, self._agents.identity_of(head.agent_id))
        spot = QPointF(square.right() + 9, middle)
        name = foreign_text.name(head.name)
        used = marks.draw_line(painter, theme.font(Face.STRONG), theme.color("text1"), spot, name, NAMES - 60.0)
        right = spot.x() + used + 14
        agent = self._agents.find(head.agent_id)
        if agent is not None:
            status = agent_label(agent, self._holds, self._clock)
            right = marks.draw_mark(painter, theme, QPointF(right, middle), status, theme.color(status.token)) + 14
        if head.is_folded:
            small, words = theme.font(Face.META), self.tr("chats: {n}").format(n=head.count)
            marks.draw_line(painter, small, theme.color("text3"), QPointF(right, middle), words)

    def _lane(self, painter: QPainter, rect: QRect, lane: Lane, state: QStyle.StateFlag) -> None:
        theme, scale, entry = self._theme, self._view.scale(), lane.views[0].entry
        is_chosen = bool(state & QStyle.StateFlag.State_Selected)
        self.paint_ground(painter, rect, state)
        middle = rect.center().y() + 0.5
        trust = trust_icon(entry.trust)
        trust_left = scale.left - PAD - marks.mark_width(theme, trust.word)
        ink = theme.color("info" if trust.token == "info" else "text2")
        marks.draw_mark(painter, theme, QPointF(trust_left, middle), trust, ink)
        left = float(rect.left() + AGENT + 31)
        if not self._view.is_by_agent:
            square = QRectF(rect.left() + AGENT, middle - 11, 22, 22)
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
        for seconds in range(0, scale.range_s, STEPS_S[scale.range_s]):
            x = round(scale.x_of(seconds)) + 0.5
            painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()))
        painter.drawLine(QPointF(scale.left, rect.top()), QPointF(scale.left, rect.bottom()))

    def _block(self, painter: QPainter, block: Block, middle: float, *, is_chosen: bool) -> None:
        theme = self._theme
        if block.waits is not None:
            draw_wait(painter, theme, *block.waits, middle)
        if block.types is not None:
            begin, end = block.types
            draw_typing(painter, theme, QRectF(begin, middle - 7, max(4.0, end - begin), 14))
        if block.hatched is not None:
            begin, end = block.hatched
            draw_hatched(painter, theme, QRectF(begin, middle - BLOCK / 2, end - begin, BLOCK))
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


def draw_wait(painter: QPainter, theme: Theme, begin: float, end: float, middle: float) -> None:
    """Paint the dashes that stand for a wait, from one place to another, px."""
    painter.setPen(QPen(theme.color("text3"), 1.5, Qt.PenStyle.DashLine))
    painter.drawLine(QPointF(begin, middle), QPointF(end, middle))


def draw_typing(painter: QPainter, theme: Theme, bar: QRectF) -> None:
    """Paint the bar that stands for the time of typing."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("track"))
    painter.drawRoundedRect(bar, 3, 3)


def draw_hatched(painter: QPainter, theme: Theme, bar: QRectF) -> None:
    """Paint a bar that stands for a wait of Telegram's."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("info_soft"))
    painter.drawRoundedRect(bar, 4, 4)
    painter.setBrush(QBrush(theme.color("info"), Qt.BrushStyle.BDiagPattern))
    painter.setOpacity(0.45)
    painter.drawRoundedRect(bar, 4, 4)
    painter.setOpacity(1.0)
