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

_ROWS = ("QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM")


def _counted(*firsts: int) -> dict[int, str]:
    """Return the codes of a system that counts the keys of a row from the first one on."""
    return {first + place: letter for first, row in zip(firsts, _ROWS, strict=True) for place, letter in enumerate(row)}


POSITIONS = {
    # Key codes of the letters, for layouts without Latin letters: X11/Wayland, Windows, macOS.
    "linux": _counted(24, 38, 52),
    "win32": _counted(0x10, 0x1E, 0x2C),
    "darwin": {
        0: "A",
        1: "S",
        2: "D",
        3: "F",
        4: "H",
        5: "G",
        6: "Z",
        7: "X",
        8: "C",
        9: "V",
        11: "B",
        12: "Q",
        13: "W",
        14: "E",
        15: "R",
        16: "Y",
        17: "T",
        31: "O",
        32: "U",
        34: "I",
        35: "P",
        37: "L",
        38: "J",
        40: "K",
        45: "N",
        46: "M",
    },
}


def letter_of(event: QKeyEvent) -> str:
    """Return the Latin letter of a key press by the key's label, else by the key's position; empty for none."""
    if Qt.Key.Key_A <= event.key() <= Qt.Key.Key_Z:
        return chr(event.key())
    if event.key() < 0x80 or event.key() >= 0x01000000:
        return ""  # digits, punctuation, Return, arrows …
    code = event.nativeVirtualKey() if sys.platform == "darwin" else event.nativeScanCode()
    return POSITIONS.get(sys.platform, {}).get(code, "")


def _arrow_of(event: QKeyEvent, watched: QObject) -> str:
    """Return ← or → in reading direction; empty for other keys, and on buttons, where arrows move the focus."""
    if event.key() not in (Qt.Key.Key_Left, Qt.Key.Key_Right) or isinstance(watched, QAbstractButton):
        return ""
    turned = isinstance(watched, QWidget) and watched.isRightToLeft()
    return "←" if (event.key() == Qt.Key.Key_Left) is not turned else "→"


class SingleKeyShortcuts(QObject):
    """Calls a function for a key, only while one of the watched widgets has the focus."""

    def __init__(
        self, actions: Mapping[str, Callable[[], None]], parent: QObject, single_keys: SingleKeys | None = None
    ) -> None:
        """Create shortcuts without a widget.

        Args:
            actions: The function of each letter; that with Shift stands behind ``⇧``. "?" is the question mark,
                wherever a layout has it; ← and → are the arrow keys, with → as the one that points forward in the
                reading direction.
            parent: The owner.
            single_keys: The setting that switches them off; None if they always work.
        """
        super().__init__(parent)
        self._actions, self._switch = actions, single_keys

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
        action = self._actions.get(key)
        if action is None:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return False
        wanted = self._actions.get(f"⇧{key}") if shifted else action
        if wanted is not None and not event.isAutoRepeat():
            wanted()
        return True
