"""The list of cards: keyboard, the focused card's buttons, and a cursor that stays on its id."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QModelIndex, QPoint, Signal

from chimein_gui.domain.approvals import Approval
from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.panes.approvals.list.card_buttons import CardButtons
from chimein_gui.ui.panes.approvals.list.cursor_list import CursorList, lies_in
from chimein_gui.ui.panes.approvals.list.delegate import CardDelegate
from chimein_gui.ui.panes.approvals.list.folded import is_decided
from chimein_gui.ui.panes.approvals.list.next_card import NextCard
from chimein_gui.ui.panes.approvals.list.row_delegate import RowDelegate
from chimein_gui.ui.panes.approvals.list.selecting import Selecting
from chimein_gui.ui.widgets.rows.clocked_rows import ClockedRows
from chimein_gui.ui.widgets.rows.in_view import InViewGuard
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.viewmodels.approvals.saved_marks import make_saved_edit_marks
from chimein_gui.viewmodels.core.roles import Index, ItemRole

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent


class CardList(CursorList):
    """Shows the approvals: cards in the dock, rows beside the wide card.

    Attributes:
        verb_pressed: A verb and the approval it is for; None for an undo where no card is left.
        menu_wanted: A verb that leaves something open, the approval, and a place on the screen.
        current_changed: Another card is under the cursor, or the same has changed; an approval or None.
        help_wanted: The operator asks what the keys are.
        version_wanted: He asks for the version of the plan before this one (-1), or behind it (1); 0: for all of them
            side by side.
        refused: A key was pressed on a card that was not in view for long enough.
        buttons: The verbs of the card under the cursor, which lie on it.
    """

    verb_pressed = Signal(str, object)
    menu_wanted = Signal(str, object, QPoint)
    current_changed = Signal(object)
    help_wanted = Signal()
    version_wanted = Signal(int)
    refused = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self._cards, self.rows = CardDelegate(context, self), RowDelegate(context, self)
        self._delegate: CardDelegate | RowDelegate = self._cards
        self._refreshes = False
        self.in_view = InViewGuard(self.is_card_in_view, self)
        self.selecting = Selecting(context, self, self.in_view)
        self.keys = SingleKeyShortcuts(
            {
                **{verb: partial(self.press_key, verb) for verb in "AERG"},
                "Z": lambda: self.press_key("Z") if self.current() else self.verb_pressed.emit("Z", None),
                "J": lambda: self.move_by(1),
                "K": lambda: self.move_by(-1),
                "←": lambda: self.version_wanted.emit(-1),
                "→": lambda: self.version_wanted.emit(1),
                "V": lambda: self.version_wanted.emit(0),
                "X": self.selecting.toggle,
                "?": self.help_wanted.emit,
            },
            self,
            context.models.single_keys,
        )
        self.keys.watch(self)
        # One set of real buttons for whichever card is current: making five anew with every move costs milliseconds.
        self.buttons = CardButtons(context.theme, self.keys)
        self.buttons.setParent(self.viewport())
        self.buttons.hide()
        self.buttons.verb_pressed.connect(self.press)
        self.buttons.menu_wanted.connect(self.ask_for_menu)
        self.buttons.ticked.connect(self.tick)
        self._dress()
        self.setModel(self._queue)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(self.tr("Planned messages"))
        self._wire()

    def _wire(self) -> None:
        context = self._context
        for shown in (self._queue.rowsInserted, self._queue.rowsRemoved, self._queue.modelReset):
            shown.connect(self._keep_a_current)
        self._queue.dataChanged.connect(self._change)
        self.verticalScrollBar().valueChanged.connect(self.look)
        context.models.card.changed.connect(self._follow_card)
        context.models.regenerations.changed.connect(self.answer)
        context.models.actions.acknowledgement_changed.connect(self._answer_one)
        context.models.actions.decision_answered.connect(lambda outcome: self._answer_one(outcome.approval.approval_id))
        NextCard(context, self)
        context.models.holds.changed.connect(self.answer)
        ClockedRows(self, context.models.clock, self._times_of, self._approvals.send_status.words_changed)
        context.own(make_saved_edit_marks).changed.connect(self.viewport().update)
        context.theme.changed.connect(self.viewport().update)
        self._keep_a_current()

    @property
    def is_wide(self) -> bool:
        """Tell whether rows are shown, because the card stands beside the list."""
        return self._delegate is self.rows

    def set_wide(self, wide: bool) -> None:
        """Show rows, or cards."""
        if wide == self.is_wide:
            return
        self._delegate = self.rows if wide else self._cards
        self.setItemDelegate(self._delegate)
        self._dress_buttons()
        self._place_buttons()
        self.scheduleDelayedItemsLayout()

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self._slipped.invalidate()
        if _has_focus(self.buttons):
            self.setFocus()  # a press that was meant for one card must not hit the next
        self._refresh()
        if not self.is_wide or any(_folds(index) for index in (current, previous)):
            self.scheduleDelayedItemsLayout()  # beside the wide card only what is decided folds
        if current.isValid():
            self.scrollTo(current)
            self._window.follow_cursor()
        self.look()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """A screen reader selects a row without moving the cursor: the card must be that of what is selected."""
        super().selectionChanged(selected, deselected)
        chosen = selected.indexes()
        if chosen and chosen[0] != self.currentIndex():
            self.setCurrentIndex(chosen[0])

    def updateGeometries(self) -> None:
        was_in_sight = lies_in(self.viewport(), self.buttons.geometry())
        super().updateGeometries()
        self._window.restore()
        if was_in_sight and not lies_in(self.viewport(), self.visualRect(self.currentIndex())):
            self.scrollTo(self.currentIndex())  # a card that grows, or is pushed down, takes its buttons along
        self._place_buttons()
        self.look()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._keep_a_current()
        self.update(self.currentIndex())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update(self.currentIndex())

    def press(self, verb: str) -> None:
        """Pass a verb on, unless its card has just given way to another: it was meant for that one."""
        approval = self._meant()
        if approval is not None:
            self.verb_pressed.emit(verb, approval)

    def press_key(self, verb: str) -> None:
        """Press by a key: only on a card that could be read; otherwise the first press brings it into sight."""
        approval = self.current()
        if approval is None:
            return
        if self.selecting.takes_verb(verb):
            return
        if verb == "Z":  # behind a decision, whose card has given way to the next, it takes that decision back
            self.verb_pressed.emit(verb, self._meant())
            return
        if not self.in_view.passes(_as_read(approval)):
            self.scrollTo(self.currentIndex())
            self.refused.emit()
            self.answer()
            return
        self.press(verb)

    def ask_for_menu(self, verb: str, place: QPoint) -> None:
        """Ask for the menu of a verb."""
        approval = self._meant()
        if approval is not None:
            self.menu_wanted.emit(verb, approval, place)

    def tick(self, seen: bool) -> None:
        """The operator says that he has read what changed, or takes that back."""
        approval = self._meant()
        if approval is not None:
            self._context.models.actions.acknowledge(approval, seen=seen)
        else:
            self._refresh()  # the box has changed by itself

    def looked_away(self, approval: Approval) -> bool:
        """Tell whether the last key on a card only brought it into sight."""
        return self.in_view.refused == _as_read(approval)

    def look(self) -> None:
        """What of the card under the cursor is in view may be something else."""
        approval = self.current()
        self.in_view.look(_as_read(approval) if approval is not None else None)

    def _keep_a_current(self) -> None:
        if not self.currentIndex().isValid() and self._queue.rowCount():
            self.setCurrentIndex(self._queue.index(0, 0))
        if not self._queue.rowCount():
            self._refresh()

    def _place_buttons(self) -> None:
        """Lay the verbs on the card under the cursor; scrolling moves them along."""
        approval = self.current()
        self.buttons.setVisible(approval is not None and not self.is_wide)
        if approval is not None and not self.is_wide:
            self.buttons.setGeometry(self.visualRect(self.currentIndex()))

    def _refresh(self) -> None:
        approval = self.current()
        self._refreshes = True
        try:
            self.current_changed.emit(approval)
        finally:
            self._refreshes = False
        self._dress_buttons()

    def _dress_buttons(self) -> None:
        """Offer what can be done with the card under the cursor; beside the wide card they are out of sight."""
        approval = self.current()
        if approval is not None and not self.is_wide:
            away, had_focus = self.looked_away(approval), _has_focus(self.buttons)
            self.buttons.show_approval(approval, self._context.models, looked_away=away)
            if had_focus and not _has_focus(self.buttons):
                self.setFocus()  # Qt gives the keys of a control that goes to whatever comes next in the window

    def _change(self, first: QModelIndex, last: QModelIndex) -> None:
        """Lay out only where a card needs another height; Qt itself repaints those that changed."""
        if first.row() <= self.currentIndex().row() <= last.row():
            self._refresh()
        self._check_heights(first.row(), last.row())

    def answer(self) -> None:
        """An answer may put a note on a card, and it always frees the buttons."""
        self._refresh()
        self._check_heights(0, self._queue.rowCount() - 1)
        self.viewport().update()

    def _answer_one(self, approval_id: object) -> None:
        """An answer that concerns one card."""
        self._refresh()
        row = self._queue.row_of(approval_id)
        if row >= 0:
            self._check_heights(row, row)
            self.update(self._queue.index(row, 0))

    def _follow_card(self) -> None:
        """More is known of the card under the cursor."""
        if not self._refreshes:  # it is being opened by the refresh itself
            self._refresh()
        row = self.currentIndex().row()
        if row >= 0:
            self._check_heights(row, row)
            self.update(self.currentIndex())

    def _check_heights(self, first: int, last: int) -> None:
        if any(self._delegate.grows(row) for row in range(first, last + 1)):
            self.scheduleDelayedItemsLayout()

    def _times_of(self, index: QModelIndex) -> tuple[Hashable, Hashable]:
        approval = self._queue.item_at(index.row())
        if approval is None:
            return None, None
        return approval.approval_id, (self._delegate.times_of(approval), self._approvals.fate_of(approval))


def _as_read(approval: Approval) -> Hashable:
    """Return what must have been in view: this card, as it is now."""
    return approval.approval_id, approval.version


def _folds(index: Index) -> bool:
    """Tell whether a row is one line when the cursor is elsewhere."""
    approval = index.data(ItemRole) if index.isValid() else None
    return isinstance(approval, Approval) and is_decided(approval)


def _has_focus(buttons: CardButtons) -> bool:
    # Of the window: the buttons' own focusWidget() is what once had the focus, wherever the operator types by now.
    return bool(buttons.isAncestorOf(buttons.window().focusWidget() or buttons.window()))
