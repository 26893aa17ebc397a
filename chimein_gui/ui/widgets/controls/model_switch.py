"""The switch between written answers and Gemini in the sandbox, with a sentence that explains the choice."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.rehearsal.model_choice import ORDER, ModelChoiceModel


class ModelSwitch(QWidget):
    """Hidden if there is no choice, as in a live run."""

    def __init__(self, theme: Theme, choice: ModelChoiceModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._choice = choice
        words = (self.tr("Written answers"), self.tr("Gemini"))
        self.segments = Segments(theme, words, self.tr("Who answers"))
        self._says = PlainLabel(theme, "", Face.SMALL, "text2")
        self._says.setWordWrap(True)
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(PlainLabel(theme, self.tr("Who answers"), Face.STRONG))
        line.addWidget(self.segments)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(line)
        column.addWidget(self._says)
        self.segments.chosen.connect(lambda place: choice.choose(ORDER[place]))
        choice.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Update the switch and the sentence."""
        self.setVisible(self._choice.is_here)
        self.segments.choose(1 if self._choice.is_real else 0)
        self._says.set_color("danger" if self._choice.lacks_key else "text2")
        self._says.setText(self._choice.words())
