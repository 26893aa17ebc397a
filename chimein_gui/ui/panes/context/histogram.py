"""The probabilities of all candidates as a histogram, with the lowest one that was taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.ui.widgets.controls.spoken_role import speak_as_words
from chimein_gui.ui.widgets.theme.marks import draw_line
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.context.figures import BINS, Figures
from chimein_gui.viewmodels.context.words import histogram_words, percent_words, threshold_words

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from chimein_gui.ui.widgets.theme.theme import Theme

BARS = 48
GAP = 3


class Histogram(QWidget):
    """One bar for each tenth: taken below, left out above. Heights grow with the square root, so that one shows."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._figures = theme, Figures()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        speak_as_words(self)
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self.updateGeometry)

    def show_figures(self, figures: Figures) -> None:
        """Show other numbers."""
        self._figures = figures
        self.setAccessibleName(histogram_words(figures))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, BARS + 6 + round(self._theme.metrics(Face.META).height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, figures = self._theme, self._figures
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        most = max((taken + out for taken, out in figures.bins), default=0) ** 0.5 or 1.0
        step, base = self.width() / BINS, BARS
        painter.setPen(Qt.PenStyle.NoPen)
        for place, (taken, out) in enumerate(figures.bins):
            height = (taken + out) ** 0.5 / most * (BARS - 2)
            of_taken = height * taken / (taken + out) if taken else 0.0
            left, width = place * step + GAP / 2, step - GAP
            painter.setBrush(theme.color("track"))
            painter.drawRect(QRectF(left, base - height, width, height - of_taken))
            painter.setBrush(theme.color("accent"))
            painter.drawRect(QRectF(left, base - of_taken, width, of_taken))
        painter.fillRect(QRectF(0, base, self.width(), 1), theme.color("line_strong"))
        self._paint_scale(painter, base + 4 + theme.metrics(Face.META).height() / 2)
        painter.end()

    def _paint_scale(self, painter: QPainter, middle: float) -> None:
        theme, figures = self._theme, self._figures
        font, metrics, ink = theme.font(Face.META), theme.metrics(Face.META), theme.color("text3")
        whole = percent_words(100)
        begin = draw_line(painter, font, ink, QPointF(0, middle), percent_words(0))
        end = self.width() - metrics.horizontalAdvance(whole)
        draw_line(painter, font, ink, QPointF(end, middle), whole)
        if figures.threshold is None:
            return
        x, words = self.width() * figures.threshold / 100, threshold_words(figures.threshold)
        pen = QPen(theme.color("attention"), 1.4)
        pen.setDashPattern([3, 2])
        painter.setPen(pen)
        painter.drawLine(QPointF(x, 0), QPointF(x, BARS))
        width = metrics.horizontalAdvance(words)
        left = min(max(x - width / 2, begin + 8), end - width - 8)
        draw_line(painter, theme.font(Face.META), theme.color("attention"), QPointF(left, middle), words)
