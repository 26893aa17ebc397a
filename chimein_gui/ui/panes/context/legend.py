"""What the lines and marks of the list mean, at the foot of the pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.ui.widgets.controls.spoken_role import speak_as_words
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from chimein_gui.ui.widgets.theme.theme import Theme

LINE, GAP, BETWEEN = 22, 6, 16


class LineLegend(QWidget):
    """Samples with words; those that do not fit are left out from the end."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._entries = (
            ("info", 1.6, False, self.tr("reply")),
            ("text3", 1.2, True, self.tr("likely answer")),
            ("accent", 2.2, False, self.tr("path of the selected message")),
            ("attention", 0.0, False, self.tr("the 60-minute rule would take it wrongly")),
        )
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        speak_as_words(self)
        self.setAccessibleName(self.tr("Lines: {names}").format(names=", ".join(words for *_, words in self._entries)))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        font, metrics, middle, x = theme.font(Face.META), theme.metrics(Face.META), self.height() / 2, 4.0
        for token, width, dashed, words in self._entries:
            sample = LINE if width else 10
            if x + sample + GAP + metrics.horizontalAdvance(words) > self.width():
                break
            pen = QPen(theme.color(token), width or 1.3)
            if dashed:
                pen.setDashPattern([3, 2.4])
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if width:
                painter.drawLine(QPointF(x, middle), QPointF(x + LINE, middle))
            else:
                spot = QPointF(x + 5, middle)
                painter.drawEllipse(spot, 4.0, 4.0)
                painter.drawLine(spot + QPointF(-2, -2), spot + QPointF(2, 2))
                painter.drawLine(spot + QPointF(-2, 2), spot + QPointF(2, -2))
            x += sample + GAP
            x += marks.draw_line(painter, font, theme.color("text2"), QPointF(x, middle), words) + BETWEEN
        painter.end()
