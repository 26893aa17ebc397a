"""Item data roles that several models share; 64-bit ids travel in them as Python ints."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex, QPersistentModelIndex

ItemRole = int(Qt.ItemDataRole.UserRole) + 1
"""The snapshot itself."""

SortRole = int(Qt.ItemDataRole.UserRole) + 2
"""The row's sort key."""

KeyRole = int(Qt.ItemDataRole.UserRole) + 3
"""The row's id."""

SPOKEN = 200
"""Characters of a foreign name or note that go into a spoken sentence."""

Index: TypeAlias = "QModelIndex | QPersistentModelIndex"
"""The index type of Qt's model methods. A string, because the operator | on Qt's types costs 60 ms at start."""
