"""A read-only text of runs with formats; it can be scrolled and selected."""

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
    """A read-only text; the caller sets its accessible description."""

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
        self._take_font()
        theme.fonts_changed.connect(self._take_font)  # not a lambda: that would outlive the text of a closed dialog

    def _take_font(self) -> None:
        self._theme.apply(self, Face.BODY)

    def fill(self, runs: Sequence[tuple[str, QTextCharFormat]], description: str) -> list[int]:
        """Show runs of one text, and keep the scroll position.

        Args:
            runs: Texts, shown literally, and their formats.
            description: The accessible description.

        Returns:
            The end position of each run in the document.
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
        """Return the format of unchanged text."""
        made = QTextCharFormat()
        made.setForeground(self._theme.color(ink))
        return made
