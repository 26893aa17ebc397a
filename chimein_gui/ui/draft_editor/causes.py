"""The list of reasons for a rejection; a press on one rejects with it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from chimein_gui.domain.approvals import RejectionCause
from chimein_gui.ui.widgets.controls.verb_button import Kind, VerbButton
from chimein_gui.ui.widgets.theme.theme import Theme
from chimein_gui.viewmodels.decisions.words import cause_words

IN_A_ROW = 3


class Causes(QWidget):
    """A button for each reason, with the digit that presses it.

    Attributes:
        picked: A reason was pressed; carries the `RejectionCause`.
    """

    picked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(6)
        grid.setColumnStretch(IN_A_ROW, 1)
        self.setAccessibleName(self.tr("Reasons"))
        self._buttons: list[VerbButton] = []
        for place, cause in enumerate(RejectionCause):
            words = self.tr("Other…") if cause is RejectionCause.OTHER else cause_words(cause)
            button = VerbButton(theme, words, key=str(place + 1), kind=Kind.QUIET)
            button.clicked.connect(lambda _checked=False, cause=cause: self.picked.emit(cause))
            grid.addWidget(button, place // IN_A_ROW, place % IN_A_ROW)
            self._buttons.append(button)

    def buttons(self) -> tuple[VerbButton, ...]:
        """Return the buttons in the order of `RejectionCause`."""
        return tuple(self._buttons)
