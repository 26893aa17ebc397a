"""How the window looks, as the Preferences pane shows it; the shell carries a choice out and tells what holds."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QObject, Signal


class LookGroup(StrEnum):
    """What may be chosen."""

    COLOURS = "colours"
    LETTERS = "letters"
    MOTION = "motion"
    SINGLE_KEYS = "single keys"


LOOK_DEFAULTS = {
    LookGroup.COLOURS: "system",
    LookGroup.LETTERS: "100",
    LookGroup.MOTION: "system",
    LookGroup.SINGLE_KEYS: "on",
}


class LookModel(QObject):
    """The choices that hold, by group.

    Attributes:
        changed: A choice is another now.
        wanted: The operator chose; carries the group and the choice.
    """

    changed = Signal()
    wanted = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choices = dict(LOOK_DEFAULTS)

    def choice(self, group: LookGroup) -> str:
        """Return what holds."""
        return self._choices[group]

    def choose(self, group: LookGroup, choice: str) -> None:
        """Ask for another choice."""
        if choice != self._choices[group]:
            self.wanted.emit(group.value, choice)

    def tell(self, group: LookGroup, choice: str) -> None:
        """Take what holds now."""
        if choice != self._choices[group]:
            self._choices[group] = choice
            self.changed.emit()
