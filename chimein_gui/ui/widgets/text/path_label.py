"""A label for a path."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.tips import give_tip
from chimein_gui.ui.widgets.theme.theme import Face, Theme


class PathLabel(QWidget):
    """A path on one line, elided in the middle, because its end matters most. Always left to right."""

    def __init__(self, theme: Theme, path: str) -> None:
        super().__init__()
        self._theme, self._path = theme, foreign_text.line(path, 400)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(round(theme.metrics(Face.BODY).height()) + 4)
        give_tip(self, path)
        self.setAccessibleName(self._path)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = self._theme.font(Face.BODY)
        words = QFontMetricsF(font).elidedText(self._path, Qt.TextElideMode.ElideMiddle, self.width())
        painter.setFont(font)
        painter.setPen(self._theme.color("text1"))
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.drawText(QRectF(self.rect()), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        painter.end()
