"""A few words that stand out: icon, bold title and a sentence on a soft ground with a line around it."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.surfaces.state_chip import GROUNDS
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face, Theme, blend

_ICON, _SIDE = 18, 14


class Callout(QWidget):
    """Wraps; buttons may be put at its end."""

    def __init__(self, theme: Theme, icon: str, token: str, title: str = "", words: str = "") -> None:
        super().__init__()
        self._theme, self._icon, self._token = theme, icon, token
        self._title = PlainLabel(theme, "", Face.STRONG)
        self._words = PlainLabel(theme, "", Face.SMALL, "text2")
        for label in (self._title, self._words):
            label.setWordWrap(True)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(self._title)
        column.addWidget(self._words)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(_SIDE + _ICON + 12, 9, 12, 10)
        self._row.setSpacing(10)
        self._row.addLayout(column, 1)
        theme.changed.connect(self.update)
        self.say(title, words)

    def say(self, title: str, words: str = "") -> None:
        """Show a title and a sentence, made safe already."""
        self._title.setText(title)
        self._words.setText(words)
        self._words.setVisible(bool(words))
        self.setAccessibleName(f"{title}. {words}".strip())

    def mark_as(self, icon: str, token: str) -> None:
        """Change icon and colour."""
        if (icon, token) != (self._icon, self._token):
            self._icon, self._token = icon, token
            self.update()

    def add(self, widget: QWidget) -> None:
        """Put a button at its end."""
        self._row.addWidget(widget)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = self._theme.color(GROUNDS.get(self._token, "raised"))
        ink = self._theme.color(self._token)
        painter.setPen(QPen(blend(ground, ink, 0.4), 1))
        painter.setBrush(ground)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        follow_layout(painter, self)
        icons.draw(painter, self._icon, ink, QRectF(_SIDE, (self.height() - _ICON) / 2, _ICON, _ICON))
        painter.end()
