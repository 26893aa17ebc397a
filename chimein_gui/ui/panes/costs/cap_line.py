"""The cap for everything in the chart of costs: a dashed line, which has its own height today where it was raised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import limit_words

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme

translate = QCoreApplication.translate

Lines = tuple[tuple[float, float, float], ...]
"""Left and right end of each line, and its height, px."""


class CapLine:
    """A cap in US dollars a day, and what may be spent on the last day.

    Attributes:
        usd: The cap; None for none.
        today_usd: What may be spent today; None if there is no cap, or it is lifted until midnight.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.usd: float | None = None
        self.today_usd: float | None = None

    def words(self) -> str:
        """Return the cap, and what holds today alone; empty without one."""
        cap, today = self.usd, self.today_usd
        if cap is None:
            return ""
        if today is None:
            return translate("CapLine", "daily cap {amount}, none today").format(amount=limit_words(cap))
        words = translate("CapLine", "daily cap {amount}: pauses and asks")
        if today != cap:
            words = translate("CapLine", "daily cap {amount}, today {today}: pauses and asks")
        return words.format(amount=limit_words(cap), today=limit_words(today))

    def least_axis(self, height: float) -> float:
        """Return the least end of an axis that has room for the words above the line, in US dollars.

        Args:
            height: That of the plot, px.
        """
        share = min(0.5, self._room() / max(1.0, height))
        return max(self.usd or 0.0, self.today_usd or 0.0) / (1 - share)

    def lines(self, plot: QRectF, top: float, days: int) -> Lines:
        """Return the lines.

        Args:
            plot: The place of the bars.
            top: End of the axis, US dollars.
            days: Number of the days.
        """
        if self.usd is None or not days:
            return ()
        last = plot.right() - plot.width() / days
        ends = [(plot.left(), last, self.usd), (last, plot.right(), self.today_usd)]
        if self.today_usd == self.usd:
            ends = [(plot.left(), plot.right(), self.usd)]
        return tuple(
            (left, right, plot.bottom() - plot.height() * usd / top)
            for left, right, usd in ends
            if usd is not None and right - left > 1
        )

    def label(self, plot: QRectF, lines: Lines) -> QRectF:
        """Return the place of the words: above the lines, so that nothing below is hidden."""
        room = self._room()
        top = min(height for _left, _right, height in lines) - room
        width = self._theme.metrics(Face.META_STRONG).horizontalAdvance(self.words())
        return QRectF(plot.right() - width - 8, top, width + 8, room - 3)

    def paint(self, painter: QPainter, plot: QRectF, lines: Lines) -> None:
        """Paint the lines and the words."""
        if not lines:
            return
        theme, ground = self._theme, self.label(plot, lines)
        painter.setPen(QPen(theme.color("attention"), 1.5, Qt.PenStyle.DashLine))
        for left, right, y in lines:
            painter.drawLine(QPointF(left, y), QPointF(right, y))
        painter.fillRect(ground, theme.color("card"))
        at = QPointF(ground.left() + 6, ground.center().y())
        marks.draw_line(painter, theme.font(Face.META_STRONG), theme.color("attention"), at, self.words())

    def _room(self) -> float:
        return self._theme.metrics(Face.META_STRONG).height() + 3
