"""Asks how another version of a plan should differ: one line for the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal

from chimein_gui.ui.dialogs.small_dialog import SmallDialog
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.theme.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

translate = QCoreApplication.translate


class InstructionDialog(SmallDialog):
    """Asks for the instruction. Open it with open().

    Attributes:
        given: The operator entered an instruction; carries it, blank only if it may be.
    """

    given = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget, words: str = "", *, may_be_empty: bool = False) -> None:
        """Create the dialog.

        Args:
            theme: Colours and fonts.
            parent: The window.
            words: They stand in the field at first.
            may_be_empty: The new version may be asked for without an instruction.
        """
        self._may_be_empty = may_be_empty
        title = translate("Instruction", "How should the new version be?")
        self.ask = ActionButton(theme, translate("Instruction", "Regenerate"), icon="refresh", kind=Kind.PRIMARY)
        super().__init__(
            theme, title, translate("Instruction", "The draft stays until you choose the new one."), self.ask, parent
        )
        self.field = LineField(theme, title, hint=translate("Instruction", "shorter, and ask when he has time"))
        self.middle.addWidget(self.field)
        self.field.setText(" ".join(words.split()))
        self.ask.setDefault(True)
        self.ask.clicked.connect(self._give)
        self.field.textChanged.connect(self._look)
        self._look()
        self.field.setFocus()
        self.fit()

    def _look(self) -> None:
        self.ask.allow("" if self.field.text().strip() or self._may_be_empty else self.tr("Nothing typed yet"))

    def _give(self) -> None:
        words = self.field.text().strip()
        if words or self._may_be_empty:
            self.accept()
            self.given.emit(words)
