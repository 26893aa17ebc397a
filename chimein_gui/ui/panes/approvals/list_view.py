"""The list of cards: keyboard, the focused card's buttons, and a cursor that stays on its id."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QModelIndex, QRect, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from chimein_gui.domain.approvals import Approval
from chimein_gui.ui.panes.approvals.card_buttons import CardButtons
from chimein_gui.ui.panes.approvals.delegate import CardDelegate
from chimein_gui.ui.panes.approvals.list_window import ListWindow
from chimein_gui.ui.widgets.clocked_rows import ClockedRows
from chimein_gui.ui.widgets.opaque_ground import fill, make_opaque
from chimein_gui.ui.widgets.pane import PaneContext
from chimein_gui.ui.widgets.verb_keys import VerbKeys
from chimein_gui.viewmodels.roles import Index, ItemRole

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QPaintEvent, QResizeEvent


SLIP_GUARD_MS = 300
"""A card that has come under the cursor by itself takes no verb for as long as a hand needs to see it (SPEC §6)."""


class CardList(QListView):
    """Shows the approvals.

    Attributes:
        verb_pressed: Key of a verb and the approval it is for.
    """

    verb_pressed = Signal(str, object)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        self._approvals = context.models.approvals
        self._delegate = CardDelegate(context, self)
        self._window = ListWindow(self, self._approvals)
        self._slipped = QElapsedTimer()
        self.keys = VerbKeys(
            {
                **{verb: partial(self._press, verb) for verb in "AERZ"},
                "J": lambda: self.move_by(1),
                "K": lambda: self.move_by(-1),
            },
            self,
        )
        self.keys.watch(self)
        # One set of real buttons for whichever card is current: making five anew with every move costs milliseconds.
        self._buttons = CardButtons(context.theme, self.keys, self.viewport())
        self._buttons.hide()
        self._buttons.verb_pressed.connect(self._press)
        self.setModel(self._approvals)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(self.tr("Planned messages"))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.verticalScrollBar().setSingleStep(24)
        self._approvals.rowsInserted.connect(self._keep_a_current)
        self._approvals.rowsRemoved.connect(self._keep_a_current)
        self._approvals.dataChanged.connect(self._change)
        context.models.actions.acknowledgement_changed.connect(self._answer)
        context.models.actions.decision_answered.connect(self._answer)
        context.models.holds.changed.connect(self._answer)
        ClockedRows(self, context.models.clock, self._times_of)
        context.theme.changed.connect(self.viewport().update)
        make_opaque(self)
        self._keep_a_current()

    def current(self) -> Approval | None:
        """Return the approval under the cursor."""
        approval = self.currentIndex().data(ItemRole) if self.currentIndex().isValid() else None
        return approval if isinstance(approval, Approval) else None

    def select(self, approval_id: object) -> None:
        """Put the cursor on an id, also on one that is far from the cards shown."""
        self._approvals.reveal(approval_id)
        index = self._approvals.index_of(approval_id)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def move_by(self, step: int) -> None:
        """Move the cursor up or down."""
        self._window.make_room(step)
        row = self.currentIndex().row() + step
        if 0 <= row < self._approvals.rowCount():
            self.setCurrentIndex(self._approvals.index(row, 0))

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        target = self._window.target_of(action)
        return super().moveCursor(action, modifiers) if target is None else target

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self._slipped.invalidate()
        if self._buttons.isAncestorOf(self._buttons.focusWidget() or self):
            self.setFocus()  # a press that was meant for one card must not hit the next
        self._refresh()
        self.scheduleDelayedItemsLayout()
        if current.isValid():
            self.scrollTo(current)
            self._window.follow_cursor()

    def updateGeometries(self) -> None:
        was_in_sight = _lies_in(self.viewport(), self._buttons.geometry())
        super().updateGeometries()
        self._window.restore()
        if was_in_sight and not _lies_in(self.viewport(), self.visualRect(self.currentIndex())):
            self.scrollTo(self.currentIndex())  # a card that grows, or is pushed down, takes its buttons along
        self._place_buttons()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.scheduleDelayedItemsLayout()

    def paintEvent(self, event: QPaintEvent) -> None:
        fill(self, event, self._context.theme, "pane")
        super().paintEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._keep_a_current()
        self.update(self.currentIndex())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update(self.currentIndex())

    def rowsAboutToBeRemoved(self, parent: Index, start: int, end: int) -> None:
        slips = start <= self.currentIndex().row() <= end
        super().rowsAboutToBeRemoved(parent, start, end)  # moves the cursor
        if slips:
            self._slipped.start()

    def _press(self, verb: str) -> None:
        """Pass a verb on, unless its card has just given way to another: it was meant for that one."""
        if self._slipped.isValid() and not self._slipped.hasExpired(SLIP_GUARD_MS):
            return
        approval = self.current()
        if approval is not None:
            self.verb_pressed.emit(verb, approval)

    def _keep_a_current(self) -> None:
        if not self.currentIndex().isValid() and self._approvals.rowCount():
            self.setCurrentIndex(self._approvals.index(0, 0))

    def _place_buttons(self) -> None:
        """Lay the verbs on the card under the cursor; scrolling moves them along."""
        approval = self.current()
        self._buttons.setVisible(approval is not None)
        if approval is not None:
            self._buttons.setGeometry(self.visualRect(self.currentIndex()))

    def _refresh(self) -> None:
        approval = self.current()
        if approval is not None:
            self._buttons.show_approval(approval, self._context.models.actions)

    def _change(self, first: QModelIndex, last: QModelIndex) -> None:
        """Lay out only where a card needs another height; Qt itself repaints those that changed."""
        if first.row() <= self.currentIndex().row() <= last.row():
            self._refresh()
        self._check_heights(first.row(), last.row())

    def _answer(self) -> None:
        """An answer may put a note on a card, and it always frees the buttons."""
        self._refresh()
        self._check_heights(0, self._approvals.rowCount() - 1)
        self.viewport().update()

    def _check_heights(self, first: int, last: int) -> None:
        if any(self._delegate.grows(row) for row in range(first, last + 1)):
            self.scheduleDelayedItemsLayout()

    def _times_of(self, index: QModelIndex) -> tuple[Hashable, Hashable]:
        approval = self._approvals.item_at(index.row())
        if approval is None:
            return None, None
        return approval.approval_id, (self._delegate.times_of(approval), self._approvals.fate_of(approval))


def _lies_in(viewport: QWidget, card: QRect) -> bool:
    return card.top() >= 0 and card.bottom() < viewport.height()
