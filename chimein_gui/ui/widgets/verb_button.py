"""The button of a verb: icon, word, and the key that does the same."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from chimein_gui.ui.widgets import icons
from chimein_gui.ui.widgets.theme import Face, Theme, blend

_PAD = 11
_GAP = 7
_ICON = 15


class Kind(StrEnum):
    """How loud a button is."""

    PRIMARY = "primary"
    PLAIN = "plain"
    QUIET = "quiet"
    DANGER = "danger"
    UNREAL = "unreal"


class VerbButton(QPushButton):
    """A painted push button; the keycap is decoration, the key is in the accessible description."""

    def __init__(
        self,
        theme: Theme,
        text: str,
        *,
        icon: str = "",
        key: str = "",
        kind: Kind = Kind.PLAIN,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._icon, self._key, self._kind = theme, icon, key, kind
        self._hovered = False
        self.setText(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFont(theme.font(Face.STRONG))
        self.setAutoDefault(False)
        if key:
            self.setAccessibleDescription(self.tr("Key {key}").format(key=key))
        theme.changed.connect(self.update)

    def set_look(self, text: str, *, icon: str = "", kind: Kind = Kind.PLAIN) -> None:
        """Change word, icon and loudness at once."""
        if (text, icon, kind) == (self.text(), self._icon, self._kind):
            return
        self._icon, self._kind = icon, kind
        self.setText(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self.font())
        width = 2 * _PAD + metrics.horizontalAdvance(self.text())
        if self._icon:
            width += _ICON + (_GAP if self.text() else 0)
        if self._key:
            width += _GAP + self._cap_width() - 4
        return QSize(round(width), max(28, round(metrics.height() * 1.75)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hovered = True
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = False
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill, edge, ink = self._colours()
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(edge, 1) if edge.alpha() else Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(frame, 6, 6)
        if self.hasFocus():
            filled = self._kind in (Kind.PRIMARY, Kind.UNREAL) and self.isEnabled()
            painter.setPen(QPen(ink if filled else self._theme.color("accent"), 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(frame.adjusted(2, 2, -2, -2), 4.5, 4.5)
        self._paint_content(painter, ink)
        painter.end()

    def _paint_content(self, painter: QPainter, ink: QColor) -> None:
        metrics = QFontMetricsF(self.font())
        x = float(_PAD if self.text() else (self.width() - _ICON) / 2)
        if self._icon:
            icons.draw(painter, self._icon, ink, QRectF(x, (self.height() - _ICON) / 2, _ICON, _ICON))
            x += _ICON + _GAP
        painter.setFont(self.font())
        painter.setPen(ink)
        width = metrics.horizontalAdvance(self.text())
        painter.drawText(QRectF(x, 0, width + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, self.text())
        if self._key:
            self._paint_cap(painter, x + width + _GAP, ink)

    def _cap_width(self) -> float:
        return max(17.0, QFontMetricsF(self._theme.font(Face.META)).horizontalAdvance(self._key) + 9)

    def _paint_cap(self, painter: QPainter, left: float, ink: QColor) -> None:
        cap = QRectF(left, (self.height() - 17) / 2, self._cap_width(), 17)
        primary = self._kind is Kind.PRIMARY and self.isEnabled()
        edge = blend(ink, self._colours()[0], 0.45) if primary else self._theme.color("line_strong")
        painter.setPen(QPen(edge, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(cap.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(ink if primary else self._theme.color("text2"))
        painter.setFont(self._theme.font(Face.META))
        painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, self._key)

    def _colours(self) -> tuple[QColor, QColor, QColor]:
        """Return fill, edge and ink."""
        color = self._theme.color
        none = QColor(0, 0, 0, 0)
        if not self.isEnabled():
            return color("raised"), color("line"), color("text3")
        pressed = self.isDown()
        if self._kind in (Kind.PRIMARY, Kind.UNREAL):
            fill = color("accent" if self._kind is Kind.PRIMARY else "unreal")
            fill = blend(fill, color("text1"), 0.18 if pressed else 0.09 if self._hovered else 0.0)
            ink = color("on_accent") if self._kind is Kind.PRIMARY or not self._theme.tokens.dark else QColor("#1B1330")
            return fill, none, ink
        ground = color("raised") if self._hovered or pressed else color("card")
        if self._kind is Kind.DANGER:
            return ground, color("danger"), color("danger")
        if self._kind is Kind.QUIET:
            return (ground if self._hovered or pressed else none), none, color("text2")
        return ground, color("line_strong"), color("text1")
