"""Small painted signs: the square of an agent, the circle of a person, badges, and an icon with its word."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetricsF, QPainter, QPixmap

from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.mirror import is_turned, mirror
from chimein_gui.ui.widgets.theme.theme import Face, Theme, blend

MARK_ICON = 14
MARK_GAP = 4

_COSTLY = "\u0530"
"""From here on, after Latin, Greek and Cyrillic, the letters of a sign may be of a font that has to be looked for."""


@dataclass(frozen=True, slots=True)
class IconLabel:
    """A state in sight: icon and word, and the token of their colour.

    Attributes:
        icon: Name of an icon.
        word: What it says; status is never told by colour alone.
        token: Name of a colour.
    """

    icon: str
    word: str
    token: str = "text2"


def draw_square(painter: QPainter, theme: Theme, rect: QRectF, name: str, identity: int) -> None:
    """Paint an agent: a square in the identity colour with a white initial."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.identity(identity))
    radius = rect.width() * 0.28
    painter.drawRoundedRect(rect, radius, radius)
    _stand_upright(painter, rect)
    _draw_letters(painter, theme, rect, foreign_text.initial(name), 0.5, QColor("#FFFFFF"))
    painter.restore()


def draw_circle(painter: QPainter, theme: Theme, rect: QRectF, name: str, *, group: bool = False) -> None:
    """Paint a person or group: a pale tint of its own hue."""
    fill, ink = person_colours(theme, name)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    _stand_upright(painter, rect)
    painter.drawEllipse(rect)
    if group:
        inset = rect.width() / 4
        icons.draw(painter, "group", ink, rect.adjusted(inset, inset, -inset, -inset))
    else:
        _draw_letters(painter, theme, rect, foreign_text.initials(name), 0.36, ink)
    painter.restore()


def person_colours(theme: Theme, name: str) -> tuple[QColor, QColor]:
    """Return the fill and the letter colour of a person's circle; the hue comes from the name."""
    hue = zlib.crc32(foreign_text.name(name).encode("utf-8", "replace")) % 360
    base = QColor.fromHsl(hue, 92, 128)
    if theme.tokens.dark:
        return blend(base, QColor(theme.tokens.card), 0.62), blend(base, QColor("#FFFFFF"), 0.62)
    return blend(base, QColor("#FFFFFF"), 0.62), blend(base, QColor("#000000"), 0.62)


def person_text(theme: Theme, name: str) -> QColor:
    """Return a person's colour where it must be readable as text: the name above a message in a group."""
    hue = zlib.crc32(foreign_text.name(name).encode("utf-8", "replace")) % 360
    return QColor.fromHsl(hue, 150, 185) if theme.tokens.dark else QColor.fromHsl(hue, 170, 66)


def _draw_letters(painter: QPainter, theme: Theme, rect: QRectF, letters: str, share: float, ink: QColor) -> None:
    """Paint what stands for somebody into the middle of his sign."""
    font, pixels = theme.font(Face.STRONG), max(8, round(rect.width() * share))
    if max(letters, default="") < _COSTLY:
        font.setPixelSize(pixels)
        _put_letters(painter, rect, letters, font, ink)
        return
    ratio = painter.device().devicePixelRatioF()
    size = (math.ceil(rect.width() * ratio), math.ceil(rect.height() * ratio))
    painter.drawPixmap(rect.topLeft(), _letters_picture(letters, font.toString(), pixels, ink.rgba(), size, ratio))


def _put_letters(painter: QPainter, rect: QRectF, letters: str, font: QFont, ink: QColor) -> None:
    painter.setPen(ink)
    painter.setFont(font)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, letters)


