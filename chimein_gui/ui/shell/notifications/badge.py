"""The program's icon with the number of waiting approvals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QIcon, QPainter, QPen, QPixmap

from chimein_gui.ui.widgets.theme.icons import app_icon

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme

SIZES = (16, 22, 24, 32, 48, 64)
"""Sizes in px that trays ask for; they scale badly themselves."""

MOST = 99


def badged_icon(theme: Theme, number: int) -> QIcon:
    """Return the icon with a badge. A ring in the window's colour separates the badge from light and dark trays."""
    plain = app_icon()
    if number <= 0:
        return plain
    made = QIcon()
    for size in SIZES:
        made.addPixmap(_badged(plain.pixmap(size, size), theme, size, words_of(number)))
    return made


def words_of(number: int) -> str:
    """Return the text of a badge for a number."""
    return str(number) if number <= MOST else f"{MOST}+"


def _badged(pixmap: QPixmap, theme: Theme, size: int, words: str) -> QPixmap:
    pixmap.setDevicePixelRatio(1)
    height = size * 0.6
    width = min(float(size), height * (1 + 0.45 * (len(words) - 1)))
    ring = max(1.0, size / 22)
    place = QRectF(size - width, size - height, width, height).adjusted(ring / 2, ring / 2, -ring / 2, -ring / 2)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("window"), ring))
    painter.setBrush(theme.color("attention"))
    painter.drawRoundedRect(place, height / 2, height / 2)
    font = QFont(painter.font())
    font.setPixelSize(max(6, round(height * (0.72 if len(words) < 3 else 0.55))))
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(theme.color("card"))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)
    painter.end()
    return pixmap
