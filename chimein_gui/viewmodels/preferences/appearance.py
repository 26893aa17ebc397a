"""The window's appearance, its language, and whether single-key shortcuts work, for View and Preferences."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.viewmodels.preferences.single_keys import SingleKeys

if TYPE_CHECKING:
    from collections.abc import Callable


class Look(StrEnum):
    """What can be chosen; the value is the name under which the choice is saved."""

    COLOURS = "scheme"
    CONTRAST = "contrast"
    TEXT_SIZE = "text_size"
    MOTION = "motion"
    SINGLE_KEYS = "single_keys"
    LANGUAGE = "language"


TEXT_SIZES = (90, 100, 110, 125, 150)
"""Percent of the system's size."""

OPTIONS = {
    Look.COLOURS: ("system", "light", "dark"),
    Look.CONTRAST: ("system", "usual", "high"),
    Look.TEXT_SIZE: tuple(str(size) for size in TEXT_SIZES),
    Look.MOTION: ("system", "on", "off"),
    Look.SINGLE_KEYS: ("on", "off"),
    Look.LANGUAGE: ("system", "en", "de"),
}

DEFAULTS = {
    Look.COLOURS: "system",
    Look.CONTRAST: "system",
    Look.TEXT_SIZE: "100",
    Look.MOTION: "system",
    Look.SINGLE_KEYS: "on",
    Look.LANGUAGE: "system",
}


class AppearanceModel(QObject):
    """Owns the choices. The shell restores and saves them, and applies them to the window.

    Attributes:
        changed: A choice changed.
        single_keys: The switch that panes with single-key shortcuts read.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.single_keys = SingleKeys(self)
        self._choices = dict(DEFAULTS)
        self.single_keys.changed.connect(self.changed)

    def choice(self, look: Look) -> str:
        """Return the current option."""
        if look is Look.SINGLE_KEYS:
            return "on" if self.single_keys.enabled else "off"
        return self._choices[look]

    def choose(self, look: Look, choice: str) -> None:
        """Choose one of the options; any other text chooses the default."""
        wanted = choice if choice in OPTIONS[look] else DEFAULTS[look]
        if wanted == self.choice(look):
            return
        if look is Look.SINGLE_KEYS:
            self.single_keys.set_enabled(wanted == "on")
            return
        self._choices[look] = wanted
        self.changed.emit()

    def restore(self, remembered: Callable[[str], str]) -> None:
        """Restore the choices of the last run; `remembered` returns a choice by name, or an empty text."""
        for look in Look:
            self.choose(look, remembered(look.value))
