"""Painted rows, kept as pictures: a row that only moved, or that a scroll brings back, costs one blit.

A dozen painter calls from Python take half a millisecond a row; a copy of their pixels takes a fiftieth of that.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable

from PySide6.QtCore import QPoint, QRect, QRectF
from PySide6.QtGui import QColor, QPainter, QPixmap

from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Theme

Paint = Callable[[QPainter, QRectF], bool | None]
"""Paints a row; False says that something is still missing, so that the picture is not kept."""

MOST_BYTES = 12 * 2**20
"""Most memory of one list's pictures; the rows of a large window in sight take a third of it."""

_BYTES_A_PIXEL = 4


class RowPictures:
    """A bounded cache of one view's rows; forgets what was not painted for longest."""

    def __init__(self, theme: Theme, ground: str, most_bytes: int = MOST_BYTES) -> None:
        """Begin empty.

        Args:
            theme: Colours; a change of scheme forgets everything.
            ground: Token of the colour behind the rows.
            most_bytes: Bound of the memory.
        """
        self._theme, self._ground, self._most = theme, ground, most_bytes
        self._kept: OrderedDict[Hashable, tuple[QPixmap, int]] = OrderedDict()
        self.bytes = 0
        self.painted = 0
        theme.changed.connect(self.clear)

    def clear(self) -> None:
        """Forget all."""
        self._kept.clear()
        self.bytes = 0

    def draw(self, painter: QPainter, rect: QRect, key: Hashable, paint: Paint, *, turned: bool = False) -> None:
        """Put a row's picture in its place.

        Args:
            painter: Of the view.
            rect: The row.
            key: Everything that the row's looks depend on, but its size, the colours and the screen.
            paint: Paints it for the first time, with a painter of its own, into the rectangle it is given.
            turned: Left and right change places: the layout runs from the right.
        """
        ratio = painter.device().devicePixelRatioF()
        whole = (key, rect.width(), rect.height(), ratio, turned)
        known = self._kept.get(whole)
        if known is None:
            cost = round(rect.width() * rect.height() * ratio * ratio) * _BYTES_A_PIXEL
            if cost <= 0 or cost * 4 > self._most:
                painter.save()
                if turned:
                    mirror(painter, rect)
                paint(painter, QRectF(rect))
                painter.restore()
                return
            picture, whole_row = self._paint(rect, ratio, paint, turned=turned)
            known = (picture, cost)
            if whole_row:
                self._keep(whole, known)
        else:
            self._kept.move_to_end(whole)
        painter.drawPixmap(rect.topLeft(), known[0])

    def _paint(self, rect: QRect, ratio: float, paint: Paint, *, turned: bool) -> tuple[QPixmap, bool]:
        self.painted += 1
        picture = QPixmap(round(rect.width() * ratio), round(rect.height() * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(QColor(self._theme.color(self._ground)))
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = QRect(QPoint(0, 0), rect.size())
        if turned:
            mirror(painter, place)
        whole_row = paint(painter, QRectF(place)) is not False
        painter.end()
        return picture, whole_row

    def _keep(self, whole: Hashable, made: tuple[QPixmap, int]) -> None:
        self._kept[whole] = made
        self.bytes += made[1]
        while self.bytes > self._most:
            _, (_, cost) = self._kept.popitem(last=False)
            self.bytes -= cost
