"""The strip with a pane's title and a few words on its state."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QWidget

from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme


class PaneTitle(QWidget):
    """36 high, a hairline below; buttons may be added at the right."""

    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.title = PlainLabel(theme, title, Face.STRONG)
        self.subtitle = ElidedLabel(theme, "", Face.SMALL, "text3")
        self._row = QHBoxLayout(self)
        set_rtl_margins(self._row, 14, 0, 6, 0)
        self._row.setSpacing(8)
        self._row.addWidget(self.title)
        self._row.addWidget(self.subtitle, 1)
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self._fit_height)
        self._fit_height()

    def sizeHint(self) -> QSize:
        # A dock asks for the hint and does not look at a fixed height.
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.minimumHeight())

    def _fit_height(self) -> None:
        self.setFixedHeight(max(36, round(self._theme.metrics(Face.STRONG).height() * 2)))

    def add_button(self, button: QWidget) -> None:
        """Put a small button at the right end."""
        self._row.addWidget(button)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("pane"))
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.drawLine(QPointF(0, self.height() - 0.5), QPointF(self.width(), self.height() - 0.5))
        painter.end()
