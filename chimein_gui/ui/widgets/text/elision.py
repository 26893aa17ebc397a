"""Elides one line at the end of its reading direction."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtGui import QFontMetricsF

_RLM = "\u200f"
_DIRECTIONS = {"L": False, "R": True, "AL": True}


def elided(metrics: QFontMetricsF, text: str, width: float) -> str:
    """Return as much of `text` as fits into `width` px, with an ellipsis if it was cut.

    Lines are laid out left to right. So an ellipsis after right-to-left letters needs a direction mark behind it:
    without one it would be drawn before their beginning.
    """
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0.0, width))
    if shown == text or text.isascii() or not _ends_to_the_left(shown):
        return shown
    return shown + _RLM


def _ends_to_the_left(text: str) -> bool:
    for char in reversed(text):
        direction = _DIRECTIONS.get(unicodedata.bidirectional(char))
        if direction is not None:
            return direction
    return False
