"""A text field for messages, with an identity stripe at its leading edge, file drops and a limit of characters."""

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
        # The editor paints the background, because the palette may still be that of the former scheme.
        self.viewport().setAutoFillBackground(False)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return bool(self._files_in(source)) or super().canInsertFromMimeData(source)

    def _files_in(self, source: QMimeData) -> list[Path | QImage]:
        """Return the files, or the picture, that are pasted or dropped; empty if the field accepts only text."""
        if not self.takes_files:
            return []
        paths: list[Path | QImage] = [Path(url.toLocalFile()) for url in source.urls() if url.isLocalFile()]
        if paths or source.hasText() or not source.hasImage():
            return paths
        image = source.imageData()
        return [image] if isinstance(image, QImage) and not image.isNull() else []

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste at most `most` characters: layout of a longer text would block the window for seconds."""
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
            event.accept()  # the key only ends the composition
        elif event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        elif not self._submits(event):
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self.submitted.emit()

    def _is_composing(self) -> bool:
        """Tell whether an input method is composing a word."""
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
        changed: The text has changed.
        submitted: Ctrl+Enter was pressed, or Enter if `enter_submits`.
        cancelled: Escape was pressed.
        files_given: Files or a picture were pasted or dropped; carries paths and images.
        left_out: A pasted text was too long; carries the number of characters that were dropped.
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
        """Create an empty editor.

        Args:
            theme: Colours and fonts.
            lines: Its minimum and maximum height in lines.
            role: Role whose colours the frame has.
            enter_submits: Enter alone submits, and Shift+Enter inserts a line break.
            lead: Pixels left free before the text, for an avatar.
            most: Largest number of characters that a paste may fill it to.
        """
        super().__init__()
        self._lead = lead
        self._theme, self._role, self._lines = theme, role, lines
        self._identity: int | None = None
        self.field = _Field(enter_submits=enter_submits, most=most)
        theme.apply(self.field, Face.BODY)
        # Below a style sheet it does not inherit the font, in which the placeholder is painted.
        theme.apply(self.field.viewport(), Face.BODY)
        box = QVBoxLayout(self)
        # A right-to-left layout mirrors its widgets, but not its margins.
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
        # No palette of its own: a new style sheet would restore the colours of the former scheme.
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self._resize_letters)
        self._grow()

    def take_files(self) -> None:
        """Accept files and pictures that are pasted or dropped."""
        self.field.takes_files = True

    def set_identity(self, identity: int | None) -> None:
        """Show the stripe in an agent's colour; None hides it."""
        self._identity = identity
        self.update()

    def text(self) -> str:
        """Return the typed text."""
        return self.field.toPlainText()

    def set_text(self, text: str) -> None:
        """Set the text, and clear the undo history."""
        self.field.setPlainText(text)
        self.field.moveCursor(QTextCursor.MoveOperation.End)

    def replace_text(self, text: str) -> None:
        """Replace the text; Ctrl+Z restores the former one."""
        cursor = self.field.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)

    def type_in(self, text: str) -> None:
        """Focus the field, and insert a text at the cursor."""
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
        state = state_of(self.field)
        state = state._replace(enabled=state.enabled and not self.field.isReadOnly())
        draw_ground(painter, colours_of(self._theme, self._role, state), rect, 7)
        if self._identity is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.identity(self._identity))
            painter.drawRoundedRect(QRectF(rect.left() + 3, rect.top() + 5, 3, rect.height() - 10), 1.5, 1.5)
        painter.end()

    def _resize_letters(self) -> None:
        self._theme.apply(self.field, Face.BODY)
        self._theme.apply(self.field.viewport(), Face.BODY)
        self._grow()

    def _grow(self) -> None:
        # QTextDocument counts its lines only when it is painted, which is too late.
        least, most = self._lines
        room = max(40, self.width() - 22 - 12 - self._lead)
        lines = text_block.lay_out(self.text(), self.field.font(), room, most).layout.lineCount()
        wanted = max(least, min(most, lines))
        self.setFixedHeight(round(wanted * self.field.fontMetrics().lineSpacing()) + 20)
