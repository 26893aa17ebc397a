"""A row of shortcuts with descriptions, at the foot of a pane."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.keycaps import cap_width, draw_cap, key_name
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face, Theme

Entries = tuple[tuple[tuple[str, ...], str], ...]
"""Keys that do the same, with the word for it."""


class KeyLegend(QWidget):
    """Keycaps and words; entries that do not fit are left out from the end."""

    def __init__(self, theme: Theme, entries: Entries, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entries: Entries = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.show_entries(entries)
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self.updateGeometry)

    def show_entries(self, entries: Entries) -> None:
        """Show other keys."""
        if entries == self._entries:
            return
        self._entries = entries
        self.setAccessibleName(
            self.tr("Keys: {keys}").format(
                keys=", ".join(f"{'/'.join(map(key_name, keys))} {word}" for keys, word in entries)
            )
        )
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, max(34, round(QFontMetricsF(self._theme.font(Face.META)).height() * 2)))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.drawLine(QPointF(0, 0.5), QPointF(self.width(), 0.5))
        follow_layout(painter, self)
        font = self._theme.font(Face.META)
        metrics = QFontMetricsF(font)
        x, middle = 12.0, self.height() / 2
        for keys, word in self._entries:
            caps = sum(cap_width(self._theme, key) + 3 for key in keys)
            if x + caps + metrics.horizontalAdvance(word) + 6 > self.width():
                break
            for key in keys:
                x = draw_cap(painter, self._theme, x, middle, key) + 3
            x += 2 + marks.draw_line(painter, font, self._theme.color("text2"), QPointF(x + 1, middle), word) + 9
        painter.end()
