"""Labels that never read markup."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from chimein_gui.ui.widgets.elision import elided
from chimein_gui.ui.widgets.theme import Face, Theme


class PlainLabel(QLabel):
    """A label in one of the theme's faces and colours."""

    def __init__(
        self, theme: Theme, text: str = "", face: Face = Face.BODY, color: str = "text1", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._color = theme, color
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(theme.font(face))
        self.setText(text)
        theme.changed.connect(self._recolour)
        self._recolour()

    def setText(self, text: str) -> None:
        # The same words again would lay out everything around them.
        if text != self.text():
            super().setText(text)

    def set_color(self, color: str) -> None:
        """Change the token the text is painted in."""
        if color != self._color:
            self._color = color
            self._recolour()

    def _recolour(self) -> None:
        # A palette would be overruled inside of a tool bar, which has a style sheet.
        self.setStyleSheet(f"color: {self._theme.color(self._color).name()};")


class ElidedLabel(PlainLabel):
    """One line that gives way: it ends in … where there is no room."""

    def __init__(
        self, theme: Theme, text: str = "", face: Face = Face.BODY, color: str = "text1", parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, text, face, color, parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 2, metrics.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self._theme.color(self._color))
        shown = elided(QFontMetricsF(self.font()), self.text(), self.width())
        painter.drawText(self.rect(), int(self.alignment()) | int(Qt.TextFlag.TextSingleLine), shown)
        painter.end()
