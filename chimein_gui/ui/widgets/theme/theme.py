"""The colours and fonts in use; the fonts are derived from the system's."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QGuiApplication

from chimein_gui.ui.widgets.theme.tokens import DARK, IDENTITY, LIGHT, Tokens, with_more_contrast

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_BODY_PX = 13

MOTION_MS = 120
"""Duration of an animation, unless `Theme.reduced_motion`."""

HIGH_CONTRAST = 7.0
"""Least contrast ratio of texts in the schemes with high contrast."""

FACE_OF = "face_of_letters"
"""Property of a widget: the face of its font."""


GROUND = "ground"
"""Property of a dialog: the token of its background, ``card`` or ``pane``, which the style sheet paints."""

CONTROL = "control"
"""Property of a control: the `ControlStyle` with which the style sheet draws it."""

INK = "ink"
"""Property of a label: the token of its text colour, which the style sheet sets."""

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
"""Tokens of text colours."""


class Scheme(StrEnum):
    """The colour scheme."""

    LIGHT = "light"
    DARK = "dark"


class ControlStyle(StrEnum):
    """How the style sheet draws a control."""

    BARE = "bare"
    """Without background and frame, which the containing widget paints."""

    LINE = "line"
    """A thin progress bar."""

    TAB = "tab"
    """One of several buttons, underlined while it is checked."""


class Face(StrEnum):
    """Fonts of the window; sizes are relative to the system's font."""

    BODY = "body"
    STRONG = "strong"
    SMALL = "small"
    SMALL_STRONG = "small strong"
    META = "meta"
    META_STRONG = "meta strong"
    TITLE = "title"
    MONO = "mono"
    """Of a fixed width, for prompts, files and times below each other."""


_FACES = {
    Face.BODY: (13, QFont.Weight.Normal),
    Face.STRONG: (13, QFont.Weight.DemiBold),
    Face.SMALL: (12, QFont.Weight.Normal),
    Face.SMALL_STRONG: (12, QFont.Weight.DemiBold),
    Face.META: (11, QFont.Weight.Normal),
    Face.META_STRONG: (11, QFont.Weight.DemiBold),
    Face.TITLE: (15, QFont.Weight.DemiBold),
    Face.MONO: (12, QFont.Weight.Normal),
}


