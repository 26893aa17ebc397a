"""A widget for foreign text: wraps anywhere, interprets no markup, and can be read by screen readers."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.ui.widgets.text import foreign_text, text_block
from chimein_gui.ui.widgets.theme.theme import Face, Theme


class WrappedText(QWidget):
    """Like a label with word wrap, but long words are wrapped too, and nothing is markup."""

    def __init__(
        self, theme: Theme, color: str = "text1", parent: QWidget | None = None, face: Face = Face.BODY
    ) -> None:
        super().__init__(parent)
        self._theme, self._color, self._text, self._face = theme, color, "", face
        self._height = 16
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self.update)

    def set_text(self, text: str) -> None:
        """Set the text; it need not be sanitized."""
        cleaned = foreign_text.body(text)
        if cleaned == self._text:
            return
        self._text = cleaned
        self.setAccessibleName(self._text)
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        self._height = round(text_block.lay_out(self._text, self._theme.font(self._face), width).height + 0.5)
        return self._height

    def minimumSizeHint(self) -> QSize:
        return QSize(40, 16)

    def sizeHint(self) -> QSize:
        return QSize(300, self._height)  # the height for the current width: another layout would be wasted

    @property
    def is_cut(self) -> bool:
        """Whether the widget is too low for the text, which an ellipsis shows."""
        return self.height() < self._whole().height - 1

    def _whole(self) -> text_block.TextBlock:
        return text_block.lay_out(self._text, self._theme.font(self._face), self.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        block = self._whole()
        if self.is_cut:
            lines = max(1, int((self.height() + 1) / (block.height / max(1, block.layout.lineCount()))))
            block = text_block.lay_out(self._text, self._theme.font(self._face), self.width(), lines)
        text_block.draw(painter, block, QPointF(0, 0), self._theme.color(self._color))
        painter.end()
