"""The lists of the Review tab: what waits, and what was decided today."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate

from chimein_gui.domain.memory.proposals import Choice, Flag, Proposal, ProposalDetails, ProposalState
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.surfaces.surface import soft_ground
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_row, row_state
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.memory.review_words import chips_words

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.theme.theme import Theme

PAD, STRIPE, LEFT = 12.0, 3.0, 24.0
CHIP_PAD, CHIP_ICON = 6.0, 12.0

SIGNS = {
    Choice.ACCEPT: ("ok-circle", "ok"),
    Choice.MERGE: ("layers", "info"),
    Choice.REJECT: ("x-circle", "text2"),
    Choice.NEVER: ("block", "danger"),
    Choice.NEVER_CHAT: ("block", "danger"),
}


def chips_of(item: ProposalDetails) -> tuple[IconLabel, ...]:
    """Return the chips of a row: icon, words, colour."""
    looks = []
    if item.proposal.state is ProposalState.STALE:
        looks.append(("refresh", "attention"))
    if Flag.ORDER in item.proposal.flags:
        looks.append(("shield", "danger"))
    if Flag.SENSITIVE in item.proposal.flags:
        looks.append(("lock", "danger"))
    if item.nearest is not None:
        looks.append(("layers", "attention"))
    looks = looks or [("plus", "ok")]
    return tuple(IconLabel(icon, words, token) for (icon, token), words in zip(looks, chips_words(item), strict=True))


def draw_chip(painter: QPainter, theme: Theme, left: float, middle: float, chip: IconLabel, room: float) -> float:
    """Paint a chip; returns its width, 0 if there is no room for it."""
    metrics = theme.metrics(Face.META_STRONG)
    words = elided(metrics, chip.word, max(0.0, room - 2 * CHIP_PAD - CHIP_ICON - 4))
    width = 2 * CHIP_PAD + CHIP_ICON + 4 + metrics.horizontalAdvance(words)
    if width > room:
        return 0.0
    height = metrics.height() + 4
    rect, ink = QRectF(left, middle - height / 2, width, height), theme.color(chip.token)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(soft_ground(chip.token)))
    painter.drawRoundedRect(rect, 4, 4)
    icons.draw(painter, chip.icon, ink, QRectF(left + CHIP_PAD, middle - CHIP_ICON / 2, CHIP_ICON, CHIP_ICON))
    marks.draw_line(painter, theme.font(Face.META_STRONG), ink, QPointF(left + CHIP_PAD + CHIP_ICON + 4, middle), words)
    return width


class _OpenDelegate(QStyledItemDelegate):
    """The text with its time, and below it the chips, the agent and the chat."""

    def __init__(self, context: PaneContext, view: QListView) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        lines = self._theme.metrics(Face.BODY).height() + self._theme.metrics(Face.META_STRONG).height()
        return QSize(120, max(56, round(lines + 24)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        item = index.data(ItemRole)
        if not isinstance(item, ProposalDetails):
            return
        rect, theme, one = QRectF(option.rect).adjusted(4, 1, -4, -1), self._theme, item.proposal
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        draw_row(
            painter, colours_of(theme, Role.ROW, row_state(option.state.value, focused=self._view.hasFocus())), rect
        )
        agents = self._context.models.agents
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.identity(agents.identity_of(one.agent_id)))
        painter.drawRoundedRect(QRectF(rect.left() + 6, rect.top() + 8, STRIPE, rect.height() - 16), 1.5, 1.5)
        left, right = rect.left() + LEFT - 4, rect.right() - PAD
        upper = rect.top() + 8 + theme.metrics(Face.BODY).height() / 2
        lower = rect.bottom() - 9 - theme.metrics(Face.META_STRONG).height() / 2
        time = self._context.models.clock.stamp(one.created_at)
        width = theme.metrics(Face.SMALL).horizontalAdvance(time)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(right - width, upper), time)
        words = foreign_text.line(one.text)
        marks.draw_line(
            painter, theme.font(Face.BODY), theme.color("text1"), QPointF(left, upper), words, right - width - 8 - left
        )
        for chip in chips_of(item):
            drawn = draw_chip(painter, theme, left, lower, chip, (right - left) * 0.7)
            left += drawn + 6 if drawn else 0
        agent = next((it.spec.name for it in agents.items() if it.agent_id == one.agent_id), "")
        names = f"{foreign_text.name(agent).split(' ')[0]} → {foreign_text.name(item.chat_title)}"
        marks.draw_line(
            painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(left, lower), names, right - left
        )
        painter.restore()


class _DecidedDelegate(QStyledItemDelegate):
    """What was decided, as an icon; the text and the time."""

    def __init__(self, context: PaneContext, view: QListView) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, max(26, round(self._theme.metrics(Face.SMALL).height() + 10)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        one = index.data(ItemRole)
        if not isinstance(one, Proposal) or one.decision is None:
            return
        rect, theme = QRectF(option.rect), self._theme
        painter.save()
        if self._view.isRightToLeft():
            mirror(painter, rect)
        draw_row(
            painter, colours_of(theme, Role.ROW, row_state(option.state.value, focused=self._view.hasFocus())), rect
        )
        middle = rect.center().y()
        icon, token = SIGNS[one.decision.choice]
        icons.draw(painter, icon, theme.color(token), QRectF(rect.left() + PAD, middle - 7, 14, 14))
        time = self._context.models.clock.clock(one.decision.at)
        right = rect.right() - PAD - theme.metrics(Face.SMALL).horizontalAdvance(time)
        font = theme.font(Face.SMALL)
        marks.draw_line(painter, font, theme.color("text2"), QPointF(right, middle), time)
        left = rect.left() + PAD + 22
        words = foreign_text.line(one.decision.text or one.text)
        marks.draw_line(painter, font, theme.color("text2"), QPointF(left, middle), words, right - left - 8)
        painter.restore()


class ProposalList(SpokenListView):
    """One of the two lists."""

    def __init__(self, context: PaneContext, model: QAbstractItemModel, name: str, *, is_open: bool) -> None:
        super().__init__()
        speak_rows_only(self)
        self.setModel(model)
        make_selected_current(self)
        self.setItemDelegate(_OpenDelegate(context, self) if is_open else _DecidedDelegate(context, self))
        self.setAccessibleName(name)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        context.theme.changed.connect(self.viewport().update)
        context.theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the current row in view when the list becomes lower."""
        was_in_view = self.visualRect(self.currentIndex()).intersects(QRect(QPoint(), event.oldSize()))
        super().resizeEvent(event)
        if was_in_view:
            self.scrollTo(self.currentIndex())

    @property
    def current(self) -> object:
        """The current row's item, or None."""
        return self.currentIndex().data(ItemRole) if self.currentIndex().isValid() else None

    def step(self, by: int) -> None:
        """Go to the next row, or the one before."""
        row = min(max(self.currentIndex().row() + by, 0), self.model().rowCount() - 1)
        if row >= 0:
            self.setCurrentIndex(self.model().index(row, 0))
