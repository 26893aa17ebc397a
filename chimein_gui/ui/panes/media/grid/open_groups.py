"""Which groups of the grid are open: a closed one shows one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.ui.panes.media.grid.layout import Span
from chimein_gui.viewmodels.media_library.groups import Group

if TYPE_CHECKING:
    from chimein_gui.viewmodels.media_library.groups import GroupKey
    from chimein_gui.viewmodels.media_library.rows import GridRows


class OpenGroups:
    """Groups are closed until they are opened; they are remembered by key, because their rows change."""

    def __init__(self, rows: GridRows) -> None:
        self._rows = rows
        self._open: set[GroupKey] = set()

    def holds(self, group: Group) -> bool:
        """Tell whether a group is open."""
        return group.key in self._open

    def open(self, row: int) -> None:
        """Open the group of a row."""
        self._open.add(self._group_of(row).key)

    def toggle(self, row: int) -> None:
        """Open or close the group of a row."""
        self._open ^= {self._group_of(row).key}

    def open_all(self, *, is_open: bool) -> None:
        """Open or close all groups."""
        self._open = {group.key for group in self._rows.groups} if is_open else set()

    def start_of(self, row: int) -> int:
        """Return the row with the heading of a row's group."""
        return max(start for start in self._rows.starts if start <= row)

    def spans(self) -> list[Span]:
        """Return the groups for the layout."""
        groups = zip(self._rows.starts, self._rows.groups, strict=True)
        return [Span(start, len(group.entries), self.holds(group)) for start, group in groups]

    def _group_of(self, row: int) -> Group:
        group = self._rows.item(self.start_of(row))
        assert isinstance(group, Group)
        return group
