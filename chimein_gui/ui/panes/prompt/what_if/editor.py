"""The editor of one place of the prompt: its changed lines are set off, and Ctrl+Z undoes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCursor, QTextFormat
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit

from chimein_gui.domain.agent_files.edits import splice_between
from chimein_gui.domain.text.line_changes import line_changes
from chimein_gui.domain.text.word_changes import WordChange
from chimein_gui.ui.widgets.text.shown_text import ShownText, shown_in, utf16

if TYPE_CHECKING:
    from chimein_gui.domain.text.line_changes import LineChange
    from chimein_gui.ui.widgets.theme.theme import Theme


class PlaceEditor(QPlainTextEdit):
    """Shows what is invisible, or turns the writing direction, as ␣, and keeps it in the text.

    Attributes:
        edited: Something was typed; carries the whole text, in which every other character is what it was.
    """

    edited = Signal(str)

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._original = ""
        self._changes: tuple[LineChange, ...] = ()
        self._shown = ShownText("")
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(10)
        self._take_font()
        theme.changed.connect(self._mark)
        theme.fonts_changed.connect(self._take_font)
        self.textChanged.connect(self._typed)

    @property
    def lines_changed(self) -> int:
        """Return how many lines differ from the builder's text; removed ones count, too."""
        return max(sum(one.change is kind for one in self._changes) for kind in (WordChange.ADDED, WordChange.REMOVED))

    @property
    def rewritten(self) -> tuple[str, str]:
        """Return the lines that differ, as the builder wrote them and as they are now."""
        lines: dict[WordChange, list[str]] = {WordChange.REMOVED: [], WordChange.ADDED: []}
        for one in self._changes:
            if one.change in lines:
                lines[one.change].append(one.text)
        return "\n".join(lines[WordChange.REMOVED]), "\n".join(lines[WordChange.ADDED])

    def show_text(self, original: str, text: str) -> None:
        """Show a place: the text of the builder, and the same with edits. What stands there already stays."""
        self._original = ShownText(original).shown
        if text != self._shown.text:
            self._put(text)
        self._mark()

    def _put(self, text: str) -> None:
        self._shown = ShownText(text)
        blocked, at = self.blockSignals(True), self.textCursor().position()
        self.setPlainText(self._shown.shown)
        self.blockSignals(blocked)
        cursor = self.textCursor()
        cursor.setPosition(min(at, utf16(self._shown.shown)))
        self.setTextCursor(cursor)

    def _typed(self) -> None:
        now = shown_in(self)
        change = splice_between(self._shown.shown, now)
        if change.start < change.end or change.words:
            text = self._shown.edited(change)
            self._shown = ShownText(text)
            if self._shown.shown != now:  # what was pasted has invisible characters
                self._put(text)
            self.edited.emit(text)
        self._mark()

    def _mark(self) -> None:
        """Set off what was added: whole lines, or the words of a rewritten line."""
        self._changes = line_changes(self._original, self._shown.shown)
        marked = []
        for one in self._changes:
            if one.change is not WordChange.ADDED:
                continue
            block = self.document().findBlockByNumber(one.new - 1)
            if len(one.pieces) == 1:
                whole = QTextCursor(block)
                whole.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
                mark = self._marked(whole)
                mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
                marked.append(mark)
                continue
            at = block.position()
            for piece in one.pieces:
                cursor = QTextCursor(self.document())
                cursor.setPosition(at)
                at += utf16(piece.text)
                cursor.setPosition(at, QTextCursor.MoveMode.KeepAnchor)
                if piece.change is WordChange.ADDED:
                    marked.append(self._marked(cursor))
        self.setExtraSelections(marked)

    def _marked(self, cursor: QTextCursor) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        mark.cursor = cursor
        mark.format.setBackground(self._theme.color("diff_added"))
        mark.format.setForeground(self._theme.color("diff_added_text"))
        return mark

    def _take_font(self) -> None:
        self.setFont(self._theme.fixed_font())
