"""The page for the code that Telegram sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedLayout, QWidget

from chimein_gui.ui.dialogs.login.code_field import CodeField
from chimein_gui.ui.dialogs.login.page import Page
from chimein_gui.ui.dialogs.login.time_line import TimeLine
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.surfaces.inline_message import DIALOG, InlineMessage
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.accounts.login_words import again_word, beginning_words, words_title, work_words

if TYPE_CHECKING:
    from chimein_gui.domain.accounts.sign_in import LoginState, SentCode
    from chimein_gui.viewmodels.accounts.login import LoginModel

_MOST = 200
"""Most characters of a phrase; Telegram's phrases have a few words."""


class CodePage(Page):
    """The code field; below it the error, a warning, and when another code can be requested."""

    def __init__(self, theme: Theme, model: LoginModel) -> None:
        super().__init__(theme, model)
        self.field = CodeField(theme)
        self.field.completed.connect(self.press)
        self.words = LineField(theme, "")
        self.words.setInputMethodHints(Qt.InputMethodHint.ImhNoPredictiveText | Qt.InputMethodHint.ImhSensitiveData)
        self.words.setMaxLength(_MOST)
        self.words.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._title, self.beginning = self.label("", self.words), PlainLabel(theme, "", Face.SMALL, "text2")
        self._is_words = False
        self.note = InlineMessage(theme, DIALOG)
        words = self.tr("Never share this code or paste it into a chat.")
        self.time = TimeLine(theme)
        self.again = ActionButton(theme, "", kind=Kind.LINK)
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
        set_rtl_margins(self.column, 24, 24, 20, 12)
        self.column.addWidget(self.field, 0, Qt.AlignmentFlag.AlignLeft)
        titles = QHBoxLayout()
        titles.addWidget(self._title)
        titles.addStretch(1)
        titles.addWidget(self.beginning)
        self.column.addLayout(titles)
        self.column.addWidget(self.words)
        self.column.addWidget(self.trouble)
        self.column.addWidget(self.note)
        self.note.say(IconLabel("warning", words, "attention"))
        self.column.addLayout(self._stack)
        self.column.addStretch(1)

    def show_state(self, state: LoginState) -> None:
        super().show_state(state)
        self._take_form(state.code)
        self.field.set_wrong(wrong=state.trouble is not None)
        self.words.mark_wrong(wrong=state.trouble is not None)
        self.field.setReadOnly(bool(state.busy))
        self.words.setReadOnly(bool(state.busy))
        self.again.setText(again_word(state.code))
        self.again.updateGeometry()
        self.again.allow(work_words(state.busy))
        self.show_times()
        if state.trouble is not None and self.isVisible():
            self.focus_place().setFocus()
            self.focus_place().selectAll()

    def _take_form(self, code: SentCode | None) -> None:
        """Show boxes for a code of characters, or a line edit for a phrase, which has blanks and an unknown length."""
        title = words_title(code) if code is not None else ""
        beginning = beginning_words(code) if code is not None else ""
        self.field.set_length(code.length if code is not None else 0)
        self._title.setText(title)
        self.words.setAccessibleName(title)
        self.words.setAccessibleDescription(beginning)
        self.beginning.setText(beginning)
        had_focus = self.focus_place().hasFocus()
        self._is_words = bool(title)
        self.field.setVisible(not title)
        for widget in (self._title, self.words):
            widget.setVisible(bool(title))
        self.beginning.setVisible(bool(beginning))
        if had_focus:
            self.focus_place().setFocus()

    def show_times(self) -> None:
        left = self.model.resend_left()
        self.time.say(self.tr("New code possible in {time}").format(time=left) if left else "")
        self._stack.setCurrentWidget(self.time if left else self._again_row)

    def focus_place(self) -> QLineEdit:
        return self.words if self._is_words else self.field

    def left(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self.field.setText("")
        self.words.setText("")

    def primary(self, state: LoginState) -> str:
        return self.tr("Save again") if self.model.can_save_again() else self.tr("Check")

    def why_not(self) -> str:
        typed = bool(self.words.text().strip()) if self._is_words else self.field.is_complete()
        return "" if typed or self.model.can_save_again() else self.tr("The code is incomplete")

    def press(self) -> None:
        if self.model.can_save_again():
            self.model.try_again()
        elif not self.focus_place().isReadOnly():
            self.model.enter_code(self.focus_place().text())

    def other(self, state: LoginState) -> str:
        return self.tr("Change number")

    def press_other(self) -> None:
        self.model.go_back()

    def _ask_again(self) -> None:
        self._forget()
        self.focus_place().setFocus()
        self.model.resend_code()
