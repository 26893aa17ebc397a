"""The base class of the login pages, and labels that several of them use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from chimein_gui.ui.widgets.surfaces.inline_message import LINE, InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from PySide6.QtGui import QFont

    from chimein_gui.domain.accounts.sign_in import LoginState
    from chimein_gui.viewmodels.accounts.login import LoginModel

SIDE = 24
MOST = 200
"""Most characters of an error message: every page has room for these."""


def larger(theme: Theme, face: Face, share: float) -> QFont:
    """Return a font of the theme, scaled by `share`."""
    font = theme.font(face)
    font.setPointSizeF(font.pointSizeF() * share) if font.pointSizeF() > 0 else font.setPixelSize(
        round(font.pixelSize() * share)
    )
    return font


class Page(QWidget):
    """One step of the login. The dialog draws head and buttons, and asks the page what its buttons do."""

    def __init__(self, theme: Theme, model: LoginModel) -> None:
        super().__init__()
        self.theme, self.model = theme, model
        self.trouble = InlineMessage(theme, LINE, is_alert=True)
        self.trouble.setParent(self)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(SIDE, 20, SIDE, 12)
        self.column.setSpacing(8)

    def show_state(self, state: LoginState) -> None:
        """Show a state of this step."""
        self.trouble.refuse(foreign_text.line(note_sentence(state.note), MOST) if state.trouble is not None else "")

    def show_times(self) -> None:
        """Update the countdowns; called every second."""

    def entered(self) -> None:
        """Focus the field: the page was just shown."""
        self.focus_place().setFocus()

    def left(self) -> None:
        """Clear secret inputs: another page is shown now."""

    def focus_place(self) -> QWidget:
        """Return the widget that gets the focus first."""
        return self

    def primary(self, state: LoginState) -> str:
        """Return the text of the primary button; empty for none."""
        return ""

    def why_not(self) -> str:
        """Return why the primary button is disabled; empty if it is enabled."""
        return ""

    def press(self) -> None:
        """Handle the primary button."""

    def other(self, state: LoginState) -> str:
        """Return the text of the secondary button at the other side; empty for none."""
        return ""

    def press_other(self) -> None:
        """Handle the secondary button."""

    def label(self, words: str, field: QWidget | None = None) -> PlainLabel:
        """Return a small label; `field` becomes its buddy."""
        made = PlainLabel(self.theme, words, Face.SMALL_STRONG, "text2")
        if field is not None:
            made.setBuddy(field)
        return made

    def quiet(self, words: str) -> PlainLabel:
        """Return a label in the secondary text colour that wraps."""
        made = PlainLabel(self.theme, words, Face.SMALL, "text2")
        made.setWordWrap(True)
        return made
