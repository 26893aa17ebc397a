"""The field for the login code: one line edit, painted as a box for each character."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy

from chimein_gui.domain.input.codes import code_in
from chimein_gui.ui.dialogs.login.page import larger
from chimein_gui.ui.widgets.theme.control_colours import Role, State, colours_of, draw_ground
from chimein_gui.ui.widgets.theme.theme import Face, Theme

translate = QCoreApplication.translate

BOX = QSize(52, 60)
GAP = 8
ROOM = 400
MOST = 12
"""Most characters of a code. Longer codes, and those of unknown length, get one wide box for all characters."""


class CodeField(QLineEdit):
    """Drops everything around a pasted code, and reports when the last character is typed.

    Attributes:
        completed: The code has its full length; never emitted if the length is unknown.
    """

    completed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._length, self._is_wrong = theme, 0, False
        self.setFrame(False)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        hints = Qt.InputMethodHint
        self.setInputMethodHints(hints.ImhPreferNumbers | hints.ImhNoPredictiveText | hints.ImhSensitiveData)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.textEdited.connect(self._clean)
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self.updateGeometry)
        self.set_length(0)

    def set_length(self, length: int) -> None:
        """Set the number of characters of the code; 0 if it is unknown."""
        self._length = length if 0 < length <= MOST else 0
        name = translate("CodeField", "Code, %n character(s)", "", length) if length else self.tr("Code")
        self.setAccessibleName(name)
        self.updateGeometry()
        self.update()

    def set_wrong(self, *, wrong: bool) -> None:
        """Draw the boxes with a red frame, or with the normal one."""
        if wrong is not self._is_wrong:
            self._is_wrong = wrong
            self.update()

    def is_complete(self) -> bool:
        """Tell whether the code has its length; if that is unknown, whether anything is typed."""
        return len(self.text()) == self._length if self._length else bool(self.text())

    def sizeHint(self) -> QSize:
        share = self._theme.percent / 100
        return QSize(round(self._width() * share), round(BOX.height() * share))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus()
        boxes = self._boxes()
        at = next((place for place, box in enumerate(boxes) if event.position().x() < box.right()), len(boxes))
        self.setCursorPosition(min(at, len(self.text())))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.selectAll()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(larger(self._theme, Face.TITLE, 22 / 15))
        text, boxes = self.text(), self._boxes()
        begin, end = self.selectionStart(), self.selectionEnd()
        for place, box in enumerate(boxes):
            here = self.hasFocus() and place == min(self.cursorPosition(), len(boxes) - 1)
            self._paint_box(painter, box, here=here, chosen=begin <= place < end)
            letters = text[place : place + 1] if self._length else text
            painter.setPen(self._theme.color("text1"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letters)
            if here and not letters:
                middle = box.center()
                painter.drawLine(middle - QPointF(0, 11), middle + QPointF(0, 11))
        painter.end()

    def _paint_box(self, painter: QPainter, box: QRectF, *, here: bool, chosen: bool) -> None:
        state = State(focused=here, checked=chosen and self.hasFocus(), wrong=self._is_wrong)
        draw_ground(painter, colours_of(self._theme, Role.FIELD, state), box, 8)

    def _boxes(self) -> list[QRectF]:
        count = self._length or 1
        gap = GAP if self._length else 0
        width = (self.width() - 2 - gap * (count - 1)) / count
        return [QRectF(1 + place * (width + gap), 1, width, self.height() - 2) for place in range(count)]

    def _width(self) -> int:
        if not self._length:
            return 5 * BOX.width() + 4 * GAP
        return min(ROOM, self._length * BOX.width() + (self._length - 1) * GAP)

    def _clean(self, text: str) -> None:
        found = code_in(text, self._length)
        cleaned = found[: self._length or MOST]
        if cleaned != text:
            at = self.cursorPosition()
            self.setText(cleaned)
            self.setCursorPosition(min(at, len(cleaned)))
        self.update()
        if self._length and len(found) == self._length:  # a code that had to be cut is not submitted automatically
            self.completed.emit()
