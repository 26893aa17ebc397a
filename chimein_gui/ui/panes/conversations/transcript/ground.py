"""The ground under messages, and under what is not there yet."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from chimein_gui.ui.pane import PaneContext


class Ground(QWidget):
    """One colour of the theme; the transcript's if no other is named."""

    def __init__(self, context: PaneContext, token: str = "chat") -> None:
        super().__init__()
        self._theme, self._token = context.theme, token
        self._theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color(self._token))
        painter.end()
