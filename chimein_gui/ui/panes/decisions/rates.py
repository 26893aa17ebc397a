"""How often drafts were edited: a small table of agents with their busiest chats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPointF, QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListView, QVBoxLayout, QWidget

from chimein_gui.domain.plans.decision_log import DecisionShare
from chimein_gui.ui.panes.decisions.rows import FIGURE_WIDTH, PAD, RateDelegate, figures_of
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_words, speak_rows_only
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import Index, ItemRole
from chimein_gui.viewmodels.core.sanitize import spoken

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPainter

    from chimein_gui.ui.pane import PaneContext


class _RateList(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.shares: tuple[DecisionShare, ...] = ()

    def put(self, shares: tuple[DecisionShare, ...]) -> None:
        if shares != self.shares:
            self.beginResetModel()
            self.shares = shares
            self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.shares)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        one = self.shares[index.row()]
        if role == ItemRole:
            return one
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            by_you, by_rule, rate = figures_of(one)
            who = spoken(one.chat_title) if one.chat_id is not None else spoken(one.agent_name)
            return self.tr("{who}: {by_you} by you, {by_rule} by a rule, edit rate {rate}").format(
                who=who, by_you=by_you, by_rule=by_rule, rate=rate
            )
        return None


class _RateHead(Surface):
    """The names of the columns."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme, "pane", bottom_line="line")
        self._title = self.tr("Edit rate, 30 days")
        self._columns = (self.tr("By you"), self.tr("By rule"), self.tr("Edited"))
        speak_as_words(self)
        self.setAccessibleName(self._title)

    def sizeHint(self) -> QSize:
        return QSize(200, max(30, round(self._theme.metrics(Face.META_STRONG).height() * 2)))

    def paint_contents(self, painter: QPainter) -> None:
        theme, middle = self._theme, self.height() / 2
        follow_layout(painter, self)
        metrics, width = theme.metrics(Face.META), FIGURE_WIDTH * theme.percent / 100
        for place, words in enumerate(reversed(self._columns)):
            shown = elided(metrics, words, width - 6)
            right = self.width() - PAD - place * width - metrics.horizontalAdvance(shown)
            marks.draw_line(painter, theme.font(Face.META), theme.color("text3"), QPointF(right, middle), shown)
        room = self.width() - 2 * PAD - len(self._columns) * width - 6
        font, ink = theme.font(Face.SMALL_STRONG), theme.color("text2")
        marks.draw_line(painter, font, ink, QPointF(PAD, middle), self._title, room)


class _List(SpokenListView):
    """Return filters the log by the current row."""

    entered = Signal(object)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit(self.currentIndex().data(ItemRole))
        else:
            super().keyPressEvent(event)


class RateTable(QWidget):
    """The table; a click on a row, or Return, filters the log.

    Attributes:
        chosen: A row was chosen; carries its `DecisionShare`.
    """

    chosen = Signal(object)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._model = _RateList()
        self.list = _List()
        self._head = _RateHead(context)
        view = self.list
        speak_rows_only(view)
        view.setModel(self._model)
        view.setItemDelegate(RateDelegate(context, view))
        view.setAccessibleName(self.tr("Edit rate of agents and chats"))
        view.setFrameShape(QListView.Shape.NoFrame)
        view.setMouseTracking(True)
        view.setUniformItemSizes(True)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.entered.connect(self._enter)
        view.clicked.connect(lambda index: self._enter(index.data(ItemRole)))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(view, 1)
        context.theme.changed.connect(view.viewport().update)
        context.theme.fonts_changed.connect(view.scheduleDelayedItemsLayout)

    def show_shares(self, shares: tuple[DecisionShare, ...]) -> None:
        """Set the rows."""
        self._model.put(shares)

    def _enter(self, one: object) -> None:
        if isinstance(one, DecisionShare):
            self.chosen.emit(one)
