"""Whether single letters decide, as it is remembered from run to run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from chimein_gui.ui.shell.docking.layout_memory import LayoutMemory
    from chimein_gui.viewmodels.preferences.single_keys import SingleKeys

ON, OFF = "on", "off"


class KeyChoice(QObject):
    """The choice of the View menu; the same switch stands in the help of the keys."""

    def __init__(self, single_keys: SingleKeys, memory: LayoutMemory, parent: QObject) -> None:
        super().__init__(parent)
        self._keys, self._memory = single_keys, memory
        single_keys.set_enabled(memory.text_of("single_keys") != OFF)
        single_keys.changed.connect(self._remember)

    @property
    def choice(self) -> str:
        """``on`` or ``off``."""
        return ON if self._keys.enabled else OFF

    def choose(self, choice: str) -> None:
        """Let single letters decide, or not."""
        self._keys.set_enabled(choice != OFF)

    def _remember(self) -> None:
        self._memory.remember("single_keys", self.choice)
