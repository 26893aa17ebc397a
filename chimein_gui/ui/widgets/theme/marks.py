"""Small painted marks: avatars of agents and persons, badges, and an icon with a word."""

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
"""From this letter on, after Latin, Greek and Cyrillic, Qt may have to search for a font."""

_ONE_LINE = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute) | int(Qt.TextFlag.TextSingleLine)
_AT_THE_LEFT = int(Qt.AlignmentFlag.AlignLeft) | _ONE_LINE
_AT_THE_RIGHT = int(Qt.AlignmentFlag.AlignRight) | _ONE_LINE


@dataclass(frozen=True, slots=True)
class IconLabel:
    """A state as icon, word and colour.

    Attributes:
        icon: Name of an icon.
        word: The text; a status is never shown by colour alone.
        token: Name of a colour.
    """

    icon: str
    word: str
    token: str = "text2"


def draw_square(painter: QPainter, theme: Theme, rect: QRectF, name: str, identity: int) -> None:
    """Paint the avatar of an agent: a square in the identity colour with an initial."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.identity(identity))
    radius = rect.width() * 0.28
    painter.drawRoundedRect(rect, radius, radius)
    _stand_upright(painter, rect)
    _draw_letters(painter, theme, rect, foreign_text.initial(name), 0.5, theme.on_identity())
    painter.restore()


def draw_circle(painter: QPainter, theme: Theme, rect: QRectF, name: str, *, group: bool = False) -> None:
    """Paint the avatar of a person or group: a circle in a pale colour with initials."""
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
    """Return fill and text colour of a person's avatar; the hue is derived from the name."""
    hue = zlib.crc32(foreign_text.name(name).encode("utf-8", "replace")) % 360
    if theme.more_contrast:
        return QColor(theme.color("track")), QColor(theme.color("text1"))
    base = QColor.fromHsl(hue, 92, 128)
    if theme.tokens.dark:
        return blend(base, QColor(theme.tokens.card), 0.62), blend(base, QColor("#FFFFFF"), 0.62)
    return blend(base, QColor("#FFFFFF"), 0.62), blend(base, QColor("#000000"), 0.62)


def person_text(theme: Theme, name: str) -> QColor:
    """Return a person's colour for text, such as the name above a message in a group."""
    hue = zlib.crc32(foreign_text.name(name).encode("utf-8", "replace")) % 360
    if theme.more_contrast:
        return QColor(theme.color("text1"))
    return QColor.fromHsl(hue, 150, 185) if theme.tokens.dark else QColor.fromHsl(hue, 170, 66)


def _draw_letters(painter: QPainter, theme: Theme, rect: QRectF, letters: str, share: float, ink: QColor) -> None:
    """Paint letters in the centre of an avatar."""
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
    """Return an image with centred letters, `pixels` high, from a font of any size.

    Qt searches the system's fonts once for each font size, which takes 20 ms for a letter that none has. So all avatars
    use the size of the names beside them, which was searched before, and scale the image.
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
    """Return the width of a badge, px."""
    return max(theme.metrics(Face.META_STRONG).horizontalAdvance(text) + 12, badge_height(theme))


def badge_height(theme: Theme) -> float:
    """Return the height of a badge, px."""
    return theme.metrics(Face.META_STRONG).height() + 3


def draw_badge(painter: QPainter, theme: Theme, right: float, middle: float, text: str, kind: str) -> float:
    """Paint a badge that ends at `right`; return its left edge.

    Args:
        painter: The painter.
        theme: Colours and fonts.
        right: Its right edge.
        middle: Its vertical centre.
        text: A number.
        kind: ``attention`` for items that wait for a decision, else ``track``.
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
    """Return the width of an icon with its word, px."""
    word_width = theme.metrics(face).horizontalAdvance(word)
    return MARK_ICON + (MARK_GAP + word_width if word else 0)


def draw_mark(
    painter: QPainter, theme: Theme, left_middle: QPointF, label: IconLabel, color: QColor, face: Face = Face.META
) -> float:
    """Paint an icon with its word; return its right edge."""
    left, middle = left_middle.x(), left_middle.y()
    icons.draw(painter, label.icon, color, QRectF(left, middle - MARK_ICON / 2, MARK_ICON, MARK_ICON))
    if label.word:
        draw_line(painter, theme.font(face), color, QPointF(left + MARK_ICON + MARK_GAP, middle), label.word)
    return left + mark_width(theme, label.word, face)


def draw_line(
    painter: QPainter, font: QFont, color: QColor, left_middle: QPointF, text: str, width: float = 1e6
) -> float:
    """Paint one line, elided to `width` px; return its width."""
    metrics = QFontMetricsF(font)
    shown = text if width >= 1e6 else elided(metrics, text, width)
    advance = metrics.horizontalAdvance(shown)
    painter.setFont(font)
    painter.setPen(color)
    high = 2 * metrics.height()  # letters of another font, such as marks of direction, may need more than this font's
    rect = QRectF(left_middle.x(), left_middle.y() - high / 2, advance + 2, high)
    draw_words(painter, rect, shown)
    return advance


def draw_hairline(painter: QPainter, theme: Theme, row: QRectF, left: float, right: float = 0.0) -> None:
    """Paint the line between a row and the next one, so far from the row's edges: its last px, not the one below."""
    painter.fillRect(QRectF(row.left() + left, row.bottom() - 1, row.width() - left - right, 1), theme.color("line"))


def draw_words(painter: QPainter, rect: QRectF, words: str) -> None:
    """Paint one line of text at the leading edge of a rectangle; never mirrored."""
    turned = is_turned(painter)
    if turned:
        painter.save()
        mirror(painter, rect)
    painter.drawText(rect, _AT_THE_RIGHT if turned else _AT_THE_LEFT, words)
    if turned:
        painter.restore()


def _stand_upright(painter: QPainter, rect: QRectF) -> None:
    if is_turned(painter):
        mirror(painter, rect)
