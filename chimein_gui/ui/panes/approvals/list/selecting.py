"""Selects cards by keyboard and mouse, and decides on all selected ones by key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent

from chimein_gui.viewmodels.approvals.store import waits_for_operator
from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.panes.approvals.list.cursor_list import CursorList
    from chimein_gui.ui.widgets.rows.in_view import InViewGuard

_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
TICK_RIGHT, TICK_BOTTOM = 46, 40
"""Area of a card around the agent's avatar that toggles the selection, px from its leading top corner."""


class Selecting(QObject):
    """Handles the keys and clicks of a list that change the selection or act on it."""

    def __init__(self, context: PaneContext, view: CursorList, in_view: InViewGuard) -> None:
        super().__init__(view)
        self._view, self._in_view, self._batch = view, in_view, context.own(make_approvals).batch
        self._batch.changed.connect(view.viewport().update)
        in_view.was_read.connect(self._note_read)
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and watched is self._view:
            return self._takes_key(event)
        if isinstance(event, QMouseEvent) and event.type() in _PRESSES:
            return self._takes_click(event)
        return False

    def toggle(self) -> None:
        """Add the current card to the selection, or remove it."""
        self._in_view.tell_read()
        approval = self._view.current()
        if approval is not None:
            self._batch.toggle(approval)

    def _note_read(self, item: tuple[ApprovalId, int] | None) -> None:
        if item is not None:
            self._batch.note_read(*item)

    def _takes_key(self, event: QKeyEvent) -> bool:
        """Extend the selection with Shift and an arrow, or clear it with Esc; False for other keys."""
        if event.key() == Qt.Key.Key_Escape and self._batch.count:
            self._batch.clear()
            return True
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier != Qt.KeyboardModifier.ShiftModifier:
            return False
        self._extend(step)
        return True

    def _takes_click(self, event: QMouseEvent) -> bool:
        """Toggle the selection on a click on the avatar, or with Ctrl anywhere on a card; False for other clicks."""
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        place = event.position().toPoint()
        approval = self._view.card_at(place)
        if approval is None or not waits_for_operator(approval):
            return False
        with_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if not with_control and not self._is_on_square(place):
            return False
        self._batch.toggle(approval)
        return True

    def takes_action(self, action: str) -> bool:
        """Decide on all selected cards; False if the key is for the current card alone."""
        if not self._batch.count or action not in ("A", "R"):
            return False
        self._in_view.tell_read()
        if self._batch.is_busy or (self._batch.reject() if action == "R" else self._batch.approve()):
            return True
        return self.open_first()

    def open_first(self) -> bool:
        """Go to the first selected card that needs a decision of its own.

        Returns:
            False if there is none, or if the current card is selected.
        """
        kept, current = self._batch.sort().kept, self._view.current()
        if not kept or (current is not None and self._batch.is_selected(current.approval_id)):
            return False
        self._view.select(kept[0].approval_id)
        return True

    def _extend(self, step: int) -> None:
        before = self._view.current()
        self._view.move_by(step)
        now = self._view.current()
        if before is None or now is None or before.approval_id == now.approval_id:
            return
        if self._batch.is_selected(now.approval_id) and self._batch.is_selected(before.approval_id):
            self._batch.toggle(before)  # moving back over selected cards deselects them
        else:
            self._batch.add((before, now))

    def _is_on_square(self, place: QPoint) -> bool:
        rect = self._view.visualRect(self._view.indexAt(place))
        inward = rect.right() - place.x() if self._view.isRightToLeft() else place.x() - rect.left()
        return inward < TICK_RIGHT and place.y() - rect.top() < TICK_BOTTOM
