"""A line of the pane for running and finished operations: an export, a revoked rule, an error; with one button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, MOST_CHARACTERS, InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.ui.widgets.theme.theme import Theme


class News(QWidget):
    """Hidden while it is empty; a new message replaces the former one."""

    def __init__(self, theme: Theme, *, gap_below: int = 0) -> None:
        """Show nothing yet.

        Args:
            theme: The theme.
            gap_below: Room between the line and what is below it, px; the line hides with it.
        """
        super().__init__()
        self.message = InlineMessage(theme, BOX, is_alert=True)
        self.button = ActionButton(theme, "")
        self.close_it = ActionButton(theme, "", icon="x", kind=Kind.QUIET)
        self.close_it.setAccessibleName(self.tr("Close this message"))
        self._act: Callable[[], None] | None = None
        self.message.add(self.button)
        self.message.add(self.close_it)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 12, gap_below)
        row.addWidget(self.message)
        self.button.clicked.connect(lambda _checked=False: self.act())
        self.close_it.clicked.connect(lambda _checked=False: self.say(None))
        self.hide()

    def say(self, label: IconLabel | None, offer: str = "", act: Callable[[], None] | None = None) -> None:
        """Show a message with an optional button; None hides the line."""
        self._act = act
        self.button.setText(offer)
        self.button.setVisible(bool(offer))
        self.message.say(label)
        self.setVisible(label is not None)

    def fail(self, words: str, offer: str = "", act: Callable[[], None] | None = None) -> None:
        """Show an error with an optional button."""
        self.say(IconLabel("alert", foreign_text.line(words, MOST_CHARACTERS), "danger"), offer, act)

    def act(self) -> None:
        """Run the action of the button."""
        act, self._act = self._act, None
        self.button.hide()
        if act is not None:
            act()
