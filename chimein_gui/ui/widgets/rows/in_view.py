"""Single keys act only on an item that has been fully visible for a moment, so that it can have been read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

IN_VIEW_MS = 300
"""How long an item must have been fully visible before a key acts on it, ms."""

LOOK_MS = 50
"""Most time between two looks meanwhile, ms: nothing tells of a pane that goes behind another tab."""


def is_bare(widget: QWidget) -> bool:
    """Tell whether some of a widget can be seen; behind another tab, and behind a dialog, Qt calls it visible."""
    dialog = QApplication.activeModalWidget()
    is_behind = dialog is not None and widget.window() is not dialog
    return not is_behind and widget.isVisible() and not widget.visibleRegion().isEmpty()


class InViewGuard(QObject):
    """Watches one item at a time; the owner calls `look` after each scroll or change of the current item.

    Attributes:
        was_read: An item has been visible for long enough; carries it.
        refused: The item for which the last key was ignored; None if none was.
    """

    was_read = Signal(object)

    def __init__(self, is_in_view: Callable[[], bool], parent: QObject) -> None:
        """Create a guard without an item.

        Args:
            is_in_view: Returns whether the whole item is visible now.
            parent: The owner.
        """
        super().__init__(parent)
        self._is_in_view = is_in_view
        self._item: object = None
        self._is_in_sight = False
        self._since = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._go_on)
        self.refused: object = None

    def turn_to(self, is_in_view: Callable[[], bool]) -> None:
        """Check the visibility with another function: the item is shown in another place."""
        self._is_in_view = is_in_view
        self.look(self._item)

    def look(self, item: object) -> None:
        """Check the visibility of an item after a scroll, a resize or a change of the current item."""
        if item != self._item:
            self._tell()  # what is in view now is the next item
            self._item = item
            self.refused = None
            self._lose()
        if item is None or not self._is_in_view():
            self._lose()
        elif not self._is_in_sight:
            self._is_in_sight = True
            self._timer.start(0)

    def _lose(self) -> None:
        self._is_in_sight = False
        self._since.invalidate()

    def _go_on(self) -> None:
        """Start to measure once the item is painted, then wait for the remaining time.

        Paint events come before any timer. If time were measured from `look`, a window that hangs could accept a key
        for an item that was never painted. A timer may be 5 % early, so it is restarted for the rest.
        """
        if self._is_in_sight and not self._is_in_view():
            self._lose()
        if not self._is_in_sight:
            return
        if not self._since.isValid():
            self._since.start()
        left = IN_VIEW_MS - self._since.elapsed()
        if left > 0:
            self._timer.start(min(left, LOOK_MS))
        else:
            self.tell_read()

    def tell_read(self) -> None:
        """Emit `was_read` if the item has been visible for long enough; a key may come before the timer does."""
        if self._is_in_sight and not self._is_in_view():
            self._lose()
        self._tell()

    def _tell(self) -> None:
        if self.has_read(self._item):
            self.was_read.emit(self._item)

    def has_read(self, item: object) -> bool:
        """Tell whether an item has been visible for long enough."""
        seen_ms = self._since.elapsed() if self._since.isValid() else 0
        return item == self._item and self._is_in_sight and seen_ms >= IN_VIEW_MS

    def passes(self, item: object) -> bool:
        """Tell whether a key may act on an item; if not, `refused` is set to it."""
        self.look(item)
        if self.has_read(item):
            self.refused = None
            self.tell_read()
            return True
        self.refused = item
        return False