@lru_cache(maxsize=256)
def _letters_picture(letters: str, font: str, pixels: int, ink: int, size: tuple[int, int], ratio: float) -> QPixmap:
    """Return letters in the middle of a picture, as high as `pixels` says, from a font of any size.

    Qt looks through the fonts of the system once for each size: 20 ms for a letter that none has. So all signs share
    the size of the names beside them, which was looked for before, and are drawn smaller or larger.
    """
    picture = QPixmap(*size)
    picture.fill(QColor(0, 0, 0, 0))
    picture.setDevicePixelRatio(ratio)
    shared = QFont()
    shared.fromString(font)
    scale = pixels / max(1, QFontInfo(shared).pixelSize())
    width, height = size[0] / ratio / scale, size[1] / ratio / scale
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.scale(scale, scale)
    _put_letters(painter, QRectF(0, 0, width, height), letters, shared, QColor.fromRgba(ink))
    painter.end()
    return picture


def badge_width(theme: Theme, text: str) -> float:
    """Return how wide a badge is."""
    return max(theme.metrics(Face.META_STRONG).horizontalAdvance(text) + 12, badge_height(theme))


def badge_height(theme: Theme) -> float:
    """Return how high a badge is."""
    return theme.metrics(Face.META_STRONG).height() + 3


def draw_badge(painter: QPainter, theme: Theme, right: float, middle: float, text: str, kind: str) -> float:
    """Paint a badge that ends at `right`; return where it begins.

    Args:
        painter: Where to paint.
        theme: Colours and fonts.
        right: Its right edge.
        middle: Its vertical centre.
        text: A number.
        kind: ``attention`` for what waits for a decision, else ``track``.
    """
    size = QSizeF(badge_width(theme, text), badge_height(theme))
    rect = QRectF(QPointF(right - size.width(), middle - size.height() / 2), size)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    waits = kind == "attention"
    painter.setBrush(theme.color("attention_soft" if waits else "track"))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), size.height() / 2, size.height() / 2)
    _stand_upright(painter, rect)
    painter.setPen(theme.color("attention" if waits else "text2"))
    painter.setFont(theme.font(Face.META_STRONG))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()
    return rect.left()


def mark_width(theme: Theme, word: str, face: Face = Face.META) -> float:
    """Return how wide an icon with its word is."""
    word_width = theme.metrics(face).horizontalAdvance(word)
    return MARK_ICON + (MARK_GAP + word_width if word else 0)


def draw_mark(
    painter: QPainter, theme: Theme, left_middle: QPointF, sign: IconLabel, color: QColor, face: Face = Face.META
) -> float:
    """Paint an icon with its word; return where it ends."""
    left, middle = left_middle.x(), left_middle.y()
    icons.draw(painter, sign.icon, color, QRectF(left, middle - MARK_ICON / 2, MARK_ICON, MARK_ICON))
    if sign.word:
        draw_line(painter, theme.font(face), color, QPointF(left + MARK_ICON + MARK_GAP, middle), sign.word)
    return left + mark_width(theme, sign.word, face)


def draw_line(
    painter: QPainter, font: QFont, color: QColor, left_middle: QPointF, text: str, width: float = 1e6
) -> float:
    """Paint one line, elided to `width`; return how wide it became."""
    metrics = QFontMetricsF(font)
    shown = text if width >= 1e6 else elided(metrics, text, width)
    advance = metrics.horizontalAdvance(shown)
    painter.setFont(font)
    painter.setPen(color)
    rect = QRectF(left_middle.x(), left_middle.y() - metrics.height() / 2, advance + 2, metrics.height())
    draw_words(painter, rect, shown)
    return advance


def draw_words(painter: QPainter, rect: QRectF, words: str) -> None:
    """Paint words in one line from the beginning of a rectangle, which may have room to spare; never turned over."""
    turned = is_turned(painter)
    side = Qt.AlignmentFlag.AlignRight if turned else Qt.AlignmentFlag.AlignLeft
    flags = side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
    if turned:
        painter.save()
        mirror(painter, rect)
    painter.drawText(rect, int(flags) | int(Qt.TextFlag.TextSingleLine), words)
    if turned:
        painter.restore()


def _stand_upright(painter: QPainter, rect: QRectF) -> None:
    if is_turned(painter):
        mirror(painter, rect)
