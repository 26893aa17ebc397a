"""A read-only text in letters of one width, with tinted pieces: a line of the log, a reply, a page as it was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from chimein_gui.viewmodels.core.sanitize import sanitize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.ui.widgets.theme.theme import Theme


class Run(NamedTuple):
    """A piece of a text.

    Attributes:
        text: Foreign; invisible characters are made visible.
        ink: Token of the text colour.
        ground: Token of the background; empty for none.
        strong: Semi-bold.
        struck: Struck through.
    """

    text: str
    ink: str = "text1"
    ground: str = ""
    strong: bool = False
    struck: bool = False


class MonoText(QPlainTextEdit):
    """Lines that wrap; the text can be selected and copied, also with the keyboard."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._runs: tuple[Run, ...] = ()
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(8)
        self.viewport().setAutoFillBackground(False)
        self._take_font()
        theme.changed.connect(self._draw)
        theme.fonts_changed.connect(self._take_font)

    def show_runs(self, runs: Sequence[Run]) -> None:
        """Show another text, from its beginning."""
        if tuple(runs) != self._runs:
            self._runs = tuple(runs)
            self._draw()

    def add_run(self, run: Run) -> None:
        """Add a piece at the end; what is in sight stays there."""
        self._runs = (*self._runs, run)
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        self._insert(cursor, run)

    def whole_text(self) -> str:
        """Return the text as it was given, to be copied."""
        return "".join(run.text for run in self._runs)

    def _take_font(self) -> None:
        self.setFont(self._theme.fixed_font())

    def _draw(self) -> None:
        self.clear()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for run in self._runs:
            self._insert(cursor, run)
        cursor.endEditBlock()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _insert(self, cursor: QTextCursor, run: Run) -> None:
        look = QTextCharFormat()
        look.setForeground(self._theme.color(run.ink))
        if run.ground:
            look.setBackground(self._theme.color(run.ground))
        if run.strong:
            look.setFontWeight(600)
        look.setFontStrikeOut(run.struck)
        cursor.insertText(sanitize(run.text, keep_breaks=True), look)
