"""The Markdown side of the editor: line numbers, marks of fields and problems, and completion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QStringListModel, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QKeySequence,
    QPainter,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QCompleter, QFrame, QListView, QPlainTextEdit, QTextEdit, QWidget

from chimein_gui.domain.agent_files.edits import splice_between
from chimein_gui.domain.prompt.variables import VARIABLE
from chimein_gui.ui.widgets.text.shown_text import ShownText, shown_in, utf16
from chimein_gui.viewmodels.sources.findings import too_long_line

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QKeyEvent, QPaintEvent, QTextDocument

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.sources.document import SourceDocument

VARIABLES = ("{{char}}", "{{user}}")
"""What prompts may contain, and what fills it: the agent's name, and the partner's."""

_IN_NAMES = "_{}.-"
_GUTTER_PAD = 10
_EDGE = 3
TYPING = "typing"


class _Highlighter(QSyntaxHighlighter):
    """Tints variables, and makes headings inside a text bold."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        self._variable, self._heading = QTextCharFormat(), QTextCharFormat()
        self.take_colours()

    def take_colours(self) -> None:
        """Use the colours of the scheme."""
        self._variable.setForeground(self._theme.color("unreal"))
        self._variable.setBackground(self._theme.color("unreal_soft"))
        self._heading.setFontWeight(QFont.Weight.Bold)
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        if text.startswith("#"):
            self.setFormat(0, len(text), self._heading)
        if "{" in text:
            for found in VARIABLE.finditer(text[:10_000]):
                before = utf16(text[: found.start()])
                self.setFormat(before, utf16(found.group()), self._variable)


class _Gutter(QWidget):
    """The line numbers; those of lines with problems are in the colour of problems."""

    def __init__(self, editor: SourceText) -> None:
        super().__init__()
        self._editor = editor

    def paintEvent(self, event: QPaintEvent) -> None:
        self._editor.paint_gutter(event)


