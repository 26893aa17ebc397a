"""Keys that work in the list of traces and in the waterfall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.viewmodels.preferences.single_keys import SingleKeys

TABS = 5


class TraceKeys(QObject):
    """Digits choose a tab, the slash the search field; letters are single keys.

    Attributes:
        stepped: The next trace is wanted (1), or the one before (-1).
        tab_wanted: A tab is wanted; carries its place.
        searched: The search field is wanted.
        prompt_wanted, context_wanted: The prompt or the context of the plan is wanted.
        again_wanted, edit_wanted: The plan shall be made again, or a message be edited, as the box below says.
    """

    stepped = Signal(int)
    tab_wanted = Signal(int)
    searched = Signal()
    prompt_wanted = Signal()
    context_wanted = Signal()
    again_wanted = Signal()
    edit_wanted = Signal()

    def __init__(self, single_keys: SingleKeys, parent: QObject) -> None:
        super().__init__(parent)
        self._switch = single_keys
        verbs = {
            "J": lambda: self.stepped.emit(1),
            "K": lambda: self.stepped.emit(-1),
            "P": self.prompt_wanted.emit,
            "C": self.context_wanted.emit,
            "G": self.again_wanted.emit,
            "E": self.edit_wanted.emit,
        }
        self._letters = SingleKeyShortcuts(verbs, self, single_keys)

    def watch(self, widget: QWidget) -> None:
        """Listen on a list."""
        self._letters.watch(widget)
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent) or not self._switch.enabled:
            return False
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        place = event.key() - Qt.Key.Key_1
        if 0 <= place < TABS:
            self.tab_wanted.emit(place)
            return True
        if event.text() == "/":
            self.searched.emit()
            return True
        return False
