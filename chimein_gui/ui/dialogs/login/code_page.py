"""The code that Telegram sent."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QWidget

from chimein_gui.domain.sign_in import LoginState
from chimein_gui.ui.dialogs.login.code_field import CodeField
from chimein_gui.ui.dialogs.login.page import Page
from chimein_gui.ui.dialogs.login.time_line import TimeLine
from chimein_gui.ui.widgets.marks import Sign
from chimein_gui.ui.widgets.notice import Notice
from chimein_gui.ui.widgets.theme import Theme
from chimein_gui.ui.widgets.verb_button import Kind, VerbButton
from chimein_gui.viewmodels.login import LoginModel
from chimein_gui.viewmodels.login_words import again_word


class CodePage(Page):
    """Boxes; below them what was wrong, a warning, and when another code can be asked for."""

    def __init__(self, theme: Theme, model: LoginModel) -> None:
        super().__init__(theme, model)
        self.field = CodeField(theme)
        self.field.completed.connect(self.press)
        self._tried = ""
        self.note = Notice(theme, roomy=True)
        words = self.tr("Type it only here. Give it to nobody, and paste it into no chat.")
        self.time = TimeLine(theme)
        self.again = VerbButton(theme, "", kind=Kind.LINK)
        self.again.clicked.connect(lambda _checked=False: self._ask_again())
        self._stack = QStackedLayout()
        row = QWidget()
        again = QHBoxLayout(row)
        again.setContentsMargins(0, 0, 0, 0)
        again.addWidget(self.again)
        again.addStretch(1)
        self._again_row = row
        self._stack.addWidget(self.time)
        self._stack.addWidget(row)
        self.column.setContentsMargins(24, 24, 20, 12)
        self.column.addWidget(self.field, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(self.trouble)
        self.column.addWidget(self.note)
        self.note.say(Sign("warning", words, "attention"))
        self.column.addLayout(self._stack)
        self.column.addStretch(1)

    def show_state(self, state: LoginState) -> None:
        super().show_state(state)
        self.field.set_length(state.code.length if state.code is not None else 0)
        self.field.set_wrong(wrong=state.trouble is not None)
        self.field.setReadOnly(bool(state.busy))
        self.again.setText(again_word(state.code))
        self.again.updateGeometry()
        self.again.allow(state.busy)
        self.show_times()
        if state.trouble is not None and self.isVisible():
            self.field.setFocus()
            self.field.selectAll()

    def show_times(self) -> None:
        left = self.model.resend_left()
        self.time.say(self.tr("New code possible in {time}").format(time=left) if left else "")
        self._stack.setCurrentWidget(self.time if left else self._again_row)

    def focus_place(self) -> QWidget:
        return self.field

    def left(self) -> None:
        self.field.setText("")

    def primary(self, state: LoginState) -> str:
        return self.tr("Save again") if self.model.can_save_again() else self.tr("Check")

    def why_not(self) -> str:
        complete = self.field.is_complete() or self.model.can_save_again()
        return "" if complete else self.tr("The code is not complete yet")

    def press(self) -> None:
        if self.model.can_save_again():
            self.model.try_again()
        elif not self.field.isReadOnly():
            self.model.enter_code(self.field.text())

    def other(self, state: LoginState) -> str:
        return self.tr("Change number")

    def press_other(self) -> None:
        self.model.go_back()

    def _ask_again(self) -> None:
        self.field.setText("")
        self.field.setFocus()
        self.model.resend_code()
