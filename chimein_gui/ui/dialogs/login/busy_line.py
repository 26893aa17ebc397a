"""A progress line for a request that is running; Cancel works meanwhile."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from chimein_gui.ui.widgets.controls.spoken_role import announce, speak_as_words
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Theme

_STEP_MS = 40
_ROUND = 40
"""Animation steps per cycle."""


class BusyLine(QWidget):
    """An animated line, 2 px high, below the head; it is static when the theme forbids motion."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._at = theme, 0
        self.setFixedHeight(2)
        self._timer = QTimer(self)
        self._timer.setInterval(_STEP_MS)
        self._timer.timeout.connect(self._step)
        speak_as_words(self)  # not as an alert: it is announced, and has no words any more when an alert is read
        self._is_busy = False
        kept = self.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.setSizePolicy(kept)
        self.hide()

    def say(self, words: str) -> None:
        """Show the line while `words` are not empty; screen readers announce them."""
        is_new, self._is_busy = bool(words) and words != self.accessibleName(), bool(words)
        self.setAccessibleName(words)
        self.setVisible(bool(words))
        if words and not self._theme.reduced_motion and self.isVisible():
            self._timer.start()
        elif not words:
            self._timer.stop()
        if is_new:
            announce(self)
        self.update()

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._is_busy:
            return
        painter = QPainter(self)
        follow_layout(painter, self)
        width = self.width() * 0.3
        at = (self.width() + width) * (self._at / _ROUND) - width if self._timer.isActive() else 0.0
        length = width if self._timer.isActive() else float(self.width())
        painter.fillRect(QRectF(at, 0, length, 2), self._theme.color("info"))
        painter.end()

    def _step(self) -> None:
        self._at = (self._at + 1) % _ROUND
        self.update()
