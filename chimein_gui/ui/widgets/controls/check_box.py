"""A check box, painted in the theme's colours."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy

from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_ground, draw_ring, state_of
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face, Theme

_LEFT, _END = 24, 4


class CheckBox(QCheckBox):
    """Its text is shown literally, without markup or mnemonic; a long text is elided."""

    def __init__(self, theme: Theme, words: str) -> None:
        super().__init__()
        self._theme, self.words = theme, words
        self.setAccessibleName(words)
        theme.apply(self, Face.BODY)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(_LEFT + metrics.horizontalAdvance(self.words) + _END, max(24, metrics.height() + 6))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        state = state_of(self)
        colours = colours_of(self._theme, Role.TICK, state)
        box = QRectF(2.5, self.height() / 2 - 7.5, 15, 15)
        draw_ground(painter, colours, box, 3.5)
        if state.checked:
            icons.draw(painter, "check", colours.ink, box.adjusted(1.5, 1.5, -1.5, -1.5))
        draw_ring(painter, colours, QRectF(self.rect()).adjusted(0.6, 0.6, -0.6, -0.6), 5, 1.2)
        painter.setPen(colours_of(self._theme, Role.WORDS, state).ink)
        painter.setFont(self.font())
        room = QRectF(_LEFT, 0, self.width() - _LEFT - _END, self.height())
        words = elided(QFontMetricsF(self.font()), self.words, room.width())
        marks.draw_words(painter, room, words)
        painter.end()

    def hitButton(self, pos: object) -> bool:
        return True
