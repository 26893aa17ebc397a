"""What stands at the foot: under a hairline, on a card's ground or on that of what is around it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from chimein_gui.ui.widgets.theme.theme import Theme


class Ruled(QWidget):
    """A hairline above, and no ground of its own."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._paint(painter)
        painter.end()

    def _paint(self, painter: QPainter) -> None:
        painter.fillRect(QRectF(0, 0, self.width(), 1), self._theme.color("line"))


class Footer(Ruled):
    """What can be done with the chosen row stands here, on a card's ground."""

    def _paint(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), self._theme.color("card"))
        painter.setPen(QPen(self._theme.color("line_strong"), 1))
        painter.drawLine(QPointF(0, 0.5), QPointF(self.width(), 0.5))
