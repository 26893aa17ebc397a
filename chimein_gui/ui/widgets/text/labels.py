"""Labels that never interpret markup."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF, QPainter, QPaintEvent, QTextLayout
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from chimein_gui.ui.widgets.controls.spoken_role import speak_if_filled, spoken
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme.theme import INK, Face, Theme

LONGEST_WORD = 160
"""Largest minimum width of a label that wraps, px, however long its longest word is."""


class PlainLabel(QLabel):
    """A label in one of the theme's fonts and text colours. Screen readers get its text without invisible marks."""

    _has_marks = False

    def __init__(
        self, theme: Theme, text: str = "", face: Face = Face.BODY, color: str = "text1", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._color = theme, color
        if not text:
            speak_if_filled(self)  # it is filled later, or only now and then
        self.setTextFormat(Qt.TextFormat.PlainText)
        theme.apply(self, face)
        self.setProperty(INK, color)
        self.setText(text)
        self.setAlignment(self.alignment())

    def setAlignment(self, alignment: Qt.AlignmentFlag) -> None:
        """Align lines with the layout direction; Qt would use the direction of the text."""
        if self.isRightToLeft() and not alignment & Qt.AlignmentFlag.AlignAbsolute:
            alignment = _turned(alignment)
        super().setAlignment(alignment)

    def setText(self, text: str) -> None:
        # Setting the same text again would cause a layout of everything around it.
        if text != self.text():
            super().setText(text)
            said = spoken(text)
            if said != text or self._has_marks:
                self._has_marks = said != text
                self.setAccessibleName(said if self._has_marks else "")

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        # Else a word of 3,000 letters would widen the whole window.
        return QSize(min(hint.width(), LONGEST_WORD), hint.height()) if self.wordWrap() else hint

    def set_color(self, color: str) -> None:
        """Set the token of the text colour, one of `INKS`."""
        if color != self._color:
            self._color = color
            self.setProperty(INK, color)
            if self.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
                # The style sheet looks at a property only when a widget is polished. The event spares the class
                # QStyle, which is slow to load.
                QCoreApplication.sendEvent(self, QEvent(QEvent.Type.Polish))
            self.update()


class ElidedLabel(PlainLabel):
    """A label of one line that is elided if it does not fit."""

    _measured: tuple[tuple[str, str], QSize] = (("", ""), QSize())

    def __init__(
        self, theme: Theme, text: str = "", face: Face = Face.BODY, color: str = "text1", parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, text, face, color, parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        # The height of the font alone: taller letters of a fallback font must not move what is below.
        return QSize(24, self.fontMetrics().height())

    def sizeHint(self) -> QSize:
        # A name in a rare script takes 1 ms to measure, and layouts ask several times.
        look = (self.text(), self.font().key())
        if look != self._measured[0]:
            metrics = self.fontMetrics()
            self._measured = look, QSize(metrics.horizontalAdvance(self.text()) + 2, metrics.height())
        return QSize(self._measured[1])

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self._theme.color(self._color))
        shown = elided(QFontMetricsF(self.font()), self.text(), self.width())
        alignment = self.alignment()
        if self.isRightToLeft():
            # The text has its own direction; the alignment decides where it begins.
            painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        place = QRectF(self.rect())
        if not shown.isascii() and alignment & Qt.AlignmentFlag.AlignVCenter:
            alignment = alignment & ~Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignTop
            place.setTop(_top_of(self.font(), shown, self.height()))
        flags = int(alignment) | int(Qt.TextFlag.TextSingleLine) | int(Qt.TextFlag.TextDontClip)
        painter.drawText(place, flags, shown)
        painter.end()


def _top_of(font: QFont, words: str, height: int) -> int:
    """Return where a line has to begin so that its letters stand in the middle of a height, px.

    Qt centres the whole line. Characters of another font, invisible marks too, may make it higher above: the feet of
    the letters would be cut.
    """
    layout, metrics = QTextLayout(words, font), QFontMetricsF(font)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    return (height - QFontMetrics(font).height()) // 2 - (round(line.ascent()) - round(metrics.ascent()))


def _turned(alignment: Qt.AlignmentFlag) -> Qt.AlignmentFlag:
    """Return an alignment mirrored for a right-to-left layout."""
    left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
    sides = alignment & (left | right | Qt.AlignmentFlag.AlignHCenter)
    vertical = alignment & Qt.AlignmentFlag.AlignVertical_Mask
    side = left if sides == right else right if sides in (left, Qt.AlignmentFlag(0)) else sides
    return vertical | side | Qt.AlignmentFlag.AlignAbsolute
