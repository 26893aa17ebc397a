"""The page for the two-step verification password, with its owner's hint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from chimein_gui.ui.dialogs.login.page import Page
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.controls.spoken_role import spoken
from chimein_gui.ui.widgets.surfaces.inline_message import DIALOG, InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel

if TYPE_CHECKING:
    from chimein_gui.domain.accounts.sign_in import LoginState
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.accounts.login import LoginModel


class PasswordPage(Page):
    """The field is cleared as soon as the page is left."""

    def __init__(self, theme: Theme, model: LoginModel) -> None:
        super().__init__(theme, model)
        self.field = LineField(theme, self.tr("Password"))
        hints = Qt.InputMethodHint.ImhHiddenText | Qt.InputMethodHint.ImhSensitiveData
        self.field.setInputMethodHints(hints | Qt.InputMethodHint.ImhNoPredictiveText)
        self.eye = ActionButton(theme, "", icon="eye")
        self.eye.setCheckable(True)
        self.eye.toggled.connect(self._look)
        self.note = InlineMessage(theme, DIALOG)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        row.addWidget(self.eye)
        self.column.addWidget(self.label(self.field.accessibleName(), self.field))
        self.column.addLayout(row)
        self.column.addWidget(self.trouble)
        self.column.addSpacing(4)
        self.column.addWidget(self.note)
        self.column.addSpacing(4)
        self.column.addWidget(self.quiet(self.tr("Used once, never stored.")))
        self.column.addStretch(1)
        self._look(shown=False)

    def show_state(self, state: LoginState) -> None:
        super().show_state(state)
        self.field.setReadOnly(bool(state.busy))
        hint = foreign_text.line(state.hint, 200)
        words = self.tr("Hint: {hint}").format(hint=foreign_text.isolated(hint)) if hint else ""
        self.note.say(IconLabel("question", words, "text2"))
        self.field.setAccessibleDescription(spoken(words))
        if state.trouble is not None and self.isVisible():
            self.field.setFocus()
            self.field.selectAll()

    def focus_place(self) -> QWidget:
        return self.field

    def left(self) -> None:
        self.field.setText("")  # clear() could be undone while the password is shown
        self.eye.setChecked(False)

    def primary(self, state: LoginState) -> str:
        return self.tr("Save again") if self.model.can_save_again() else self.tr("Log in")

    def why_not(self) -> str:
        typed = self.field.text() or self.model.can_save_again()
        return "" if typed else self.tr("Enter the password")

    def press(self) -> None:
        if self.model.can_save_again():
            self.model.try_again()
        else:
            self.model.enter_password(self.field.text())

    def other(self, state: LoginState) -> str:
        return self.tr("Back")

    def press_other(self) -> None:
        self.model.go_back()

    def _look(self, shown: bool) -> None:
        self.field.setEchoMode(QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password)
        self.eye.set_look("", icon="eye-off" if shown else "eye", kind=Kind.PLAIN)
        self.eye.setAccessibleName(self.tr("Hide the password") if shown else self.tr("Show the password"))
