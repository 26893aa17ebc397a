"""The bits of `QStyleOptionViewItem.state`.

They are numbers here, because importing QStyle creates all of its enums, which takes 15 ms before the first paint. A
test compares them with Qt's.
"""

from __future__ import annotations

FOCUSED = 0x100
HOVERED = 0x2000
SELECTED = 0x8000
