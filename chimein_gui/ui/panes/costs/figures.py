"""The five figures of the Costs pane."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.ui.widgets.controls.spoken_role import speak_as_words
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme

_GAP, _PAD = 10.0, 14.0


class Figure(NamedTuple):
    """One figure.

    Attributes:
        title: What it is.
        value: The number in words.
        more: What it means.
        is_marked: It is beyond a mark.
    """

    title: str
    value: str
    more: str = ""
    is_marked: bool = False


class FigureRow(QWidget):
    """Cards side by side; a screen reader hears them as one text."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.figures: tuple[Figure, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        speak_as_words(self)
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self.updateGeometry)

    def show_figures(self, figures: tuple[Figure, ...]) -> None:
        """Set the figures."""
        if figures != self.figures:
            self.figures = figures
            said = (f"{one.title}: {one.value}" + (f", {one.more}" if one.more else "") for one in figures)
            self.setAccessibleName(". ".join(said))
            self.update()

    def sizeHint(self) -> QSize:
        heights = [self._theme.metrics(face).height() for face in (Face.SMALL, Face.META)]
        return QSize(500, round(sum(heights) + self._big_height() + 26))

    def minimumSizeHint(self) -> QSize:
        return QSize(300, self.sizeHint().height())

    def _big(self) -> QFont:
        font = QFont(self._theme.font(Face.TITLE))
        font.setPointSizeF(font.pointSizeF() * 1.3)
        return font

    def _big_height(self) -> float:
        return self._theme.metrics(Face.TITLE).height() * 1.3

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.figures:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        theme, count = self._theme, len(self.figures)
        width = (self.width() - (count - 1) * _GAP) / count
        small, meta, big = theme.metrics(Face.SMALL).height(), theme.metrics(Face.META).height(), self._big_height()
        for place, figure in enumerate(self.figures):
            card = QRectF(place * (width + _GAP), 0, width, self.height()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.setPen(theme.color("line"))
            painter.setBrush(theme.color("card"))
            painter.drawRoundedRect(card, 8, 8)
            x, room = card.left() + _PAD, width - 2 * _PAD
            lines = (
                (theme.font(Face.SMALL), "text2", figure.title, small),
                (self._big(), "attention" if figure.is_marked else "text1", figure.value, big),
                (theme.font(Face.META), "text3", figure.more, meta),
            )
            y = card.top() + (card.height() - small - big - meta) / 2
            for font, token, words, height in lines:
                marks.draw_line(painter, font, theme.color(token), QPointF(x, y + height / 2), words, room)
                y += height
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.end()
