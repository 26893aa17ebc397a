"""A field for a message: accent frame, stripe at the caret's side, count in Telegram's units."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QVBoxLayout, QWidget

from chimein_gui.domain.messages import LONGEST_TEXT
from chimein_gui.ui.widgets.text import text_block
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_ground, state_of
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme


class _Field(QPlainTextEdit):
    submitted = Signal()
    cancelled = Signal()
    focus_changed = Signal()
    left_out = Signal(int)
    files_given = Signal(object)

    def __init__(self, *, enter_submits: bool, most: int) -> None:
        super().__init__()
        self._most = most
        self._enter_submits = enter_submits
        self.takes_files = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        # The editor paints the ground: a palette may still be that of the scheme before.
        self.viewport().setAutoFillBackground(False)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return bool(self._files_in(source)) or super().canInsertFromMimeData(source)

    def _files_in(self, source: QMimeData) -> list[Path | QImage]:
        """Return the files, or the picture, that are pasted or dropped; none where the field takes texts only."""
        if not self.takes_files:
            return []
        paths: list[Path | QImage] = [Path(url.toLocalFile()) for url in source.urls() if url.isLocalFile()]
        if paths or source.hasText() or not source.hasImage():
            return paths
        image = source.imageData()
        return [image] if isinstance(image, QImage) and not image.isNull() else []

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste what fits: laying out a text that nobody could send would freeze the window for seconds."""
        files = self._files_in(source)
        if files:
            self.files_given.emit(files)
            return
        text, cursor = source.text(), self.textCursor()
        kept = len(self.toPlainText()) - (cursor.selectionEnd() - cursor.selectionStart())
        room = max(self._most - kept, 0)
        if len(text) <= room:
            super().insertFromMimeData(source)
            return
        self.insertPlainText(text[:room])
        self.ensureCursorVisible()
        self.left_out.emit(len(text) - room)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_composing() and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            event.accept()  # it ends the composing, nothing else
        elif event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        elif not self._submits(event):
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self.submitted.emit()

    def _is_composing(self) -> bool:
        """Tell whether an input method is in the middle of a word."""
        return bool(self.textCursor().block().layout().preeditAreaText())

    def _submits(self, event: QKeyEvent) -> bool:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        plain = held == Qt.KeyboardModifier.NoModifier
        return held == Qt.KeyboardModifier.ControlModifier or (plain and self._enter_submits)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit()


class MessageEditor(QWidget):
    """A plain-text field that grows with its text.

    Attributes:
        changed: The text is another.
        submitted: Ctrl+Enter (or Enter, where that is asked for).
        cancelled: Escape.
        files_given: Files or a picture were pasted or dropped: paths and images.
        left_out: What was pasted is longer than fits; so many characters of it were left out.
    """

    changed = Signal()
    submitted = Signal()
    cancelled = Signal()
    left_out = Signal(int)
    files_given = Signal(object)

    def __init__(
        self,
        theme: Theme,
        *,
        lines: tuple[int, int] = (3, 8),
        role: Role = Role.FIELD,
        enter_submits: bool = False,
        lead: int = 0,
        most: int = LONGEST_TEXT,
    ) -> None:
        """Begin empty.

        Args:
            theme: Colours and fonts.
            lines: Its least and its greatest height.
            role: Whose colours its frame has.
            enter_submits: Enter alone submits, and Shift+Enter makes a line.
            lead: Pixels left free before the text, for a sign of who writes.
            most: Characters that a paste may fill it to.
        """
        super().__init__()
        self._lead = lead
        self._theme, self._role, self._lines = theme, role, lines
        self._identity: int | None = None
        self.field = _Field(enter_submits=enter_submits, most=most)
        theme.apply(self.field, Face.BODY)
        box = QVBoxLayout(self)
        # A layout that runs from the right turns its widgets over, but not its margins.
        set_rtl_margins(box, 13 + lead, 8, 9, 8)
        box.addWidget(self.field)
        self.setFocusProxy(self.field)
        self.field.textChanged.connect(self._grow)
        self.field.textChanged.connect(self.changed)
        self.field.submitted.connect(self.submitted)
        self.field.cancelled.connect(self.cancelled)
        self.field.left_out.connect(self.left_out)
        self.field.files_given.connect(self.files_given)
        self.field.focus_changed.connect(self.update)
        # No palette of its own: a new style sheet would bring back the colours of the scheme before.
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self._resize_letters)
        self._grow()

    def take_files(self) -> None:
        """Take files and pictures that are pasted or dropped."""
        self.field.takes_files = True

    def set_identity(self, identity: int | None) -> None:
        """Show whose text it is by a stripe at the caret's side."""
        self._identity = identity
        self.update()

    def text(self) -> str:
        """Return what was typed."""
        return self.field.toPlainText()

    def set_text(self, text: str) -> None:
        """Begin with a text; it cannot be undone."""
        self.field.setPlainText(text)
        self.field.moveCursor(QTextCursor.MoveOperation.End)

    def replace_text(self, text: str) -> None:
        """Put another text in its place, in a way that Ctrl+Z takes back."""
        cursor = self.field.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)

    def type_in(self, text: str) -> None:
        """Go into the field and go on typing there."""
        self.setFocus()
        self.field.insertPlainText(text)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.EnabledChange):
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._grow()

    def sizeHint(self) -> QSize:
        return QSize(240, self.minimumHeight())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        draw_ground(painter, colours_of(self._theme, self._role, state_of(self.field)), rect, 7)
        if self._identity is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.identity(self._identity))
            painter.drawRoundedRect(QRectF(rect.left() + 3, rect.top() + 5, 3, rect.height() - 10), 1.5, 1.5)
        painter.end()

    def _resize_letters(self) -> None:
        self._theme.apply(self.field, Face.BODY)
        self._grow()

    def _grow(self) -> None:
        # The document counts its lines only when it is painted, which is too late.
        least, most = self._lines
        room = max(40, self.width() - 22 - 12 - self._lead)
        lines = text_block.lay_out(self.text(), self.field.font(), room, most).layout.lineCount()
        wanted = max(least, min(most, lines))
        self.setFixedHeight(round(wanted * self.field.fontMetrics().lineSpacing()) + 20)
