"""A read-only text in letters of one width, with tinted pieces: a line of the log, a reply, a page as it was sent."""

from __future__ import annotations

import math
import re
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextLayout, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from chimein_gui.viewmodels.core.sanitize import sanitize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QResizeEvent

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


_PER_RUN = 32
"""What the beginning of a piece costs, in characters."""

LONGEST_LINE = 1_000
"""Characters of a line from which on it goes on in another block: Qt lays out a whole block for each change in it."""

_BEFORE_BREAK = 100
"""Characters before the end of a block among which a blank is looked for."""

_LINE_END = re.compile("\r\n|[\n\r\u2029]")

_GOES_ON = 1
"""State of a block that goes on with the line of the block before."""


class MonoText(QPlainTextEdit):
    """Lines that wrap; the text can be selected and copied, also with the keyboard.

    A long text is there from its beginning; what is not in sight yet follows in steps. Long lines are broken for
    display alone: what is copied, and `toPlainText`, is without these breaks.
    """

    def __init__(self, theme: Theme, name: str, *, whole_lines: bool = False) -> None:
        """With `whole_lines`, the last line in sight is a whole one."""
        super().__init__()
        self._theme, self._has_whole_lines = theme, whole_lines
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
        if whole_lines:
            self.verticalScrollBar().valueChanged.connect(lambda _value: self._fit())
            self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())

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

    def toPlainText(self) -> str:
        """Return the text as it is shown, without the breaks that are for display alone."""
        everything = QTextCursor(self.document())
        everything.select(QTextCursor.SelectionType.Document)
        return _words_of(everything)

    def createMimeDataFromSelection(self) -> QMimeData:
        """Return what Copy, a drag or the selection of X11 takes."""
        # Made by Qt: the clipboard keeps it until the process ends, when a data object of Python's would crash.
        whole = QPlainTextEdit(_words_of(self.textCursor()))
        whole.selectAll()
        return whole.createMimeDataFromSelection()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _take_font(self) -> None:
        self.setFont(self._theme.fixed_font())
        self._fit()

    def height_of(self, width: int, most: int) -> int:
        """Return the height of the text in such a width, or of so many of its lines if it has more, px."""
        margin = self.document().documentMargin()
        heights: list[float] = []
        for words in _LINE_END.split(sanitize(self.whole_text()[: most * LONGEST_LINE], keep_breaks=True), most):
            layout = QTextLayout(words, self.font())
            layout.setTextOption(self.document().defaultTextOption())
            layout.beginLayout()
            while len(heights) < most and (line := layout.createLine()).isValid():
                line.setLineWidth(max(20.0, width - 2 * margin))
                heights.append(line.height())
            layout.endLayout()
        return math.ceil(sum(heights) + 2 * margin)

    def _fit(self) -> None:
        """Leave free at the foot what is no whole line; the margin above the first one is scrolled away with it."""
        if not self._has_whole_lines:
            return
        rest = self.height() - self._whole_height()
        if self.viewportMargins().bottom() != rest:
            self.setViewportMargins(0, 0, 0, rest)

    def _whole_height(self) -> int:
        """Return the height down to the last line that is whole, px; letters of another font make a line higher."""
        block, end, whole = self.firstVisibleBlock(), self.contentOffset().y(), 0.0
        while block.isValid():
            rect, layout = self.blockBoundingRect(block), block.layout()
            for number in range(layout.lineCount()):
                line = layout.lineAt(number)
                bottom = end + line.y() + line.height()
                if bottom > self.height():
                    return math.ceil(whole) if whole > 0 else self.height()
                whole = bottom
            end += rect.height()
            block = block.next()
        return self.height()

    def _draw(self) -> None:
        self.clear()
        self._left = deque(self._runs)
        self._go_on()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self._fit()

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
            room -= len(run.text) + _PER_RUN
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
        for place, line in enumerate(_LINE_END.split(sanitize(run.text, keep_breaks=True))):
            if place:
                cursor.insertBlock()
            _insert_line(cursor, line, look)


def _insert_line(cursor: QTextCursor, line: str, look: QTextCharFormat) -> None:
    """Insert text without line ends, in blocks of at most `LONGEST_LINE` characters."""
    done = 0
    while done < len(line):
        room = LONGEST_LINE - cursor.positionInBlock()
        if done or room <= 0:
            cursor.insertBlock()
            cursor.block().setUserState(_GOES_ON)
            room = LONGEST_LINE
        end = done + _break_of(line[done : done + LONGEST_LINE + 1], room)
        cursor.insertText(line[done:end], look)
        done = end


def _break_of(line: str, room: int) -> int:
    """Return how many characters of a line stand in a block with so much room: up to a blank if one is near."""
    if len(line) <= room:
        return len(line)
    blank = line.rfind(" ", max(0, room - _BEFORE_BREAK), room)
    return blank + 1 if blank >= 0 else room


def _words_of(selection: QTextCursor) -> str:
    """Return what is selected, without the breaks that are for display alone."""
    document, first, last = selection.document(), selection.selectionStart(), selection.selectionEnd()
    pieces: list[str] = []
    block = document.findBlock(first)
    while block.isValid() and block.position() <= last:
        if pieces and block.userState() != _GOES_ON:
            pieces.append("\n")
        # Places are counted in UTF-16, so Qt cuts.
        part = QTextCursor(block)
        part.setPosition(max(first, block.position()))
        part.setPosition(min(last, block.position() + block.length() - 1), QTextCursor.MoveMode.KeepAnchor)
        pieces.append(part.selectedText().replace("\u2028", "\n"))
        block = block.next()
    return "".join(pieces)
