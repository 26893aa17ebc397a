"""Asks for a confirmation before something that can't be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from chimein_gui.ui.dialogs.small_dialog import SmallDialog
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.theme.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class QuestionDialog(SmallDialog):
    """A confirmation; Cancel has the focus, so that Return changes nothing.

    Attributes:
        agreed: The operator confirmed.
    """

    agreed = Signal()

    def __init__(
        self, theme: Theme, title: str, words: str, action: str, parent: QWidget, *, icon: str = "warning"
    ) -> None:
        """Build the dialog.

        Args:
            theme: Colours and fonts.
            title: The question, one line.
            words: The consequences; the caller isolates names in it.
            action: The text of the button that confirms.
            parent: The window.
            icon: The icon of that button.
        """
        self.action = ActionButton(theme, action, icon=icon, kind=Kind.DANGER)
        super().__init__(theme, title, words, self.action, parent)
        self.action.clicked.connect(self._agree)
        self.leave.setFocus()
        self.fit()

    def _agree(self) -> None:
        self.accept()
        self.agreed.emit()
