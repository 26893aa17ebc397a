"""A cache of painted rows: a row that was moved or scrolled back is drawn as one image.

Painting a row takes 0.5 ms, because it needs a dozen painter calls from Python; drawing its image takes 0.01 ms.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable

from PySide6.QtCore import QPoint, QRect, QRectF
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from chimein_gui.ui.widgets.rows.paint_budget import BUDGET
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Theme

Paint = Callable[[QPainter, QRectF], bool | None]
"""Paints a row; returns False if a picture is still missing, so that the image is not cached."""

MOST_BYTES = 12 * 2**20
"""Default limit of one list's cache; the visible rows of a large window take a third of it."""

MOST_IN_SIGHT = 48 * 2**20
"""Limit of the cache of one list on a very large screen."""

_BESIDE = 1.5
"""Room for rows that are out of sight, as a multiple of the visible ones."""

_BYTES_A_PIXEL = 4


class RowPictures:
    """A bounded LRU cache of one view's rows."""

    def __init__(self, theme: Theme, ground: str, most_bytes: int = MOST_BYTES) -> None:
        """Create an empty cache.

        Args:
            theme: The colours; another colour scheme clears the cache.
            ground: Token of the background colour.
            most_bytes: Limit of the memory; a view whose visible rows need more gets more.
        """
        self._theme, self._ground = theme, ground
        self._most = self._room = most_bytes
        self._kept: OrderedDict[Hashable, tuple[QPixmap, int]] = OrderedDict()
        self.bytes = 0
        self.painted = 0
        self._frame = 0
        theme.changed.connect(self.clear)

    def clear(self) -> None:
        """Remove all images."""
        self._kept.clear()
        self.bytes = 0

    def draw(self, painter: QPainter, rect: QRect, key: Hashable, paint: Paint, *, turned: bool = False) -> None:
        """Draw a row from the cache, or paint it and cache the image.

        Where painting has taken long in this frame, there is only the ground until the next one; each list paints at
        least one row in a frame.

        Args:
            painter: The painter of the view.
            rect: The row.
            key: Everything that the row's appearance depends on, except size, colours and screen.
            paint: Paints the row into a rectangle, if it is not cached.
            turned: The layout is right-to-left.
        """
        ratio = painter.device().devicePixelRatioF()
        whole = (key, rect.width(), rect.height(), ratio, turned)
        known = self._kept.get(whole)
        if known is None:
            cost = self._cost_of(rect, ratio, painter.device().height())
            if cost <= 0 or cost * 4 > self._room:
                painter.save()
                if turned:
                    mirror(painter, rect)
                paint(painter, QRectF(rect))
                painter.restore()
                return
            if self._frame == BUDGET.frame and BUDGET.is_spent and self._postpone(painter, rect):
                return
            self._frame = BUDGET.frame
            picture, whole_row = self._paint(rect, ratio, paint, turned=turned)
            known = (picture, cost)
            if whole_row:
                self._keep(whole, known)
        else:
            self._kept.move_to_end(whole)
        painter.drawPixmap(rect.topLeft(), known[0])

    def prepare(self, widget: QWidget, height: int, key: Hashable, paint: Paint, *, turned: bool = False) -> None:
        """Paint a row of a widget that is shown soon, if it is not cached and there is room for it; else as `draw`."""
        rect, ratio = QRect(0, 0, widget.width(), height), widget.devicePixelRatioF()
        whole = (key, rect.width(), rect.height(), ratio, turned)
        cost = self._cost_of(rect, ratio, widget.height())
        if whole not in self._kept and 0 < cost * 4 <= self._room:
            picture, is_whole = self._paint(rect, ratio, paint, turned=turned)
            if is_whole:
                self._keep(whole, (picture, cost))

    def _cost_of(self, rect: QRect, ratio: float, height_in_sight: int) -> int:
        """Return the bytes of a row's image, and make room for as many as are in sight."""
        pixel = ratio * ratio * _BYTES_A_PIXEL
        # A cache smaller than what is in sight never helps: each row in turn would push out the one that is next.
        in_sight = rect.width() * height_in_sight * pixel
        self._room = max(self._most, min(round(in_sight * _BESIDE), MOST_IN_SIGHT))
        return round(rect.width() * rect.height() * pixel)

    def _postpone(self, painter: QPainter, rect: QRect) -> bool:
        """Leave a row for the next frame; False where it is not known which place of a widget it is."""
        device = painter.device()
        if not isinstance(device, QWidget) or not painter.worldTransform().isIdentity():
            return False
        painter.fillRect(rect, QColor(self._theme.color(self._ground)))
        device.update(rect)
        return True

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
        while self.bytes > self._room:
            _, (_, cost) = self._kept.popitem(last=False)
            self.bytes -= cost
