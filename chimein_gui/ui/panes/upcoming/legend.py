"""The legend of the time line, in its head."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.ui.panes.upcoming.lane_rows import draw_hatched, draw_typing, draw_wait
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face, Theme

SWATCH, GAP, BETWEEN, HIGH = 22.0, 6.0, 14.0, 13.0


class BlockLegend(QWidget):
    """What the looks of blocks mean; an entry that does not fit is left out."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._is_shown = theme, True
        self._words = (
            self.tr("sends automatically"),
            self.tr("asks you"),
            self.tr("only if you decide"),
            self.tr("wait"),
            self.tr("typing"),
            self.tr("Telegram's wait"),
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        theme.changed.connect(self.update)

    def show_entries(self, *, shown: bool) -> None:
        """Show or hide the entries; the room for them stays."""
        self._is_shown = shown
        self.update()

    def fitting(self) -> list[tuple[float, int, str]]:
        """Return each entry that fits: its place from the leading edge in px, its number, its word."""
        metrics, left = self._theme.metrics(Face.META), 8.0
        fits: list[tuple[float, int, str]] = []
        for number, word in enumerate(self._words):
            end = left + SWATCH + GAP + metrics.horizontalAdvance(word)
            if end + 2 <= self.width():
                fits.append((left, number, word))
                left = end + BETWEEN
        return fits

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._is_shown:
            return
        theme, middle = self._theme, self.height() / 2
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        for left, number, word in self.fitting():
            self._swatch(painter, number, QRectF(left, middle - HIGH / 2, SWATCH, HIGH))
            spot = QPointF(left + SWATCH + GAP, middle)
            marks.draw_line(painter, theme.font(Face.META), theme.color("text2"), spot, word)
        painter.end()

    def _swatch(self, painter: QPainter, number: int, swatch: QRectF) -> None:
        theme, middle = self._theme, swatch.center().y()
        if number == 3:
            draw_wait(painter, theme, swatch.left(), swatch.right(), middle)
        elif number == 4:
            draw_typing(painter, theme, swatch)
        elif number == 5:
            draw_hatched(painter, theme, swatch)
        else:
            ground, line, icon, ink = (
                ("accent", "", "send", "on_accent"),
                ("attention_soft", "attention_line", "hand", "attention"),
                ("", "text2", "", ""),
            )[number]
            style = Qt.PenStyle.SolidLine if ground else Qt.PenStyle.DashLine
            painter.setPen(QPen(theme.color(line), 1, style) if line else QPen(Qt.PenStyle.NoPen))
            painter.setBrush(theme.color(ground) if ground else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(swatch.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
            if icon:
                icons.draw(painter, icon, theme.color(ink), QRectF(swatch.center().x() - 5, middle - 5, 10, 10))
