"""An icon with words on a coloured background, in the top bar."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_ground, draw_ring, state_of
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face, Theme

CARET = 14


class Chip(QPushButton):
    """A button with an icon and words on a coloured background; it need not be clickable."""

    def __init__(self, theme: Theme, *, caret: bool = False) -> None:
        super().__init__()
        self._theme, self._caret = theme, caret
        self._label, self._more, self._ground = IconLabel("ok-circle", "", "text2"), "", ""
        self._short, self._is_short = "", False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def say(self, label: IconLabel, more: str = "", ground: str = "", *, short: str = "") -> None:
        """Show an icon with words.

        Args:
            label: Icon and words.
            more: Further words in a lighter colour; hidden when the chip is shortened.
            ground: Token of the background; none if empty.
            short: Replaces the words when the chip is shortened; empty keeps them.
        """
        if (label, more, ground, short) == (self._label, self._more, self._ground, self._short):
            return
        before = self.sizeHint()
        self._label, self._more, self._ground, self._short = label, more, ground, short
        self.setAccessibleName(f"{label.word} {more}".strip())
        if self.sizeHint() != before:
            self.updateGeometry()
        self.update()

    def shorten(self, *, short: bool) -> None:
        """Show the short or the full words."""
        if short is not self._is_short:
            self._is_short = short
            self.updateGeometry()
            self.update()

    def width_if(self, *, short: bool) -> int:
        """Return the width in px that it would have, shortened or not."""
        label, more = self._words(short=short)
        width = 22 + marks.mark_width(self._theme, label.word, self._face()) + 3
        if more:
            width += 7 + QFontMetricsF(self._theme.font(Face.SMALL)).horizontalAdvance(more)
        return round(width + (CARET if self._caret else 0))

    def _words(self, *, short: bool) -> tuple[IconLabel, str]:
        label = self._label
        return (IconLabel(label.icon, self._short or label.word, label.token), "") if short else (label, self._more)

    def sizeHint(self) -> QSize:
        height = max(28, round(QFontMetricsF(self._theme.font(Face.STRONG)).height() * 1.75))
        return QSize(self.width_if(short=self._is_short), height)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        colours = colours_of(self._theme, Role.BARE, state_of(self))
        if self._ground:
            colours = colours._replace(fill=self._theme.color(self._ground))
        draw_ground(painter, colours, frame, 6)
        draw_ring(painter, colours, frame, 6)
        label, more = self._words(short=self._is_short)
        color = self._theme.color(label.token)
        middle = self.height() / 2
        x = marks.draw_mark(painter, self._theme, QPointF(11, middle), label, color, self._face())
        if more:
            marks.draw_line(painter, self._theme.font(Face.SMALL), color, QPointF(x + 7, middle), more)
        if self._caret:
            icons.draw(painter, "caret-down", color, QRectF(self.width() - CARET - 7, middle - 6, 12, 12))
        painter.end()

    def _face(self) -> Face:
        return Face.STRONG if self._ground else Face.SMALL
