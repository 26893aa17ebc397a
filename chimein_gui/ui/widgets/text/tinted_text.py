"""A text of runs in several formats; it can be scrolled, selected, and read by a screen reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from chimein_gui.ui.widgets.text.text_block import runs_right_to_left
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from collections.abc import Sequence


class TintedText(QPlainTextEdit):
    """Only shows; whoever fills it says what the screen reader hears."""

    def __init__(self, theme: Theme, name: str = "") -> None:
        super().__init__()
        self._theme, self._name = theme, name
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(2)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        theme.apply(self, Face.BODY)
        theme.fonts_changed.connect(lambda: theme.apply(self, Face.BODY))

    def fill(self, runs: Sequence[tuple[str, QTextCharFormat]], description: str) -> list[int]:
        """Show runs of one text, and stay where it was scrolled to.

        Args:
            runs: Words and how they look; the words are shown as they are.
            description: What a screen reader tells of them beside the words.

        Returns:
            Where each run ends in the document.
        """
        bar = self.verticalScrollBar()
        scrolled = bar.value()
        self.clear()
        option = self.document().defaultTextOption()
        turned = runs_right_to_left("".join(words for words, _look in runs))
        option.setTextDirection(Qt.LayoutDirection.RightToLeft if turned else Qt.LayoutDirection.LeftToRight)
        self.document().setDefaultTextOption(option)
        cursor = QTextCursor(self.document())
        ends = []
        for words, look in runs:
            cursor.insertText(words, look)
            ends.append(cursor.position())
        bar.setValue(scrolled)
        self.setAccessibleName(self._name)
        self.setAccessibleDescription(description)
        return ends

    def plain(self, ink: str = "text1") -> QTextCharFormat:
        """Return how words look that nothing happened to."""
        made = QTextCharFormat()
        made.setForeground(self._theme.color(ink))
        return made
