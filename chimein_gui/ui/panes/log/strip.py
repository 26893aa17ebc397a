"""The density strip: how much was written when, and which of it is in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.ui.widgets.controls.spoken_role import speak_as_words
from chimein_gui.ui.widgets.theme.marks import draw_line
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.log.words import strip_words, tick_words

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QPaintEvent, QShowEvent

    from chimein_gui.ui.panes.log.list import LogList
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.log.density import Bar
    from chimein_gui.viewmodels.log.model import LogModel

HEIGHT, SIDE = 34, 16
BAR = 9.0
FULL = 8
"""Lines that the highest bar stands for at least: of few lines no bar is as high as of many."""
_TICKS = 4


class DensityStrip(QWidget):
    """A click or a drag scrolls the list to that time."""

    scrolled_to = Signal(float)

    def __init__(self, theme: Theme, model: LogModel, view: LogList) -> None:
        super().__init__()
        self._theme, self._model, self._view = theme, model, view
        self._begin, self._step = 0, 1
        self._bars: list[Bar] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        speak_as_words(self)
        for due in (model.changed, model.counted):
            due.connect(self.refresh)
        view.moved.connect(self._show_place)
        view.followed.connect(lambda _on: self.update())
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT + 6 + round(self._theme.metrics(Face.META).height()))

    def refresh(self) -> None:
        """Count again."""
        most = max(8, round((self.width() - 2 * SIDE) / BAR))
        self._begin, self._step, self._bars = self._model.density.bars(most)
        warnings = sum(bar.warnings for bar in self._bars)
        errors = sum(bar.errors for bar in self._bars)
        self.setAccessibleName(strip_words(self._model.rowCount(), warnings, errors))
        self.update()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _show_place(self) -> None:
        if not self._view.follows:  # else it is at the end, and is painted with the next counts
            self.update()

    def _x_of(self, at: float) -> float:
        share = (at - self._begin) / (self._step * max(1, len(self._bars)))
        return SIDE + min(1.0, max(0.0, share)) * (self.width() - 2 * SIDE)

    def _step_of(self, at: float) -> float:
        """Return when the bar that a time belongs to begins."""
        return self._begin + (at - self._begin) // self._step * self._step

    def brush(self) -> QRectF | None:
        """Return the frame around the bars of the lines in sight, from the leading edge, px; None without lines."""
        times = self._view.times_in_sight()
        if times is None:
            return None
        left, right = (self._x_of(at) for at in (self._step_of(times[0]), self._step_of(times[1]) + self._step))
        return QRectF(left, 1.5, max(8.0, right - left), HEIGHT - 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._go_to(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go_to(event.position().x())

    def _go_to(self, x: float) -> None:
        if self.isRightToLeft():
            x = self.width() - x
        share = (x - SIDE) / max(1, self.width() - 2 * SIDE)
        self.scrolled_to.emit(self._begin + min(1.0, max(0.0, share)) * self._step * len(self._bars))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self._theme.color("pane"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        follow_layout(painter, self)
        if self._bars:
            self._paint_brush(painter)  # below the bars: it would tint their warnings
            self._paint_bars(painter)
            self._paint_ticks(painter)
        painter.end()

    def _paint_bars(self, painter: QPainter) -> None:
        theme, most = self._theme, max(FULL, *(bar.lines for bar in self._bars))
        width = (self.width() - 2 * SIDE) / len(self._bars)
        painter.setPen(Qt.PenStyle.NoPen)
        for place, bar in enumerate(self._bars):
            if not bar.lines:
                continue
            height = 3 + (HEIGHT - 12) * (bar.lines / most) ** 0.5
            rect = QRectF(SIDE + place * width, HEIGHT - height, max(1.0, min(width - 1, 14.0)), height)
            painter.fillRect(rect, theme.color("line_strong"))
            top = rect.top()
            for number, token in ((bar.warnings, "attention_line"), (bar.errors, "danger")):
                if number:
                    painter.fillRect(QRectF(rect.left(), top - 5, rect.width(), 4), theme.color(token))
                    top -= 5

    def _paint_ticks(self, painter: QPainter) -> None:
        theme, font = self._theme, self._theme.font(Face.META)
        middle = HEIGHT + 3 + theme.metrics(Face.META).height() / 2
        span = self._step * len(self._bars)
        for place in range(_TICKS):
            at = self._begin + span * place // (_TICKS - 1)
            words = tick_words(int(at), seconds=span < 600)
            width = theme.metrics(Face.META).horizontalAdvance(words)
            left = min(max(SIDE, self._x_of(at) - width / 2), self.width() - SIDE - width)
            draw_line(painter, font, theme.color("text3"), QPointF(left, middle), words)

    def _paint_brush(self, painter: QPainter) -> None:
        rect = self.brush()
        if rect is None:
            return
        tint = QColor(self._theme.color("accent"))
        painter.setPen(QPen(tint, 1.2))
        tint = QColor(tint)
        tint.setAlphaF(0.12)
        painter.setBrush(tint)
        painter.drawRoundedRect(rect, 3, 3)
