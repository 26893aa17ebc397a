"""The list of cards: keyboard, and the buttons of the current card."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QModelIndex, QPoint, Qt, Signal

from chimein_gui.domain.approvals import Approval
from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.panes.approvals.list.card_buttons import CardButtons
from chimein_gui.ui.panes.approvals.list.cursor_list import CursorList
from chimein_gui.ui.panes.approvals.list.delegate import CardDelegate
from chimein_gui.ui.panes.approvals.list.folded import is_decided, is_undone_next
from chimein_gui.ui.panes.approvals.list.next_card import NextCard
from chimein_gui.ui.panes.approvals.list.row_delegate import RowDelegate
from chimein_gui.ui.panes.approvals.list.selecting import Selecting
from chimein_gui.ui.widgets.rows.clocked_rows import ClockedRows
from chimein_gui.ui.widgets.rows.in_view import InViewGuard
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.viewmodels.approvals.available_actions import offers_tick
from chimein_gui.viewmodels.approvals.saved_marks import make_saved_edit_marks
from chimein_gui.viewmodels.core.roles import Index, ItemRole
from chimein_gui.viewmodels.traces.words import TRACE_KEY

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent


class CardList(CursorList):
    """Shows the approvals: cards in the dock, rows beside the wide card.

    Attributes:
        action_pressed: An action was pressed; carries it and the approval, or None for an undo without a card.
        menu_wanted: An action with a menu was pressed; carries it, the approval, and a position on the screen.
        current_changed: The current card is another, or was updated; carries an approval or None.
        help_wanted: The operator asks for the list of shortcuts.
        version_wanted: Show the previous version of the plan (-1), the next one (1), or all side by side (0).
        refused: A key was pressed on a card that had not been visible for long enough.
        buttons: The buttons over the current card.
    """

    action_pressed = Signal(str, object)
    menu_wanted = Signal(str, object, QPoint)
    current_changed = Signal(object)
    help_wanted = Signal()
    version_wanted = Signal(int)
    refused = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self.cards, self.rows = CardDelegate(context, self), RowDelegate(context, self)
        self._delegate: CardDelegate | RowDelegate = self.cards
        self._refreshes = False
        self.in_view = InViewGuard(self.is_card_in_view, self)
        self.selecting = Selecting(context, self, self.in_view)
        self.keys = SingleKeyShortcuts(
            {
                **{action: partial(self.press_key, action) for action in "AERG"},
                "Z": lambda: self.press_key("Z") if self.current() else self.action_pressed.emit("Z", None),
                "J": lambda: self.move_by(1),
                "K": lambda: self.move_by(-1),
                "←": lambda: self.version_wanted.emit(-1),
                "→": lambda: self.version_wanted.emit(1),
                "V": lambda: self.version_wanted.emit(0),
                "X": self.selecting.toggle,
                TRACE_KEY: lambda: self.action_pressed.emit(TRACE_KEY, self.current()),
                "?": self.help_wanted.emit,
            },
            self,
            context.models.single_keys,
        )
        self.keys.watch(self)
        # One set of buttons for the current card, because creating five for every move takes milliseconds.
        self.buttons = CardButtons(context.theme, self.keys)
        self.buttons.setParent(self.viewport())
        self.buttons.hide()
        self.buttons.action_pressed.connect(self.press)
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
        self.painted.connect(self.look)  # it may have come out from behind another tab, of which nothing else tells
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
        """Whether rows are shown, because the wide card is beside the list."""
        return self._delegate is self.rows

    def set_wide(self, wide: bool) -> None:
        """Show rows or cards."""
        if wide == self.is_wide:
            return
        self._delegate = self.rows if wide else self.cards
        self.setItemDelegate(self._delegate)
        self._dress_buttons()
        self._place_buttons()
        self.scheduleDelayedItemsLayout()

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self._slipped.invalidate()
        if _has_focus(self.buttons):
            self.setFocus()  # a key press for this card must not act on the next one
        self._refresh()
        if not self.is_wide or any(_is_of_decided(index) for index in (current, previous)):
            self.scheduleDelayedItemsLayout()  # beside the wide card only decided rows change their height
        if current.isValid():
            self.scrollTo(current)
            self._window.follow_cursor()
        self.look()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Make the selected row current: screen readers select a row without changing the current one."""
        super().selectionChanged(selected, deselected)
        chosen = selected.indexes()
        if chosen and chosen[0] != self.currentIndex():
            self._is_chosen = True
            self.setCurrentIndex(chosen[0])

    def updateGeometries(self) -> None:
        super().updateGeometries()
        self._place_buttons()
        self.look()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._keep_a_current()
        if not self._is_chosen and event.reason() is not Qt.FocusReason.MouseFocusReason and self._queue.rowCount():
            self._go_to_top()
        self.look()  # a dialog in front of the window may have been closed
        self.update(self.currentIndex())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update(self.currentIndex())

    def press(self, action: str) -> None:
        """Emit an action for the current card, unless that has just replaced the card for which it was meant."""
        approval = self._meant()
        if approval is not None:
            self._is_chosen = True
            self.action_pressed.emit(action, approval)

    def press_key(self, action: str) -> None:
        """Emit an action for a key if the card could be read; else only scroll to the card.

        With a selection, the key may act on all selected cards instead.
        """
        approval = self.current()
        if approval is None:
            return
        if self.selecting.takes_action(action):
            return
        if action == "Z":  # undo also works just after the next card became current
            self.action_pressed.emit(action, self._meant())
            return
        if not self.in_view.passes(_as_read(approval)):
            self._scroll_on()
            self.refused.emit()
            self.answer()
            return
        self.press(action)

    def ask_for_menu(self, action: str, place: QPoint) -> None:
        """Request the menu of an action."""
        approval = self._meant()
        if approval is not None:
            self.menu_wanted.emit(action, approval, place)

    def tick(self, seen: bool) -> None:
        """Set whether the operator has read the changes."""
        approval = self._meant()
        if approval is not None and offers_tick(approval, self._context.models.open_editor):
            self._context.models.actions.acknowledge(approval, seen=seen)
        else:
            self._refresh()  # the checkbox has already changed

    def looked_away(self, approval: Approval) -> bool:
        """Tell whether the last key on a card only scrolled to it."""
        return self.in_view.refused == _as_read(approval)

    def look(self) -> None:
        """Check again whether the current card is visible."""
        approval = self.current()
        self.in_view.look(_as_read(approval) if approval is not None else None)

    def _keep_a_current(self) -> None:
        if not self.currentIndex().isValid() and self._queue.rowCount():
            self.setCurrentIndex(self._queue.index(0, 0))
            self._is_chosen = False
        self._follow_top()
        if not self._queue.rowCount():
            self._refresh()

    def _place_buttons(self) -> None:
        """Place the buttons over the current card, also after scrolling."""
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
        """Show the actions of the current card; hidden beside the wide card."""
        approval = self.current()
        if approval is not None and not self.is_wide:
            away, had_focus = self.looked_away(approval), _has_focus(self.buttons)
            self.buttons.show_approval(approval, self._context.models, looked_away=away)
            if had_focus and not _has_focus(self.buttons):
                self.setFocus()  # Qt moves the focus of a hidden widget to the next one in the window

    def _change(self, first: QModelIndex, last: QModelIndex) -> None:
        """Schedule a layout if a card's height has changed; Qt itself repaints changed rows."""
        if first.row() <= self.currentIndex().row() <= last.row():
            self._refresh()
        self._check_heights(first.row(), last.row())
        if any(_is_of_decided(self._queue.index(row, 0)) for row in range(first.row(), last.row() + 1)):
            self.viewport().update()  # of the other decisions, another may be the one that Z undoes

    def answer(self) -> None:
        """Update the buttons after an answer, which may also have added a note to a card."""
        self._refresh()
        self._check_heights(0, self._queue.rowCount() - 1)
        self.viewport().update()

    def _answer_one(self, approval_id: object) -> None:
        """Update after an answer that concerns one card."""
        self._refresh()
        row = self._queue.row_of(approval_id)
        if row >= 0:
            self._check_heights(row, row)
            self.update(self._queue.index(row, 0))

    def _follow_card(self) -> None:
        """Update the current card after its details were loaded."""
        if not self._refreshes:  # the refresh itself has opened it
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
        times, words = self._delegate.times_of(approval), self._approvals.status_words_of(approval)
        return approval.approval_id, (times, words, is_undone_next(self._context, approval))


def _as_read(approval: Approval) -> Hashable:
    """Return the key of what must have been visible: a card in its current version."""
    return approval.approval_id, approval.version


def _is_of_decided(index: Index) -> bool:
    """Tell whether the card of a row was decided, and has a single line when it is not current."""
    approval = index.data(ItemRole) if index.isValid() else None
    return isinstance(approval, Approval) and is_decided(approval)


def _has_focus(buttons: CardButtons) -> bool:
    # Ask the window: focusWidget() of the buttons is their last focused child, even if the focus is elsewhere now.
    return bool(buttons.isAncestorOf(buttons.window().focusWidget() or buttons.window()))
