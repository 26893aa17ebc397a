"""Single-key shortcuts of a list: one event filter with all checks (docs/behaviour.md, "Single keys")."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

if TYPE_CHECKING:
    from chimein_gui.viewmodels.preferences.single_keys import SingleKeys

_POSITIONS = {
    # Key codes of the letters, for layouts without Latin letters: X11/Wayland, Windows, macOS.
    "linux": {
        40: "D",
        57: "N",
        25: "W",
        38: "A",
        26: "E",
        27: "R",
        52: "Z",
        44: "J",
        45: "K",
        42: "G",
        53: "X",
        55: "V",
        33: "P",
        32: "O",
        30: "U",
    },
    "win32": {
        0x20: "D",
        0x31: "N",
        0x11: "W",
        0x1E: "A",
        0x12: "E",
        0x13: "R",
        0x2C: "Z",
        0x24: "J",
        0x25: "K",
        0x22: "G",
        0x2D: "X",
        0x2F: "V",
        0x19: "P",
        0x18: "O",
        0x16: "U",
    },
    "darwin": {
        0: "A",
        2: "D",
        14: "E",
        15: "R",
        6: "Z",
        38: "J",
        40: "K",
        45: "N",
        5: "G",
        7: "X",
        9: "V",
        13: "W",
        35: "P",
        31: "O",
        32: "U",
    },
}


def letter_of(event: QKeyEvent) -> str:
    """Return the Latin letter of a key press by the key's label, else by the key's position; empty for none."""
    if Qt.Key.Key_A <= event.key() <= Qt.Key.Key_Z:
        return chr(event.key())
    if event.key() < 0x80 or event.key() >= 0x01000000:
        return ""  # digits, punctuation, Return, arrows …
    code = event.nativeVirtualKey() if sys.platform == "darwin" else event.nativeScanCode()
    return _POSITIONS.get(sys.platform, {}).get(code, "")


def _arrow_of(event: QKeyEvent, watched: QObject) -> str:
    """Return ← or → in reading direction; empty for other keys, and on buttons, where arrows move the focus."""
    if event.key() not in (Qt.Key.Key_Left, Qt.Key.Key_Right) or isinstance(watched, QAbstractButton):
        return ""
    turned = isinstance(watched, QWidget) and watched.isRightToLeft()
    return "←" if (event.key() == Qt.Key.Key_Left) is not turned else "→"


class SingleKeyShortcuts(QObject):
    """Calls a function for a key, only while one of the watched widgets has the focus."""

    def __init__(
        self, verbs: Mapping[str, Callable[[], None]], parent: QObject, single_keys: SingleKeys | None = None
    ) -> None:
        """Create shortcuts without a widget.

        Args:
            verbs: The function of each letter; that with Shift stands behind ``⇧``. "?" is the question mark, wherever
                a layout has it; ← and → are the arrow keys, with → as the one that points forward in the reading
                direction.
            parent: The owner.
            single_keys: The setting that switches them off; None if they always work.
        """
        super().__init__(parent)
        self._verbs, self._switch = verbs, single_keys

    def watch(self, widget: QWidget) -> None:
        """Listen on a list, or on a button of its card; text fields are refused."""
        if isinstance(widget, (QLineEdit, QPlainTextEdit, QTextEdit)):
            raise TypeError("Single keys would swallow what is typed here")
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride) or not isinstance(event, QKeyEvent):
            return False
        if event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier):
            return False
        asks, arrow = event.text() == "?", _arrow_of(event, watched)
        if self._switch is not None and not self._switch.enabled and not arrow:
            return False
        key = "?" if asks else arrow or letter_of(event)
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier) and not asks
        verb = self._verbs.get(key)
        if verb is None:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return False
        wanted = self._verbs.get(f"⇧{key}") if shifted else verb
        if wanted is not None and not event.isAutoRepeat():
            wanted()
        return True