class SourceText(QPlainTextEdit):
    """Shows the text of a document and changes it. Undo is the document's, so that it covers the form as well.

    Attributes:
        gutter: The line numbers; the owner lays them out before the text.
        completion: The list of words that can be inserted.
        moved: The cursor is in another line; carries its number from 1.
        left: The form is wanted (Escape).
    """

    moved = Signal(int)
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._document: SourceDocument | None = None
        self._shown = ShownText("")
        self._is_taking = False
        self._field = ""
        self.prompts: tuple[str, ...] = ()
        self.setAccessibleName(self.tr("Markdown"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(8)
        self.gutter = _Gutter(self)
        self._highlighter = _Highlighter(self.document(), theme)
        self._names = QStringListModel(self)
        self._completer = QCompleter(self._names, self)
        self.completion = QListView()
        self.completion.setAccessibleName(self.tr("Completion"))
        self._completer.setPopup(self.completion)
        self._completer.setWidget(self)
        self._completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self._completer.activated.connect(self._complete)
        self._line = 0
        self.document().contentsChange.connect(self._typed)
        self.cursorPositionChanged.connect(self._cursor_moved)
        self.blockCountChanged.connect(self._fit_gutter)
        self.updateRequest.connect(self._scroll_gutter)
        theme.changed.connect(self._take_colours)
        theme.fonts_changed.connect(self._take_font)
        self._take_font()

    # --- the document ---------------------------------------------------------------------------------------------

    def show_document(self, document: SourceDocument | None) -> None:
        """Show a file, or nothing."""
        if self._document is not None:
            self._document.changed.disconnect(self._follow)
            self._document.state_changed.disconnect(self.mark)
        self._document = document
        text = document.text if document is not None else ""
        self._shown = ShownText(text)
        self._is_taking = True
        self.setPlainText(self._shown.shown)
        self._is_taking = False
        self.setReadOnly(document is None or document.file.is_fixed or document.file.is_archived)
        self._field = ""
        if document is not None:
            document.changed.connect(self._follow)
            document.state_changed.connect(self.mark)
        self.mark()

    def _typed(self, _place: int, _removed: int, _added: int) -> None:
        if self._is_taking or self._document is None:
            return
        now = shown_in(self)
        change = splice_between(self._shown.shown, now)
        if change.start == change.end and not change.words:
            return  # only formats have changed
        text = self._shown.edited(change)
        self._is_taking = True
        self._document.edit(text, TYPING)
        self._is_taking = False
        self._shown = ShownText(text)
        if self._shown.shown != now:
            self._bring(now)

    def _follow(self, _splice: object) -> None:
        """Take in a change that was made elsewhere; the cursor stays where it is in the text."""
        if self._is_taking or self._document is None:
            return
        before, self._shown = self._shown.shown, ShownText(self._document.text)
        self._bring(before)

    def _bring(self, before: str) -> None:
        change = splice_between(before, self._shown.shown)
        cursor = QTextCursor(self.document())
        self._is_taking = True
        start = utf16(before[: change.start])
        cursor.setPosition(start)
        cursor.setPosition(start + utf16(before[change.start : change.end]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(change.words)
        self._is_taking = False

    # --- places ---------------------------------------------------------------------------------------------------

    def go_to(self, line: int, *, to_value: bool = False) -> None:
        """Put the cursor into a line, from 1, and show it in the middle."""
        block = self.document().findBlockByNumber(max(0, line - 1))
        if block.isValid():
            cursor = QTextCursor(block)
            if to_value:
                cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)
            self.centerCursor()

    def show_field(self, name: str, *, scroll: bool = False) -> None:
        """Tint the heading and the value of a field."""
        self._field = name
        if scroll and self._document is not None and not self.hasFocus():
            first, _last = self._document.lines_of(name)
            block = self.document().findBlockByNumber(first - 1)
            if first and not self.viewport().rect().contains(
                self.blockBoundingGeometry(block).translated(self.contentOffset()).toRect().topLeft()
            ):
                self.verticalScrollBar().setValue(block.firstLineNumber())
        self.mark()

    def _cursor_moved(self) -> None:
        line = self.textCursor().blockNumber() + 1
        if line != self._line:
            self._line = line
            self.moved.emit(line)

    def mark(self) -> None:
        """Show fields and problems."""
        document = self._document
        marked: list[QTextEdit.ExtraSelection] = []
        if document is not None and document.is_agent:
            first, last = document.lines_of(self._field)
            if first:
                marked += [
                    self._selection(line, ground="accent_soft") for line in range(first, min(last, first + 400) + 1)
                ]
            marked += [self._selection(field.line, ink="accent_text") for field in document.parsed.fields.values()]
            marked += [
                self._selection(row.problem.line, wave="attention" if row.is_warning else "danger")
                for row in document.rows
                if row.problem.line
            ]
        self.setExtraSelections(marked)
        self.gutter.update()

    def _selection(self, line: int, *, ground: str = "", ink: str = "", wave: str = "") -> QTextEdit.ExtraSelection:
        made = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document().findBlockByNumber(line - 1))
        if ground:
            made.format.setBackground(self._theme.color(ground))
            made.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        else:
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        if ink:
            made.format.setForeground(self._theme.color(ink))
        if wave:
            made.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            made.format.setUnderlineColor(self._theme.color(wave))
        made.cursor = cursor
        return made

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste; a text with lines that can't be shown is not pasted."""
        if not too_long_line(source.text()):
            super().insertFromMimeData(source)

    # --- keys -----------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        popup = self.completion
        if popup.isVisible() and event.key() in (
            Qt.Key.Key_Return,
            Qt.Key.Key_Enter,
            Qt.Key.Key_Escape,
            Qt.Key.Key_Tab,
            Qt.Key.Key_Backtab,
        ):
            event.ignore()  # the popup takes them
        elif event.matches(QKeySequence.StandardKey.Undo):
            self._step(back=True)
        elif event.matches(QKeySequence.StandardKey.Redo):
            self._step(back=False)
        elif event.key() == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.offer_words()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
            if popup.isVisible():
                self.offer_words()

    def _step(self, *, back: bool) -> None:
        if self._document is not None:
            (self._document.undo if back else self._document.redo)()

    def offer_words(self) -> None:
        """Open the completion: variables, and below “Role Prompt” the names of prompts."""
        if self._document is None or self.isReadOnly():
            return
        line = self.textCursor().blockNumber() + 1
        is_role = self._document.is_agent and self._document.field_at(line) == "Role Prompt"
        self._names.setStringList(list(self.prompts if is_role else VARIABLES))
        prefix = self._prefix()
        self._completer.setCompletionPrefix(prefix)
        popup = self.completion
        popup.setCurrentIndex(self._completer.completionModel().index(0, 0))
        place = self.cursorRect()
        place.setWidth(popup.sizeHintForColumn(0) + 30)
        if self._completer.completionCount():
            self._completer.complete(place)
        else:
            popup.hide()

    def _prefix(self) -> str:
        cursor = self.textCursor()
        words = cursor.block().text()[: cursor.positionInBlock()]
        begin = len(words)
        while begin and (words[begin - 1].isalnum() or words[begin - 1] in _IN_NAMES):
            begin -= 1
        return words[begin:]

    def _complete(self, words: str) -> None:
        cursor = self.textCursor()
        prefix = self._prefix()
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, utf16(prefix))
        cursor.insertText(words)
        self.setTextCursor(cursor)

    # --- the gutter -----------------------------------------------------------------------------------------------

    def gutter_width(self) -> int:
        """Return the width of the line numbers, px."""
        digits = len(str(max(99, self.blockCount())))
        return self.fontMetrics().horizontalAdvance("9") * digits + 2 * _GUTTER_PAD

    def paint_gutter(self, event: QPaintEvent) -> None:
        """Paint the numbers of the lines in sight."""
        painter = QPainter(self.gutter)
        painter.fillRect(event.rect(), self._theme.color("pane"))
        painter.setFont(self.font())
        document = self._document
        wrong = {row.problem.line: row.is_warning for row in document.rows} if document is not None else {}
        first, last = document.lines_of(self._field) if document is not None and document.is_agent else (0, 0)
        width, height = self.gutter.width(), self.fontMetrics().height()
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= event.rect().bottom():
            line = block.blockNumber() + 1
            ink = ("attention" if wrong[line] else "danger") if line in wrong else "text3"
            painter.setPen(self._theme.color(ink))
            box = QRect(0, round(top), width - _GUTTER_PAD, height)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight, str(line))
            size = self.blockBoundingRect(block).height()
            if first <= line <= last:
                painter.fillRect(QRect(width - _EDGE, round(top), _EDGE, round(size)), self._theme.color("accent"))
            top += size
            block = block.next()
        painter.end()

    def _fit_gutter(self, _count: int = 0) -> None:
        self.gutter.setFixedWidth(self.gutter_width())

    def _scroll_gutter(self, rect: QRect, by: int) -> None:
        if by:
            self.gutter.scroll(0, by)
        else:
            self.gutter.update(0, rect.y(), self.gutter.width(), rect.height())

    def _take_colours(self) -> None:
        self._highlighter.take_colours()
        self.mark()

    def _take_font(self) -> None:
        self.setFont(self._theme.fixed_font())
        self._fit_gutter()
