"""The editor of one place of the prompt: its changed lines are set off, and Ctrl+Z undoes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QFontDatabase, QTextCursor, QTextFormat
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit

from chimein_gui.domain.text.line_changes import line_changes
from chimein_gui.domain.text.word_changes import WordChange
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.sanitize import sanitize

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme


class PlaceEditor(QPlainTextEdit):
    """Shows control characters and direction overrides as everywhere in the window; it emits what is typed alone."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._original = ""
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(10)
        self._take_font()
        theme.changed.connect(self._mark)
        theme.fonts_changed.connect(self._take_font)
        self.textChanged.connect(self._mark)

    @property
    def lines_changed(self) -> int:
        """Return how many lines differ from the builder's text; removed ones count, too."""
        changes = line_changes(self._original, self.toPlainText())
        return max(
            sum(one.change is WordChange.ADDED for one in changes),
            sum(one.change is WordChange.REMOVED for one in changes),
        )

    def show_text(self, original: str, text: str) -> None:
        """Show a place: the text of the builder, and the same with edits. What stands there already stays."""
        self._original = sanitize(original, keep_breaks=True)
        shown = sanitize(text, keep_breaks=True)
        if shown != self.toPlainText():
            blocked = self.blockSignals(True)
            self.setPlainText(shown)
            self.blockSignals(blocked)
        self._mark()

    def _mark(self) -> None:
        """Set off the lines that were added or changed."""
        marked = []
        for one in line_changes(self._original, self.toPlainText()):
            if one.change is WordChange.ADDED:
                mark = QTextEdit.ExtraSelection()
                mark.cursor = QTextCursor(self.document().findBlockByNumber(one.new - 1))
                mark.format.setBackground(self._theme.color("diff_added"))
                mark.format.setForeground(self._theme.color("diff_added_text"))
                mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
                marked.append(mark)
        self.setExtraSelections(marked)

    def _take_font(self) -> None:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        small = self._theme.font(Face.SMALL)
        if small.pointSizeF() > 0:
            font.setPointSizeF(small.pointSizeF())
        else:
            font.setPixelSize(small.pixelSize())
        self.setFont(font)
