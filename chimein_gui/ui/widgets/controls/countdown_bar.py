"""A bar that shrinks with the time that is left to stop a send; empty while no countdown runs."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Theme

HEIGHT = 3


class CountdownBar(QWidget):
    """Shows a share; the owner updates it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)

    def set_share(self, share: float) -> None:
        """Set the remaining share, from 0 to 1."""
        if share != self.share:
            self.share = share
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        draw_countdown(painter, self._theme, QRectF(self.rect()), self.share)
        painter.end()


def draw_countdown(painter: QPainter, theme: Theme, place: QRectF, share: float) -> None:
    """Paint a bar with the remaining share, from 0 to 1."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("track"))
    painter.drawRoundedRect(place, 1.5, 1.5)
    left = place.width() * share
    if left >= 1:
        painter.setBrush(theme.color("attention"))
        painter.drawRoundedRect(QRectF(place.left(), place.top(), left, place.height()), 1.5, 1.5)
