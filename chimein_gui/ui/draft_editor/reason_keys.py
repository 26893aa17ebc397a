"""The button "Reject, no reason": R again presses it, and any other letter begins the reason. G works likewise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from chimein_gui.ui.widgets.rows.single_key_shortcuts import letter_of

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class ReasonKeys(QObject):
    """Reads the keys of one button.

    Attributes:
        cancelled: Escape.
        pressed_again: The letter.
        begun: The first character of a reason.
        numbered: A digit from 1 to `numbers`, which picks a reason of the list.
    """

    cancelled = Signal()
    pressed_again = Signal()
    begun = Signal(str)
    numbered = Signal(int)

    def __init__(self, button: QWidget, letter: str = "R", numbers: int = 0) -> None:
        """Listen on a button; its letter presses it, and a digit up to `numbers` picks a reason."""
        super().__init__(button)
        self._letter, self._numbers = letter, numbers
        button.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
            return True
        if event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier or event.isAutoRepeat():
            return False
        if letter_of(event) == self._letter and not event.modifiers():
            self.pressed_again.emit()
            return True
        return self._type(event.text())

    def _type(self, text: str) -> bool:
        if text in tuple(map(str, range(1, self._numbers + 1))):
            self.numbered.emit(int(text))
        elif text.isprintable() and text.strip():
            self.begun.emit(text)
        else:
            return False
        return True
