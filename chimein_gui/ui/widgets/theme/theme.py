"""The current colours, and the fonts made from the system's."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication

from chimein_gui.ui.widgets.theme.tokens import DARK, IDENTITY, LIGHT, Tokens, with_more_contrast

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_BODY_PX = 13

FACE_OF = "face_of_letters"
"""Property of a widget: the face of its text."""


GROUND = "ground"
"""Property of a dialog: the token of its ground, ``card`` or ``pane``; the style sheet paints it."""

CONTROL = "control"
"""Property of a control: how the style sheet draws it in each of its states, as `ControlStyle` names it."""

INK = "ink"
"""Property of a label: the token of its letters; the style sheet colours them."""

INKS = (
    "text1",
    "text2",
    "text3",
    "accent",
    "accent_text",
    "on_accent",
    "ok",
    "attention",
    "danger",
    "info",
    "unreal",
)
"""Tokens in which letters may be written."""


class Scheme(StrEnum):
    """Which colours."""

    LIGHT = "light"
    DARK = "dark"


class ControlStyle(StrEnum):
    """How the style sheet draws a control."""

    BARE = "bare"
    """No ground and no frame: whatever holds it paints them."""

    LINE = "line"
    """A thin bar of progress."""

    TAB = "tab"
    """A button that is one of several, underlined while it is the checked one."""


class Face(StrEnum):
    """Fonts of the window; sizes are relative to the system's font."""

    BODY = "body"
    STRONG = "strong"
    SMALL = "small"
    SMALL_STRONG = "small strong"
    META = "meta"
    META_STRONG = "meta strong"
    TITLE = "title"


_FACES = {
    Face.BODY: (13, QFont.Weight.Normal),
    Face.STRONG: (13, QFont.Weight.DemiBold),
    Face.SMALL: (12, QFont.Weight.Normal),
    Face.SMALL_STRONG: (12, QFont.Weight.DemiBold),
    Face.META: (11, QFont.Weight.Normal),
    Face.META_STRONG: (11, QFont.Weight.DemiBold),
    Face.TITLE: (15, QFont.Weight.DemiBold),
}


class Theme(QObject):
    """Handed to everything that paints; one a window.

    Attributes:
        changed: The colours changed.
        fonts_changed: The text size changed.
        motion_changed: `still` changed.
    """

    changed = Signal()
    fonts_changed = Signal()
    motion_changed = Signal()

    def __init__(self, scheme: Scheme = Scheme.LIGHT, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scheme = scheme
        self._percent = 100
        self._more_contrast = False
        self.still = False
        """Reduced motion: no sliding, no animated stickers, and bars step once a second."""
        self._fonts: dict[Face, QFont] = {}
        self._colors: dict[str, QColor] = {}
        self._measures: dict[Face, QFontMetricsF] = {}

    @property
    def scheme(self) -> Scheme:
        """Light or dark."""
        return self._scheme

    @property
    def tokens(self) -> Tokens:
        """The colours as text."""
        plain = DARK if self._scheme is Scheme.DARK else LIGHT
        return with_more_contrast(plain) if self._more_contrast else plain

    @property
    def percent(self) -> int:
        """Text size, in percent of the system's."""
        return self._percent

    def set_scheme(self, scheme: Scheme) -> None:
        """Change the colours."""
        if scheme is not self._scheme:
            self._scheme = scheme
            self._colors.clear()
            self.changed.emit()

    def set_more_contrast(self, *, more: bool) -> None:
        """Draw lines and quiet words stronger, as a system asks for with high contrast."""
        if more is not self._more_contrast:
            self._more_contrast = more
            self._colors.clear()
            self.changed.emit()

    def set_percent(self, percent: int) -> None:
        """Change the text size."""
        if percent != self._percent:
            self._percent = percent
            self._fonts.clear()
            self._measures.clear()
            self.fonts_changed.emit()

    def set_still(self, *, still: bool) -> None:
        """Switch reduced motion on or off."""
        if still is not self.still:
            self.still = still
            self.motion_changed.emit()

    def color(self, name: str) -> QColor:
        """Return a colour by its token's name; shared, so copy it before you change it."""
        color = self._colors.get(name)
        if color is None:
            color = self._colors[name] = QColor(str(getattr(self.tokens, name)))
        return color

    def identity(self, number: int) -> QColor:
        """Return an agent's own colour."""
        return QColor(IDENTITY[number % len(IDENTITY)])

    def identity_text(self, number: int) -> QColor:
        """Return an agent's colour where it must be readable as text (a quote's name)."""
        return blend(self.identity(number), QColor("#FFFFFF" if self.tokens.dark else self.tokens.text1), 0.42)

    def font(self, face: Face) -> QFont:
        """Return a font, one of the caller's own; point sizes follow the system's."""
        if face not in self._fonts:
            size, weight = _FACES[face]
            font = QFont(QGuiApplication.font())
            share = size / _BODY_PX * self._percent / 100
            if font.pointSizeF() > 0:
                font.setPointSizeF(_base_points(font) * share)
            else:
                font.setPixelSize(max(8, round(font.pixelSize() * share)))
            font.setWeight(weight)
            self._fonts[face] = font
        # A copy shares its data until somebody changes it: handed out itself, it would change for all.
        return QFont(self._fonts[face])

    def apply(self, widget: QWidget, face: Face) -> None:
        """Give a widget a font, and let it keep its face: with other sizes of letters it gets that one's new font."""
        widget.setProperty(FACE_OF, face.value)
        widget.setFont(self.font(face))

    def metrics(self, face: Face) -> QFontMetricsF:
        """Return the measures of a font; shared."""
        known = self._measures.get(face)
        if known is None:
            known = self._measures[face] = QFontMetricsF(self.font(face))
        return known


def _base_points(font: QFont) -> float:
    # Many Linux desktops report 9 pt, which is 12 px; the pictures were drawn at 13 px.
    return max(font.pointSizeF(), 9.75)


def blend(color: QColor, other: QColor, share: float) -> QColor:
    """Return `color` with that share of `other` mixed in."""
    keep = 1 - share
    return QColor(
        round(color.red() * keep + other.red() * share),
        round(color.green() * keep + other.green() * share),
        round(color.blue() * keep + other.blue() * share),
    )


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours after WCAG 2, from 1 to 21."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
