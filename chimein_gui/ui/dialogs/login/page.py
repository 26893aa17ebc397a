"""The base class of the log-in's pages, and lines that several of them show."""

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
"""Characters of a trouble: there is so much room on every page."""


def larger(theme: Theme, face: Face, share: float) -> QFont:
    """Return one of the theme's fonts in another size."""
    font = theme.font(face)
    font.setPointSizeF(font.pointSizeF() * share) if font.pointSizeF() > 0 else font.setPixelSize(
        round(font.pixelSize() * share)
    )
    return font


class Page(QWidget):
    """One step. The dialog draws head and foot, and asks the page what its buttons do."""

    def __init__(self, theme: Theme, model: LoginModel) -> None:
        super().__init__()
        self.theme, self.model = theme, model
        self.trouble = InlineMessage(theme, LINE, is_alert=True)
        self.trouble.setParent(self)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(SIDE, 20, SIDE, 12)
        self.column.setSpacing(8)

    def show_state(self, state: LoginState) -> None:
        """Take a new state of this step."""
        self.trouble.refuse(foreign_text.line(note_sentence(state.note), MOST) if state.trouble is not None else "")

    def show_times(self) -> None:
        """A second went by."""

    def entered(self) -> None:
        """The page has just come into sight: the field gets the focus."""
        self.focus_place().setFocus()

    def left(self) -> None:
        """Another page is in sight now: what is secret is forgotten."""

    def focus_place(self) -> QWidget:
        """Return what has the focus at first."""
        return self

    def primary(self, state: LoginState) -> str:
        """Return what the loud button says; empty for none."""
        return ""

    def why_not(self) -> str:
        """Return why it cannot be pressed; empty if it can be."""
        return ""

    def press(self) -> None:
        """Do what the loud button says."""

    def other(self, state: LoginState) -> str:
        """Return what the quiet button at the other side says; empty for none."""
        return ""

    def press_other(self) -> None:
        """Do what the quiet button says."""

    def label(self, words: str, field: QWidget | None = None) -> PlainLabel:
        """Return the small label over a field."""
        made = PlainLabel(self.theme, words, Face.SMALL_STRONG, "text2")
        if field is not None:
            made.setBuddy(field)
        return made

    def quiet(self, words: str) -> PlainLabel:
        """Return a quiet line that wraps."""
        made = PlainLabel(self.theme, words, Face.SMALL, "text2")
        made.setWordWrap(True)
        return made
