"""What the Costs pane tells of a change or an export, with a way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.surfaces.inline_message import ROW, InlineMessage

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme


class CostNews(InlineMessage):
    """A line with at most two buttons.

    Attributes:
        folder_wanted: The folder of the file that was written is to be opened; carries the file's path.
        undo_it: Takes the last cap back.
        folder: Asks for the folder.
    """

    folder_wanted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, ROW, is_alert=True)
        self._path = ""
        self.folder = ActionButton(theme, self.tr("Open folder"))
        self.undo_it = ActionButton(theme, "")
        for button in (self.folder, self.undo_it):
            self.add(button)
        self.folder.clicked.connect(lambda _checked=False: self.folder_wanted.emit(self._path))
        self.offer()

    def offer(self, undo: str = "", path: str = "") -> None:
        """Show the buttons: that of the way back in these words, and that of a file; empty hides them."""
        self._path = path
        self.undo_it.setText(undo)
        self.undo_it.setVisible(bool(undo))
        self.folder.setVisible(bool(path))
