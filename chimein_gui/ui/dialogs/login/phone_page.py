"""The page for the phone number to which a code is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from chimein_gui.ui.dialogs.login.page import Page
from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.surfaces.inline_message import DIALOG, InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.accounts.sign_in import LoginState
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.accounts.login import LoginModel


class PhonePage(Page):
    """One field; below it, where the number comes from and what changes with another number."""

    def __init__(self, theme: Theme, model: LoginModel) -> None:
        super().__init__(theme, model)
        self.field = LineField(theme, self.tr("Phone number"), hint="+999 66 …")
        self.field.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.field.setInputMethodHints(Qt.InputMethodHint.ImhDialableCharactersOnly)
        self.origin = self.quiet("")
        self.note = InlineMessage(theme, DIALOG)
        self._phone = self._shown = ""
        self._is_entered = False
        words = self.tr("Telegram decides how you get the code. The next page tells you.")
        self.column.addWidget(self.label(self.field.accessibleName(), self.field))
        self.column.addWidget(self.field)
        self.column.addWidget(self.trouble)
        self.column.addWidget(self.origin)
        self.column.addSpacing(8)
        self.column.addWidget(self.note)
        self.note.say(IconLabel("info", words, "info"))
        self.column.addStretch(1)

    def show_state(self, state: LoginState) -> None:
        super().show_state(state)
        self._phone = state.phone
        if self._is_entered:
            self._fill()
        self.field.setReadOnly(bool(state.busy))
        file = foreign_text.isolated(state.source)
        words = self.tr("From {file}. Logging in with another number changes the file.").format(file=file)
        self.origin.setText(words if state.source else self.tr("A different number is not saved to the agent’s file."))

    def entered(self) -> None:
        """Focus the field, and fill it only then.

        A screen reader takes a caret that moves in the focused field for a sign that it has read the field already.
        """
        super().entered()
        self._is_entered = True
        self._fill()

    def left(self) -> None:
        self._is_entered = False

    def _fill(self) -> None:
        if self._phone != self._shown:
            self._shown = self._phone
            self.field.setText(self._phone)

    def focus_place(self) -> QWidget:
        return self.field

    def primary(self, state: LoginState) -> str:
        return self.tr("Save again") if self.model.can_save_again() else self.tr("Send code")

    def why_not(self) -> str:
        return "" if self.field.text().strip() else self.tr("Enter a phone number")

    def press(self) -> None:
        if self.model.can_save_again():
            self.model.try_again()
        else:
            self.model.send_code(self.field.text())

    def other(self, state: LoginState) -> str:
        return self.tr("Use QR instead")

    def press_other(self) -> None:
        self.model.use_qr()