class Theme(QObject):
    """Used by everything that paints; there is one per window.

    Attributes:
        changed: The colours changed.
        fonts_changed: The text size changed.
        motion_changed: `reduced_motion` changed.
    """

    changed = Signal()
    fonts_changed = Signal()
    motion_changed = Signal()

    def __init__(self, scheme: Scheme = Scheme.LIGHT, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scheme = scheme
        self._percent = 100
        self._more_contrast = False
        self.reduced_motion = False
        """No animations, no animated stickers, and progress bars step once a second."""
        self._fonts: dict[Face, QFont] = {}
        self._colors: dict[str, QColor] = {}
        self._identities: dict[int, QColor] = {}
        self._measures: dict[Face, QFontMetricsF] = {}

    @property
    def scheme(self) -> Scheme:
        """Light or dark."""
        return self._scheme

    @property
    def tokens(self) -> Tokens:
        """The colours as ``#RRGGBB``."""
        plain = DARK if self._scheme is Scheme.DARK else LIGHT
        return with_more_contrast(plain) if self._more_contrast else plain

    @property
    def percent(self) -> int:
        """Text size, in percent of the system's."""
        return self._percent

    @property
    def more_contrast(self) -> bool:
        """Whether the colours are those with high contrast, and focus rings are thick."""
        return self._more_contrast

    def set_scheme(self, scheme: Scheme) -> None:
        """Set the colour scheme."""
        if scheme is not self._scheme:
            self._scheme = scheme
            self._forget_colours()
            self.changed.emit()

    def set_more_contrast(self, *, more: bool) -> None:
        """Use the colours with high contrast and thick focus rings, or the usual ones."""
        if more is not self._more_contrast:
            self._more_contrast = more
            self._forget_colours()
            self.changed.emit()

    def _forget_colours(self) -> None:
        self._colors.clear()
        self._identities.clear()

    def set_percent(self, percent: int) -> None:
        """Set the text size, in percent of the system's."""
        if percent != self._percent:
            self._percent = percent
            self._fonts.clear()
            self._measures.clear()
            self.fonts_changed.emit()

    def set_reduced_motion(self, *, reduced: bool) -> None:
        """Switch reduced motion on or off."""
        if reduced is not self.reduced_motion:
            self.reduced_motion = reduced
            self.motion_changed.emit()

    def color(self, name: str) -> QColor:
        """Return the colour of a token; it is shared, so copy it before you change it."""
        color = self._colors.get(name)
        if color is None:
            color = self._colors[name] = QColor(str(getattr(self.tokens, name)))
        return color

    def identity(self, number: int) -> QColor:
        """Return the identity colour of an agent; with high contrast it stands out from the background like a text."""
        place = number % len(IDENTITY)
        if not self._more_contrast:
            return QColor(IDENTITY[place])
        known = self._identities.get(place)
        if known is None:
            known = self._identities[place] = _stronger(IDENTITY[place], dark=self.tokens.dark)
        return QColor(known)

    def on_identity(self) -> QColor:
        """Return the colour of letters on an identity colour."""
        return QColor("#000000" if self._more_contrast and self.tokens.dark else "#FFFFFF")

    def identity_text(self, number: int) -> QColor:
        """Return the identity colour of an agent for text, such as the name of a quote."""
        return blend(self.identity(number), QColor("#FFFFFF" if self.tokens.dark else self.tokens.text1), 0.42)

    def fixed_font(self) -> QFont:
        """Return a new font object for prompts and files: of a fixed width, in the size of small text."""
        return self.font(Face.MONO)

    def font(self, face: Face) -> QFont:
        """Return a new font object; sizes follow the system's font."""
        if face not in self._fonts:
            size, weight = _FACES[face]
            base = QGuiApplication.font()
            font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont) if face is Face.MONO else QFont(base)
            share = size / _BODY_PX * self._percent / 100
            if base.pointSizeF() > 0:
                font.setPointSizeF(_base_points(base) * share)
            else:
                font.setPixelSize(max(8, round(base.pixelSize() * share)))
            font.setWeight(weight)
            self._fonts[face] = font
        # A copy, because a change of the shared object would affect all widgets; QFont copies on write.
        return QFont(self._fonts[face])

    def apply(self, widget: QWidget, face: Face) -> None:
        """Set the font of a widget, and remember its face, so that a new text size changes the font."""
        widget.setProperty(FACE_OF, face.value)
        widget.setFont(self.font(face))

    def metrics(self, face: Face) -> QFontMetricsF:
        """Return the metrics of a font; the object is shared."""
        known = self._measures.get(face)
        if known is None:
            known = self._measures[face] = QFontMetricsF(self.font(face))
        return known


def _base_points(font: QFont) -> float:
    # Many Linux desktops report 9 pt, which is 12 px; the window was designed for 13 px.
    return max(font.pointSizeF(), 9.75)


def blend(color: QColor, other: QColor, share: float) -> QColor:
    """Return `color` with a share of `other` mixed in, from 0 to 1."""
    keep = 1 - share
    return QColor(
        round(color.red() * keep + other.red() * share),
        round(color.green() * keep + other.green() * share),
        round(color.blue() * keep + other.blue() * share),
    )


def _stronger(color: str, *, dark: bool) -> QColor:
    """Return a colour that is as light on black, or as dark on white, as a text with high contrast."""
    end, ground = ("#FFFFFF", "#000000") if dark else ("#000000", "#FFFFFF")
    share, made = 0.0, QColor(color)
    while contrast(made.name(), ground) < HIGH_CONTRAST + 0.5:
        share += 0.05
        made = blend(QColor(color), QColor(end), share)
    return made


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours as defined in WCAG 2, from 1 to 21."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
