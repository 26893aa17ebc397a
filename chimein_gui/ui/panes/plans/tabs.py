"""The earlier plans of a chat as a row of tabs, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.marks import draw_line
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.core.roles import ItemRole, KeyRole
from chimein_gui.viewmodels.plans.plan_words import ICONS, TONES, end_word, when_words

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF

    from chimein_gui.domain.ids import GraphId
    from chimein_gui.domain.plans.details import PlanDetails
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.plans.history import PlanHistoryModel

PAD, GAP, ICON, ABOVE = 10, 6, 14, 12


class _Tabs(QStyledItemDelegate):
    """Paints a plan: its time, and how it ended as icon and word."""

    def __init__(self, theme: Theme, clock: ClockFace, view: PlanTabs) -> None:
        super().__init__(view)
        self._theme, self._clock = theme, clock

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        plan: PlanDetails = index.data(ItemRole)
        time = self._theme.metrics(Face.SMALL_STRONG).horizontalAdvance(when_words(plan.graph.created_at, self._clock))
        word = self._theme.metrics(Face.SMALL).horizontalAdvance(end_word(plan.end))
        return QSize(round(time + word) + ICON + 2 * GAP + 2 * PAD + 4, tab_height(self._theme))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        plan: PlanDetails = index.data(ItemRole)
        theme = self._theme
        box = QRectF(option.rect).adjusted(2.5, 2.5, -2.5, -2.5)
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent_soft" if is_chosen else "raised"))
            painter.drawRoundedRect(box, 6, 6)
        if is_chosen and option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(theme.color("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, 6, 6)
        self._paint_words(painter, box, plan, is_chosen=is_chosen)
        painter.restore()

    def _paint_words(self, painter: QPainter, box: QRectF, plan: PlanDetails, *, is_chosen: bool) -> None:
        theme, tone = self._theme, self._theme.color(TONES.get(plan.end, "text2"))
        spot = box.center()
        time, word = when_words(plan.graph.created_at, self._clock), end_word(plan.end)
        widths = (theme.metrics(Face.SMALL_STRONG).horizontalAdvance(time), ICON)
        ink = theme.color("text1" if is_chosen else "text2")

        def at(offset: float, width: float) -> QPointF:
            left = box.left() + PAD - 2 + offset
            spot.setX(box.left() + box.right() - left - width if self._is_mirrored() else left)
            return spot

        draw_line(painter, theme.font(Face.SMALL_STRONG), ink, at(0, widths[0]), time)
        begin = at(widths[0] + GAP, ICON)
        icons.draw(painter, ICONS[plan.end], tone, QRectF(begin.x(), begin.y() - ICON / 2, ICON, ICON))
        width = theme.metrics(Face.SMALL).horizontalAdvance(word)
        draw_line(painter, theme.font(Face.SMALL), tone, at(widths[0] + ICON + 2 * GAP, width), word)

    def _is_mirrored(self) -> bool:
        view = self.parent()
        return isinstance(view, QListView) and view.isRightToLeft()


def tab_height(theme: Theme) -> int:
    """Return the height of a tab, px."""
    return round(theme.metrics(Face.SMALL_STRONG).height()) + ABOVE


class PlanTabs(SpokenListView):
    """One tab an earlier plan; the arrow keys walk along them.

    Attributes:
        chosen: Another plan was chosen; carries its id.
    """

    chosen = Signal(object)

    def __init__(self, theme: Theme, clock: ClockFace, model: PlanHistoryModel) -> None:
        super().__init__()
        self._theme, self._history = theme, model
        self._is_quiet = False
        self.setModel(model)
        self.setItemDelegate(_Tabs(theme, clock, self))
        self.setAccessibleName(self.tr("Earlier plans"))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setHorizontalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self._fit)
        self._fit()

    def select_plan(self, graph_id: GraphId | None) -> None:
        """Show which plan is chosen, without a signal; None for no earlier one."""
        rows = range(self._history.rowCount())
        found = (self._history.index(row) for row in rows if self._history.index(row).data(KeyRole) == graph_id)
        index = next(found, QModelIndex())
        self._is_quiet = True
        self.setCurrentIndex(index)
        if not index.isValid():
            self.clearSelection()
        self._is_quiet = False

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        if not self._is_quiet and selected.indexes():
            self.chosen.emit(selected.indexes()[0].data(KeyRole))

    def _fit(self) -> None:
        self.setFixedHeight(tab_height(self._theme) + 2)
        self.scheduleDelayedItemsLayout()
