"""Names of keys on the operator's keyboard, and painted keycaps.

A keycap is decoration only: the accessible description of its control names the key.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from chimein_gui.ui.widgets.theme.control_colours import Colours, Role, State, colours_of
from chimein_gui.ui.widgets.theme.mirror import is_turned, mirror
from chimein_gui.ui.widgets.theme.theme import Face

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme

GAP = 3.0

_WORD = re.compile("[A-Za-z]{2,}")


def key_name(key: str) -> str:
    """Return a key or a shortcut such as ``Ctrl+K`` as keyboards of the window's language name it."""
    translate = QCoreApplication.translate
    names = {
        "Ctrl": translate("Keycaps", "Ctrl"),
        "Shift": translate("Keycaps", "Shift"),
        "Alt": translate("Keycaps", "Alt"),
        "Esc": translate("Keycaps", "Esc"),
        "Space": translate("Keycaps", "Space"),
        "Del": translate("Keycaps", "Del"),
        "Left": translate("Keycaps", "Left"),
        "Right": translate("Keycaps", "Right"),
        "Down": translate("Keycaps", "Down"),
    }
    return _WORD.sub(lambda word: names.get(word[0], word[0]), key)


def cap_height(theme: Theme) -> float:
    """Return the height of a keycap, px."""
    return max(17.0, theme.metrics(Face.META).height() + 3)


def cap_width(theme: Theme, key: str) -> float:
    """Return the width of a keycap, px."""
    return max(cap_height(theme), theme.metrics(Face.META).horizontalAdvance(key_name(key)) + 9)


def caps_width(theme: Theme, shortcut: str) -> float:
    """Return the width of the keycaps of a shortcut such as ``Ctrl+K``, px; 0 for none."""
    keys = keys_of(shortcut)
    return sum(cap_width(theme, key) for key in keys) + GAP * max(0, len(keys) - 1)


def keys_of(shortcut: str) -> tuple[str, ...]:
    """Return the keys of a shortcut, as named on keycaps."""
    if not shortcut:
        return ()
    plus = shortcut.endswith("++")
    keys = tuple(key for key in shortcut.removesuffix("++").split("+") if key)
    return (*keys, "+") if plus else keys


def draw_cap(
    painter: QPainter, theme: Theme, left: float, middle: float, key: str, colours: Colours | None = None
) -> float:
    """Paint one keycap in the colours of its control; return its right edge."""
    height, width = cap_height(theme), cap_width(theme, key)
    cap = QRectF(left, middle - height / 2, width, height)
    colours = colours or colours_of(theme, Role.PLAIN, State())
    painter.setPen(QPen(colours.cap_edge, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(cap.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    painter.setPen(colours.quiet)
    painter.setFont(theme.font(Face.META))
    painter.save()
    if is_turned(painter):
        mirror(painter, cap)
    painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, key_name(key))
    painter.restore()
    return left + width


def draw_caps(painter: QPainter, theme: Theme, right: float, middle: float, shortcut: str) -> float:
    """Paint the keycaps of a shortcut so that they end at `right`; return their left edge."""
    left = right - caps_width(theme, shortcut)
    x = left
    keys = keys_of(shortcut)
    for key in reversed(keys) if is_turned(painter) else keys:  # Ctrl is pressed first, so it comes first
        x = draw_cap(painter, theme, x, middle, key) + GAP
    return left
