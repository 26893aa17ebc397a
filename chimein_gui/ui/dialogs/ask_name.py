"""Asks for a name: one field, two buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import GROUND, Face, Theme


class AskNameDialog(QDialog):
    """A dialog with one line edit; an empty name can't be saved. Open it with open().

    Attributes:
        named: The operator pressed Save; the receiver calls `refuse` or closes the dialog.
    """

    named = Signal(str)

    def __init__(self, theme: Theme, title: str, most: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.setProperty(GROUND, "card")
        self.setMinimumSize(360, 150)
        self.field = QLineEdit()
        theme.apply(self.field, Face.BODY)
        self.field.setMaxLength(most)
        self.field.setAccessibleName(title)
        self._refusal = PlainLabel(theme, "", Face.SMALL, "danger")
        self._refusal.setWordWrap(True)
        self._refusal.hide()
        self.keep = ActionButton(theme, self.tr("Save"), kind=Kind.PRIMARY)
        leave = ActionButton(theme, self.tr("Cancel"))
        self.keep.setDefault(True)
        self.keep.allow(self.tr("Enter a name"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        column.addWidget(PlainLabel(theme, title, Face.TITLE))
        column.addWidget(self.field)
        column.addWidget(self._refusal)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(leave)
        row.addWidget(self.keep)
        column.addLayout(row)
        leave.clicked.connect(self.reject)
        self.keep.clicked.connect(lambda _checked=False: self.named.emit(self.field.text()))
        self.field.textChanged.connect(self._typed)

    def refuse(self, why: str) -> None:
        """Show why this name can't be used, until another one is typed."""
        self._refusal.setText(why)
        self._refusal.show()
        self.field.setFocus()

    def _typed(self, text: str) -> None:
        self.keep.allow("" if text.strip() else self.tr("Enter a name"))
        self._refusal.hide()
