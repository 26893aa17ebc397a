"""The list of cards: keyboard, the focused card's buttons, and a cursor that stays on its id."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListView

from chimein_gui.domain.approvals import Approval
from chimein_gui.ui.panes.approvals.card_buttons import CardButtons
from chimein_gui.ui.panes.approvals.delegate import CardDelegate
from chimein_gui.ui.widgets.pane import PaneContext
from chimein_gui.ui.widgets.verb_keys import VerbKeys
from chimein_gui.viewmodels.roles import Index, ItemRole

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QResizeEvent


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
        self._buttons: CardButtons | None = None
        self.setModel(self._approvals)
        self.setItemDelegate(CardDelegate(context, self))
        self.setAccessibleName(self.tr("Planned messages"))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.verticalScrollBar().setSingleStep(24)
        self.keys = VerbKeys(
            {
                **{verb: partial(self._press, verb) for verb in "AERZ"},
                "J": lambda: self.move_by(1),
                "K": lambda: self.move_by(-1),
            },
            self,
        )
        self.keys.watch(self)
        self._approvals.rowsInserted.connect(self._keep_a_current)
        self._approvals.rowsRemoved.connect(self._keep_a_current)
        self._approvals.dataChanged.connect(self._refresh)
        context.models.actions.acknowledgement_changed.connect(self._refresh)
        context.models.actions.decision_answered.connect(self._refresh)
        context.models.clock.ticked.connect(self._tick)
        context.theme.changed.connect(self.viewport().update)
        self._keep_a_current()

    def current(self) -> Approval | None:
        """Return the approval under the cursor."""
        approval = self.currentIndex().data(ItemRole) if self.currentIndex().isValid() else None
        return approval if isinstance(approval, Approval) else None

    def select(self, approval_id: object) -> None:
        """Put the cursor on an id."""
        index = self._approvals.index_of(approval_id)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def move_by(self, step: int) -> None:
        """Move the cursor up or down."""
        row = self.currentIndex().row() + step
        if 0 <= row < self._approvals.rowCount():
            self.setCurrentIndex(self._approvals.index(row, 0))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        had_focus = self._buttons is not None and self._buttons.isAncestorOf(self._buttons.focusWidget() or self)
        if previous.isValid():
            self.setIndexWidget(previous, None)  # type: ignore[arg-type]
        self._buttons = None
        if current.isValid():
            self._buttons = CardButtons(self._context.theme, self.keys)
            self._buttons.verb_pressed.connect(self._press)
            self.setIndexWidget(current, self._buttons)
        if had_focus:
            self.setFocus()
        self._refresh()
        if current.isValid():
            self.scrollTo(current)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._keep_a_current()
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def _press(self, verb: str) -> None:
        approval = self.current()
        if approval is not None:
            self.verb_pressed.emit(verb, approval)

    def _keep_a_current(self) -> None:
        if not self.currentIndex().isValid() and self._approvals.rowCount():
            self.setCurrentIndex(self._approvals.index(0, 0))

    def _refresh(self) -> None:
        approval = self.current()
        if approval is not None and self._buttons is not None:
            self._buttons.show_approval(approval, self._context.models.actions)
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def _tick(self) -> None:
        if self.isVisible():
            self.viewport().update()
