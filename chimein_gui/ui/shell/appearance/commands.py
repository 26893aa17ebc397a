"""Tells the Preferences pane how the window looks, and carries out what is chosen there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chimein_gui.viewmodels.preferences.look import LookGroup

if TYPE_CHECKING:
    from chimein_gui.ui.shell.window import MainWindow


class AppearanceCommands(QObject):
    """Between the choices of the View menu and those of the pane: there is one of each."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._look = window, window.models.preferences_model.look
        self._look.wanted.connect(self._choose)
        window.looks.changed.connect(self.tell)
        window.models.single_keys.changed.connect(self.tell)
        self.tell()

    def tell(self) -> None:
        """Say what holds."""
        looks = self._window.looks
        self._look.tell(LookGroup.COLOURS, looks.scheme_choice)
        self._look.tell(LookGroup.LETTERS, str(looks.text_size))
        self._look.tell(LookGroup.MOTION, looks.motion.value)
        self._look.tell(LookGroup.SINGLE_KEYS, self._window.key_choice.choice)

    def _choose(self, group: str, choice: str) -> None:
        window = self._window
        match LookGroup(group):
            case LookGroup.COLOURS:
                window.looks.choose_scheme(choice)
            case LookGroup.LETTERS:
                window.looks.choose_text_size(choice)
            case LookGroup.MOTION:
                window.looks.choose_motion(choice)
            case LookGroup.SINGLE_KEYS:
                window.key_choice.choose(choice)
        self.tell()
