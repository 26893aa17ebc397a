"""A read-only text in letters of one width, with tinted pieces: a line of the log, a reply, a page as it was sent."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, QTimer
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


AT_ONCE = 8_000
"""Characters that are shown at once; the rest of a text follows in steps of so many, with the loop between them."""


class MonoText(QPlainTextEdit):
    """Lines that wrap; the text can be selected and copied, also with the keyboard.

    A long text is there from its beginning; what is not in sight yet follows in steps.
    """

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._runs: tuple[Run, ...] = ()
        self._left: deque[Run] = deque()
        self._next = QTimer(self)
        self._next.setSingleShot(True)
        self._next.setInterval(0)
        self._next.timeout.connect(self._go_on)
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
        self._left.append(run)
        if not self._next.isActive():
            self._go_on()

    def whole_text(self) -> str:
        """Return the text as it was given, to be copied."""
        return "".join(run.text for run in self._runs)

    def _take_font(self) -> None:
        self.setFont(self._theme.fixed_font())

    def _draw(self) -> None:
        self.clear()
        self._left = deque(self._runs)
        self._go_on()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _go_on(self) -> None:
        """Show the next step of the text; what is in sight, and what is selected, stays."""
        room = AT_ONCE
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        while self._left and room > 0:
            run = self._left.popleft()
            if len(run.text) > room:
                self._left.appendleft(run._replace(text=run.text[room:]))
                run = run._replace(text=run.text[:room])
            room -= len(run.text)
            self._insert(cursor, run)
        cursor.endEditBlock()
        if self._left:
            self._next.start()

    def _insert(self, cursor: QTextCursor, run: Run) -> None:
        look = QTextCharFormat()
        look.setForeground(self._theme.color(run.ink))
        if run.ground:
            look.setBackground(self._theme.color(run.ground))
        if run.strong:
            look.setFontWeight(600)
        look.setFontStrikeOut(run.struck)
        cursor.insertText(sanitize(run.text, keep_breaks=True), look)
