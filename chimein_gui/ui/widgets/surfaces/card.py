"""A card: a rounded ground with a hairline, and a stripe where it belongs to somebody or is not real."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from chimein_gui.ui.widgets.theme.theme import Theme


class Card(QWidget):
    """Its contents stand in a layout of their own, at least 12 from the left edge."""

    def __init__(self, theme: Theme, *, stripe: str = "") -> None:
        super().__init__()
        self._theme, self._stripe = theme, stripe
        theme.changed.connect(self.update)

    def set_stripe(self, stripe: str) -> None:
        """Change the token of the stripe."""
        if stripe != self._stripe:
            self._stripe = stripe
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        path = QPainterPath()
        path.addRoundedRect(frame, 8, 8)
        painter.fillPath(path, self._theme.color("card"))
        if self._stripe:
            painter.setClipPath(path)
            painter.fillRect(QRectF(0, 0, 4, self.height()), self._theme.color(self._stripe))
            painter.setClipping(False)
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        painter.end()
