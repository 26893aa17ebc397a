"""How much of the time to stop a draft is left: a bar that shrinks; it is empty where nothing runs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.ui.widgets.theme import Theme

HEIGHT = 3
FRAME_MS = 66
"""A bar 400 pixels long that shrinks in 30 s moves by less than one between two frames."""


class CountdownBar(QWidget):
    """Asks how much is left; with reduced motion only when it is told to, once a second."""

    def __init__(self, theme: Theme, share_left: Callable[[], float]) -> None:
        super().__init__()
        self._theme, self._share_left = theme, share_left
        self._share = 0.0
        self._runs = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)
        self._frames = QTimer(self)
        self._frames.setInterval(FRAME_MS)
        self._frames.timeout.connect(self._step)
        theme.motion_changed.connect(self._look)

    def set_share(self, share: float) -> None:
        """Show how much is left, 0 to 1; it goes on shrinking by itself as long as something is."""
        self._share, self._runs = share, share > 0
        self._look()
        self.update()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._frames.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("track"))
        painter.drawRoundedRect(QRectF(self.rect()), 1.5, 1.5)
        left = self.width() * self._share
        if left >= 1:
            painter.setBrush(self._theme.color("attention"))
            start = self.width() - left if self.isRightToLeft() else 0.0
            painter.drawRoundedRect(QRectF(start, 0, left, self.height()), 1.5, 1.5)
        painter.end()

    def _look(self) -> None:
        moves = self._runs and self.isVisible() and not self._theme.still
        if moves != self._frames.isActive():
            if moves:
                self._frames.start()
            else:
                self._frames.stop()

    def _step(self) -> None:
        self._share = self._share_left()
        if self._share <= 0:
            self._frames.stop()
        self.update()
