"""The frame of a small dialog: a title, an explanation, contents, and two buttons at the trailing edge."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.controls.spoken_role import spoken
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import GROUND, Face, Theme

WIDTH = 420


class SmallDialog(QDialog):
    """A dialog that is as high as its contents; Escape and the first button close it. Open it with open()."""

    def __init__(self, theme: Theme, title: str, words: str, action: ActionButton, parent: QWidget) -> None:
        """Build the frame.

        Args:
            theme: Colours and fonts.
            title: One line.
            words: The explanation; the caller isolates names in it.
            action: The button that confirms; the caller connects it.
            parent: The window.
        """
        super().__init__(parent)
        self._theme = theme
        self._fits = False
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.setProperty(GROUND, "card")
        self.setWindowTitle(title)
        self.setAccessibleName(spoken(title))
        self.setAccessibleDescription(spoken(words))
        explanation = PlainLabel(theme, words, Face.BODY, "text2")
        explanation.setWordWrap(True)
        self.leave = ActionButton(theme, self.tr("Cancel"))
        self.leave.clicked.connect(self.reject)
        self.middle = QVBoxLayout()
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addStretch(1)
        foot.addWidget(self.leave)
        foot.addWidget(action)
        self._column = QVBoxLayout(self)
        self._column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._column.setContentsMargins(24, 20, 24, 18)
        self._column.setSpacing(10)
        self._column.addWidget(PlainLabel(theme, title, Face.TITLE))
        self._column.addWidget(explanation)
        self._column.addLayout(self.middle)
        self._column.addSpacing(8)
        self._column.addLayout(foot)

    def fit(self, width: int = WIDTH) -> None:
        """Resize to the contents; call this once they are complete."""
        self._fits = True
        self.resize(width, self._wanted_height(width))

    def event(self, event: QEvent) -> bool:
        """Resize when the contents change, so that a new line does not clip the field above it."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self._fits:
            wanted = self._wanted_height(self.width())
            if wanted > self.height():
                self.resize(self.width(), wanted)
        return handled

    def _wanted_height(self, width: int) -> int:
        return max(self._column.heightForWidth(width), self._column.minimumSize().height())
