"""A line for a secret: hidden as it is typed, with an eye to look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.controls.verb_button import VerbButton

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme


class SecretField(QWidget):
    """The text is never part of what a screen reader or a picture gets unless the eye is open.

    Attributes:
        edited: The operator changed it.
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
        self.eye = VerbButton(theme, "", icon="eye")
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
        """Return what was typed, without blanks around it."""
        return self.line.text().strip()

    def clear(self) -> None:
        """Forget it, and close the eye."""
        self.line.setText("")  # clear() could be undone, once the eye is open
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
