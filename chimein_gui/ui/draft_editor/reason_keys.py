"""The keys of the button "Reject, no reason": R presses it, any other character starts a reason. G works likewise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from chimein_gui.ui.widgets.rows.single_key_shortcuts import letter_of

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class ReasonKeys(QObject):
    """Handles the keys of one button.

    Attributes:
        cancelled: Escape was pressed.
        pressed_again: The button's letter was pressed.
        begun: Another character was pressed: the first one of a reason.
        numbered: A digit from 1 to `numbers` was pressed, which picks a reason of the list.
    """

    cancelled = Signal()
    pressed_again = Signal()
    begun = Signal(str)
    numbered = Signal(int)

    def __init__(self, button: QWidget, letter: str = "R", numbers: int = 0) -> None:
        """Install the handler on a button; `letter` presses it, and digits up to `numbers` pick a reason."""
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
