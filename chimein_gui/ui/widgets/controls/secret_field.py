"""A line edit for a secret: hidden while it is typed, with a button that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.controls.form_fields import LineField

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme


class SecretField(QWidget):
    """Screen readers and screenshots get the text only while it is shown.

    Attributes:
        edited: The operator changed the text.
    """

    edited = Signal()

    def __init__(self, theme: Theme, name: str, *, hint: str = "", most: int = 400) -> None:
        super().__init__()
        self.line = LineField(theme, name, hint=hint)
        self.line.setMaxLength(most)
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        hints = Qt.InputMethodHint.ImhHiddenText | Qt.InputMethodHint.ImhSensitiveData
        self.line.setInputMethodHints(hints | Qt.InputMethodHint.ImhNoPredictiveText)
        self.line.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.eye = ActionButton(theme, "", icon="eye")
        self.eye.setFixedWidth(32)
        self.eye.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFocusProxy(self.line)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.line, 1)
        row.addWidget(self.eye)
        self.eye.clicked.connect(self._look)
        self.line.textEdited.connect(lambda _text: self.edited.emit())
        self._name_eye()

    def text(self) -> str:
        """Return the text without surrounding blanks."""
        return self.line.text().strip()

    def clear(self) -> None:
        """Remove the text, and hide what is typed next."""
        self.line.setText("")  # clear() could be undone while the text is shown
        self._show(shown=False)

    def _look(self) -> None:
        self._show(shown=self.line.echoMode() is QLineEdit.EchoMode.Password)

    def _show(self, *, shown: bool) -> None:
        self.line.setEchoMode(QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password)
        self.eye.set_look("", icon="eye-off" if shown else "eye")
        self._name_eye()

    def _name_eye(self) -> None:
        hidden = self.line.echoMode() is QLineEdit.EchoMode.Password
        name = self.tr("Show {field}") if hidden else self.tr("Hide {field}")
        self.eye.setAccessibleName(name.format(field=self.line.accessibleName()))
