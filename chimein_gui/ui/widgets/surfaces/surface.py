"""Painted backgrounds of cards, bars, footers and messages."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from chimein_gui.ui.widgets.theme.mirror import from_leading_edge
from chimein_gui.ui.widgets.theme.theme import Theme, blend

STRIPE = 4

SOFT_GROUNDS = {
    "ok": "ok_soft",
    "danger": "danger_soft",
    "attention": "attention_soft",
    "info": "info_soft",
    "unreal": "unreal_soft",
    "accent_text": "accent_soft",
}


def soft_ground(token: str) -> str:
    """Return the token of the light background for text in a colour."""
    return SOFT_GROUNDS.get(token, "raised")


class Surface(QWidget):
    """Paints a background, and optionally a frame, hairlines and a stripe at the leading edge.

    Colours are tokens of the theme; the stripe may also be the number of an agent's identity colour.
    """

    def __init__(
        self,
        theme: Theme,
        ground: str = "",
        *,
        frame: str = "",
        radius: float = 0,
        top_line: str = "",
        bottom_line: str = "",
        stripe: str | int = "",
    ) -> None:
        """Set what is painted.

        Args:
            theme: Colours; the surface repaints when they change.
            ground: Token of the background; empty for none.
            frame: Token of the frame.
            radius: Radius of the corners, px.
            top_line: Token of a hairline at the top.
            bottom_line: Token of a hairline at the bottom.
            stripe: Token, or number of an identity colour, of a stripe at the leading edge.
        """
        super().__init__()
        self._theme = theme
        self._ground, self._frame, self._radius = ground, frame, radius
        self._top_line, self._bottom_line = top_line, bottom_line
        self._stripe = stripe
        theme.changed.connect(self.update)

    def set_ground(self, ground: str, *, frame: str = "") -> None:
        """Set the tokens of background and frame; empty for none."""
        if (ground, frame) != (self._ground, self._frame):
            self._ground, self._frame = ground, frame
            self.update()

    def set_stripe(self, stripe: str | int) -> None:
        """Set the colour of the stripe; an empty token removes it."""
        if stripe != self._stripe:
            self._stripe = stripe
            self.update()

    def set_top_line(self, token: str) -> None:
        """Set the hairline at the top; an empty token removes it."""
        if token != self._top_line:
            self._top_line = token
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        self.paint_contents(painter)
        painter.end()

    def paint_contents(self, painter: QPainter) -> None:
        """Paint the contents over the background; for subclasses."""

    def _paint_ground(self, painter: QPainter) -> None:
        color, width, height = self._theme.color, self.width(), self.height()
        if self._radius or self._frame:
            self._paint_rounded(painter)
        else:
            if self._ground:
                painter.fillRect(self.rect(), color(self._ground))
            self._paint_stripe(painter)
        if self._top_line:
            painter.fillRect(0, 0, width, 1, color(self._top_line))
        if self._bottom_line:
            painter.fillRect(0, height - 1, width, 1, color(self._bottom_line))

    def _paint_rounded(self, painter: QPainter) -> None:
        inset = 0.5 if self._frame else 0.0  # a line 1 px wide is sharp at pixel centres
        path = QPainterPath()
        path.addRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), self._radius, self._radius)
        if self._ground:
            painter.fillPath(path, self._theme.color(self._ground))
        if self._stripe != "":
            painter.setClipPath(path)
            self._paint_stripe(painter)
            painter.setClipping(False)
        if self._frame:
            painter.setPen(QPen(self._frame_color(), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(path)

    def _paint_stripe(self, painter: QPainter) -> None:
        if self._stripe != "":
            theme, stripe = self._theme, self._stripe
            color = theme.identity(stripe) if isinstance(stripe, int) else theme.color(stripe)
            painter.fillRect(from_leading_edge(self, 0, 0, STRIPE, self.height()), color)

    def _frame_color(self) -> QColor:
        # On the light background of its own colour a frame is lightened, too.
        ink = self._theme.color(self._frame)
        is_soft = self._ground == soft_ground(self._frame)
        return blend(self._theme.color(self._ground), ink, 0.4) if is_soft else ink


class Card(Surface):
    """A rounded card.

    Its stripe shows the agent, or that it is simulated; contents begin 12 px from the leading edge.
    """

    def __init__(self, theme: Theme, *, stripe: str = "") -> None:
        super().__init__(theme, "card", frame="line", radius=8, stripe=stripe)


class Footer(Surface):
    """The area below a list with the actions for the selected row."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "card", top_line="line")
