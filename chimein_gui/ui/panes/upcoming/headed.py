"""What the list and the time line have in common: rows under heads, their keys, and how they are painted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from chimein_gui.ui.requests import ShowDraft, ShowPlan
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.list_window import ListWindow
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole
from chimein_gui.viewmodels.plans.upcoming_words import UpcomingView

if TYPE_CHECKING:
    from collections.abc import Hashable

    from chimein_gui.domain.ids import ChatId, TaskId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.panes.upcoming import UpcomingModels
    from chimein_gui.viewmodels.plans.headed_rows import HeadedRows

_UP = {QAbstractItemView.CursorAction.MoveUp, QAbstractItemView.CursorAction.MovePrevious}


class HeadedDelegate(QStyledItemDelegate):
    """Paints rows in reading direction; a subclass paints what is on them."""

    def __init__(self, context: PaneContext, view: HeadedView) -> None:
        super().__init__(view)
        self._theme, self._agents = context.theme, context.models.agents

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect = QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.direction is Qt.LayoutDirection.RightToLeft:
            mirror(painter, rect)
        self.paint_row(painter, rect, index.data(ItemRole), option.state)
        painter.restore()

    def paint_row(self, painter: QPainter, rect: QRect, row: object, state: QStyle.StateFlag) -> None:
        """Paint a head or an entry; the leading edge is at the left."""
        raise NotImplementedError

    def paint_ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        """Paint the ground of a row that is chosen, has the focus, or is under the pointer."""
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, self._theme.color("accent_soft"))
            if state & QStyle.StateFlag.State_HasFocus:
                painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), self._theme.color("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, self._theme.color("raised"))


class HeadedView(SpokenListView):
    """Enter and Space open the chosen step, A the card on which is decided; J and K move.

    The chosen entry and the rows in sight stay where they are while other rows come and go.
    """

    def __init__(self, context: PaneContext, models: UpcomingModels, rows: HeadedRows) -> None:
        super().__init__()
        self._requests, self._rows, self._clock = context.requests, rows, models.upcoming.clock
        self._kept: Hashable = None
        self._kept_row = 0
        self._window = ListWindow(self, rows)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        speak_rows_only(self)
        self.setModel(rows)
        make_selected_current(self)
        self.doubleClicked.connect(lambda index: self.use() if index == self.currentIndex() else None)
        rows.about_to_move.connect(self._keep)
        rows.moved.connect(self._restore)
        actions = {"A": self._decide, "J": lambda: self._move_by(1), "K": lambda: self._move_by(-1)}
        SingleKeyShortcuts(actions, self, context.models.single_keys).watch(self)
        context.theme.changed.connect(self.viewport().update)
        context.theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    @property
    def current(self) -> UpcomingView | None:
        """The chosen entry."""
        raise NotImplementedError

    def choose(self, key: tuple[ChatId, TaskId | None] | None) -> None:
        """Make an entry current; the first one if there is no such entry."""
        raise NotImplementedError

    def choose_row(self, key: Hashable) -> bool:
        """Make a row current; return whether there is such a row."""
        self._rows.reveal(key)
        index = self._rows.index_of(key)
        if index.isValid():
            self.setCurrentIndex(index)
        return index.isValid()

    def choose_near(self, row: int) -> None:
        """Make the row of this number current, or the next one that can be chosen."""
        count = self._rows.rowCount()
        near = (*range(max(0, row), count), *range(min(row, count) - 1, -1, -1))
        index = next((one for one in map(self._rows.index, near) if self._can_choose(one)), QModelIndex())
        self.setCurrentIndex(index)

    def use(self) -> None:
        """Open the chosen step."""
        if self.current is not None:
            card = self.current.entry.approval
            self._requests.send(ShowPlan(*self.current.key, card.graph_id if card is not None else None))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if is_plain and key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.use()
        else:
            super().keyPressEvent(event)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        target = self._window.target_of(action)
        target = super().moveCursor(action, modifiers) if target is None else target
        step = -1 if action in _UP else 1
        while target.isValid() and not self._can_choose(target):
            target = self._rows.index(target.row() + step)
        return target if target.isValid() else self.currentIndex()

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self._window.follow_cursor()

    def updateGeometries(self) -> None:
        super().updateGeometries()
        self._window.restore()

    def _can_choose(self, index: QModelIndex) -> bool:
        return bool(self._rows.flags(index) & Qt.ItemFlag.ItemIsSelectable)

    def _move_by(self, step: int) -> None:
        move = QAbstractItemView.CursorAction.MoveDown if step > 0 else QAbstractItemView.CursorAction.MoveUp
        self.setCurrentIndex(self.moveCursor(move, Qt.KeyboardModifier.NoModifier))

    def _decide(self) -> None:
        """Show the card that waits for a decision, or leaves soon; what has no card is decided on at its step."""
        view = self.current
        if view is not None and view.entry.approval is not None:
            self._requests.send(ShowDraft(view.entry.approval.approval_id))
        elif view is not None and view.entry.asks:
            self.use()

    def _keep(self, moving: frozenset[Hashable]) -> None:
        self._kept, self._kept_row = self.currentIndex().data(KeyRole), self.currentIndex().row()
        if self.isVisible() and self.verticalScrollBar().value() > 0:  # at the top, what comes there is to be seen
            self._window.hold_place(moving)

    def _restore(self) -> None:
        self.setAutoScroll(False)
        if self._kept is None or not self.choose_row(self._kept):
            self.choose_near(self._kept_row)
        self.setAutoScroll(True)
