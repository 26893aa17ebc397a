"""Asks for what is put into a plan: the text of a message, or the length of a wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal

from chimein_gui.domain.plans.step_edits import LONGEST_DELAY_S
from chimein_gui.ui.dialogs.small_dialog import SmallDialog
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import SecondsField
from chimein_gui.ui.widgets.controls.message_editor import MessageEditor

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.widgets.theme.theme import Theme

translate = QCoreApplication.translate


class AskMessage(SmallDialog):
    """Asks for a text; Ctrl+Enter inserts it. Open it with open().

    Attributes:
        given: The operator pressed Insert; carries the text, never blank.
    """

    given = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        title = translate("AskStep", "Insert message")
        self.insert = ActionButton(theme, translate("AskStep", "Insert"), icon="check", kind=Kind.PRIMARY)
        words = translate("AskStep", "It is decided upon like every other message of the plan. Ctrl+Enter inserts it.")
        super().__init__(theme, title, words, self.insert, parent)
        self.editor = MessageEditor(theme, lines=(3, 8))
        self.editor.field.setAccessibleName(translate("AskStep", "Text of the message"))
        self.middle.addWidget(self.editor)
        self.insert.clicked.connect(self._give)
        self.editor.submitted.connect(self._give)
        self.editor.cancelled.connect(self.reject)
        self.editor.changed.connect(self._look)
        self._look()
        self.editor.setFocus()
        self.fit()

    def _look(self) -> None:
        self.insert.allow("" if self.editor.text().strip() else translate("AskStep", "Nothing typed yet"))

    def _give(self) -> None:
        text = self.editor.text().strip()
        if text:
            self.accept()
            self.given.emit(text)


class AskWait(SmallDialog):
    """Asks for the length of a wait. Open it with open().

    Attributes:
        given: The operator confirmed; carries the length in seconds.
    """

    given = Signal(float)

    def __init__(self, theme: Theme, parent: QWidget, *, seconds: float, is_new: bool) -> None:
        """`seconds` is shown first; `is_new` tells whether a wait is inserted or changed."""
        title = translate("AskStep", "Insert wait") if is_new else translate("AskStep", "Change wait")
        word = translate("AskStep", "Insert") if is_new else translate("AskStep", "Change")
        words = translate("AskStep", "The steps behind it continue when it is over. It may last up to 24 hours.")
        self.confirm = ActionButton(theme, word, icon="check", kind=Kind.PRIMARY)
        super().__init__(theme, title, words, self.confirm, parent)
        self.field = SecondsField(theme, translate("AskStep", "Seconds"), most=LONGEST_DELAY_S, width=140)
        self.field.setValue(seconds)
        self.field.selectAll()
        self.middle.addWidget(self.field)
        self.confirm.setDefault(True)
        self.confirm.clicked.connect(self._give)
        self.field.setFocus()
        self.fit()

    def _give(self) -> None:
        self.field.interpretText()
        self.accept()
        self.given.emit(self.field.value())
