"""The QR code that another device scans: dark on white in both colour schemes."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.ui.widgets.controls.spoken_role import speak_as_words
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.theme import Theme

SIDE = 192
QUIET = 12
"""The white margin, logical pixels, by which cameras find the code."""

_WHITE, _INK = QColor("#FFFFFF"), QColor("#101418")


class QrPicture(QWidget):
    """Paints the QR code of a text; without one, an empty frame with an icon."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._squares: tuple[tuple[bool, ...], ...] = ()
        self._text, self._icon = "", "hourglass"
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        speak_as_words(self)
        theme.changed.connect(self.update)

    @property
    def squares(self) -> tuple[tuple[bool, ...], ...]:
        """The modules of the QR code by row, True for dark ones; empty without a code."""
        return self._squares

    def show_text(self, text: str, *, failed: bool = False) -> None:
        """Show the QR code of a text. If it is empty: a frame with an hourglass, or with an alert if `failed`."""
        if text != self._text:
            self._text, self._squares = text, _squares_of(text) if text else ()
        self._icon = "alert" if failed else "hourglass"
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(SIDE + 2 * QUIET, SIDE + 2 * QUIET)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        empty = not self._squares
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.setBrush(self._theme.color("raised") if empty else _WHITE)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        if empty:
            middle = QRectF(self.width() / 2 - 16, self.height() / 2 - 16, 32, 32)
            icons.draw(painter, self._icon, self._theme.color("text3"), middle)
        else:
            self._paint_squares(painter)
        painter.end()

    def _paint_squares(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        # Edges are at whole device pixels: between two of them they would be grey.
        ratio, count = self.devicePixelRatioF(), len(self._squares)
        edges = [round((QUIET + SIDE * place / count) * ratio) / ratio for place in range(count + 1)]
        for row, squares in enumerate(self._squares):
            top, height = edges[row], edges[row + 1] - edges[row]
            for column, is_dark in enumerate(squares):
                if is_dark:
                    painter.fillRect(QRectF(edges[column], top, edges[column + 1] - edges[column], height), _INK)


def _squares_of(text: str) -> tuple[tuple[bool, ...], ...]:
    # Imported for the first QR code, because nothing else needs it.
    import segno

    code = segno.make(text, error="m", micro=False)
    return tuple(tuple(bool(square) for square in row) for row in code.matrix)
