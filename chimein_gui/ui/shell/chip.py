"""A sign on a soft ground, in the bar at the top."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy

from chimein_gui.ui.widgets import icons, marks
from chimein_gui.ui.widgets.marks import Sign
from chimein_gui.ui.widgets.mirror import follow_layout
from chimein_gui.ui.widgets.theme import Face, Theme

CARET = 14


class Chip(QPushButton):
    """A sign on a soft ground; may be pressed."""

    def __init__(self, theme: Theme, *, caret: bool = False) -> None:
        super().__init__()
        self._theme, self._caret = theme, caret
        self._sign, self._more, self._ground = Sign("ok-circle", "", "text2"), "", ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def say(self, sign: Sign, more: str = "", ground: str = "") -> None:
        """Show a sign and a few quieter words."""
        if (sign, more, ground) == (self._sign, self._more, self._ground):
            return
        before = self.sizeHint()
        self._sign, self._more, self._ground = sign, more, ground
        self.setAccessibleName(f"{sign.word} {more}".strip())
        if self.sizeHint() != before:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = 22 + marks.mark_width(self._theme, self._sign.word, self._face()) + 3
        if self._more:
            width += 7 + QFontMetricsF(self._theme.font(Face.SMALL)).horizontalAdvance(self._more)
        width += CARET if self._caret else 0
        return QSize(round(width), max(28, round(QFontMetricsF(self._theme.font(Face.STRONG)).height() * 1.75)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(self._theme.color("accent"), 1.6) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(self._ground) if self._ground else QColor(0, 0, 0, 0))
        painter.drawRoundedRect(frame, 6, 6)
        color = self._theme.color(self._sign.token)
        middle = self.height() / 2
        x = marks.draw_mark(painter, self._theme, QPointF(11, middle), self._sign, color, self._face())
        if self._more:
            marks.draw_line(painter, self._theme.font(Face.SMALL), color, QPointF(x + 7, middle), self._more)
        if self._caret:
            icons.draw(painter, "caret-down", color, QRectF(self.width() - CARET - 7, middle - 6, 12, 12))
        painter.end()

    def _face(self) -> Face:
        return Face.STRONG if self._ground else Face.SMALL
