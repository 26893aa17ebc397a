"""States of a row, as bits of `QStyleOptionViewItem.state`.

As numbers, because importing QStyle makes all of its enums, which takes 15 ms before the first paint; a test compares.
"""

from __future__ import annotations

FOCUSED = 0x100
HOVERED = 0x2000
SELECTED = 0x8000
