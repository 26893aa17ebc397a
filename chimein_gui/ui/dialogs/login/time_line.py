"""A line with a countdown: a clock icon and words."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.ui.widgets.controls.spoken_role import speak_as_words
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face, Theme

_ICON, _GAP = 13.0, 6.0


class TimeLine(QWidget):
    """Keeps its height while it is empty."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._words = theme, ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        speak_as_words(self)
        theme.changed.connect(self.update)

    @property
    def words(self) -> str:
        """The current text."""
        return self._words

    def say(self, words: str) -> None:
        """Show a text of the program, never a foreign one; empty hides the icon, too."""
        if words != self._words:
            self._words = words
            self.setAccessibleName(words)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(80, max(16, round(self._theme.metrics(Face.SMALL).height())))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._words:
            return
        painter = QPainter(self)
        follow_layout(painter, self)
        ink, middle = self._theme.color("text2"), self.height() / 2
        icons.draw(painter, "timer", ink, QRectF(0, middle - _ICON / 2, _ICON, _ICON))
        painter.setFont(self._theme.font(Face.SMALL))
        painter.setPen(ink)
        room = self.width() - _ICON - _GAP
        words = elided(self._theme.metrics(Face.SMALL), self._words, room)
        marks.draw_words(painter, QRectF(_ICON + _GAP, 0, room, self.height()), words)
        painter.end()
