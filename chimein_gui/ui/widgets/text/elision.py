"""One line that ends in … where there is no room, at the end its letters run to."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtGui import QFontMetricsF

_RLM = "\u200f"
_DIRECTIONS = {"L": False, "R": True, "AL": True}


def elided(metrics: QFontMetricsF, text: str, width: float) -> str:
    """Return as much of `text` as fits.

    The lines of the window run from left to right: after right-to-left letters, an ellipsis without a mark of direction
    behind it would stand before their beginning.
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
