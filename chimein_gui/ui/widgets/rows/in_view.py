"""Keys decide only on an item that has been in view for a moment, so that it can have been read."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

IN_VIEW_MS = 300
"""How long an item must have been fully in view before a key decides on it."""


class InViewGuard(QObject):
    """Watches one item at a time; whoever scrolls or moves the cursor says so by `look`.

    Attributes:
        was_read: An item has been in view for long enough.
    """

    was_read = Signal(object)

    def __init__(self, is_in_view: Callable[[], bool], parent: QObject) -> None:
        """Begin with nothing in view.

        Args:
            is_in_view: Tells whether the whole item can be seen now.
            parent: Owns this.
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
        """The item is shown elsewhere from now on."""
        self._is_in_view = is_in_view
        self.look(self._item)

    def look(self, item: object) -> None:
        """Something was scrolled, resized, or another item is under the cursor."""
        if item != self._item:
            self.tell_read()
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
        """Begin to count once the item is painted, which comes before any timer; then wait for what is left.

        Counted from `look`, a window that hangs for a moment would take a key for an item that was never shown. A
        timer may also come a twentieth too early, and nothing else would look again.
        """
        if not self._is_in_sight:
            return
        if not self._since.isValid():
            self._since.start()
        left = IN_VIEW_MS - self._since.elapsed()
        if left > 0:
            self._timer.start(left)
        else:
            self.tell_read()

    def tell_read(self) -> None:
        """Say that the item was read, if it was; the hand may go on to the next before the timer comes."""
        if self.has_read(self._item):
            self.was_read.emit(self._item)

    def has_read(self, item: object) -> bool:
        """Tell whether an item has been in view for long enough by now."""
        seen_ms = self._since.elapsed() if self._since.isValid() else 0
        return item == self._item and self._is_in_sight and seen_ms >= IN_VIEW_MS

    def passes(self, item: object) -> bool:
        """Tell whether a key may decide on an item; if not, the item is marked as refused once."""
        self.look(item)
        if self.has_read(item):
            self.refused = None
            self.tell_read()
            return True
        self.refused = item
        return False
