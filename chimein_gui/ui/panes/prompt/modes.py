"""What the modes of the Prompt pane have in common: each shows the prompt in its own way, beside the list of parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from chimein_gui.viewmodels.prompt.sections import PartRow

Keys = tuple[tuple[tuple[str, ...], str], ...]
"""Keys with their words, as `KeyLegend` takes them."""


class PromptMode(QWidget):
    """One mode. The pane calls it only while it is in sight.

    Attributes:
        word: Its name in the switch of modes.
        letter: The key that chooses it in the list of parts, upper case.
        keys: The keys that the foot of the pane names.
    """

    word: str
    letter: str
    keys: Keys

    def show_prompt(self) -> None:
        """Show the prompt of the model: it changed, or the mode came into sight."""
        raise NotImplementedError

    def show_part(self, row: PartRow | None, *, scroll: bool) -> None:
        """Mark a part; with `scroll` it was just chosen, and is brought into sight."""

    def enter(self, row: PartRow | None) -> None:
        """Take the focus: Return was pressed on a part."""
        self.setFocus()
