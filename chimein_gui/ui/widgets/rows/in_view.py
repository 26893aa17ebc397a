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
        self._since = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._rest)
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
            self._since.invalidate()
        if item is None or not self._is_in_view():
            self._since.invalidate()
        elif not self._since.isValid():
            self._since.start()
            self._timer.start(IN_VIEW_MS)

    def _rest(self) -> None:
        """The timer is over, which may come a twentieth too early; nothing else would look again."""
        left = IN_VIEW_MS - self._since.elapsed() if self._since.isValid() else 0
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
        return item == self._item and self._since.isValid() and self._since.elapsed() >= IN_VIEW_MS

    def passes(self, item: object) -> bool:
        """Tell whether a key may decide on an item; if not, the item is marked as refused once."""
        self.look(item)
        if self.has_read(item):
            self.refused = None
            self.tell_read()
            return True
        self.refused = item
        return False
