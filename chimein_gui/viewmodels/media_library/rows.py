"""The rows of the grid: for each group a heading, then its files."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from chimein_gui.domain.media.records import DescriptionStatus
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.media_library.groups import Group, GroupKey
from chimein_gui.viewmodels.media_library.words import entry_sentence, group_sentence

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from chimein_gui.domain.media.library import MediaEntry


class GridRows(QAbstractListModel):
    """A flat list; the view lays it out.

    Attributes:
        groups: The groups, with the row of each heading in `starts`.
        starts: The row of each group's heading.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.groups: tuple[Group, ...] = ()
        self.starts: tuple[int, ...] = ()
        self._rows: list[str | Group] = []
        self._places: dict[str, int] = {}
        self._entries: dict[str, MediaEntry] = {}
        self._curated: dict[GroupKey, int] = {}

    def show(self, groups: tuple[Group, ...], entries: dict[str, MediaEntry]) -> None:
        """Show other rows; `entries` holds each file of the groups."""
        self.beginResetModel()
        self.groups, self._entries = groups, dict(entries)
        self._curated.clear()
        self._rows = []
        starts = []
        for group in groups:
            starts.append(len(self._rows))
            self._rows.append(group)
            self._rows.extend(group.entries)
        self.starts = tuple(starts)
        self._places = {one: row for row, one in enumerate(self._rows) if isinstance(one, str)}
        self.endResetModel()

    def update(self, entry: MediaEntry) -> None:
        """Show a file that changed, where it stands."""
        row = self._places.get(entry.unique_id, -1)
        if row >= 0:
            self._entries[entry.unique_id] = entry
            heading = self.starts[bisect_right(self.starts, row) - 1]
            self._curated.clear()
            for changed in (row, heading):
                self.dataChanged.emit(self.index(changed, 0), self.index(changed, 0))

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        item = self.item(index.row())
        if role == ItemRole:
            return item
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            if isinstance(item, Group):
                return group_sentence(item, self.curated_in(item))
            return entry_sentence(item) if item is not None else ""
        return None

    def item(self, row: int) -> Group | MediaEntry | None:
        """Return the group or the file of a row; None beyond the end."""
        if not 0 <= row < len(self._rows):
            return None
        one = self._rows[row]
        return one if isinstance(one, Group) else self._entries.get(one)

    def row_of(self, unique_id: str) -> int:
        """Return the row of a file; -1 if it is not shown."""
        return self._places.get(unique_id, -1)

    def curated_in(self, group: Group) -> int:
        """Return how many files of a group the operator has described."""
        known = self._curated.get(group.key)
        if known is None:
            entries = self._entries
            count = sum(entries[one].status is DescriptionStatus.CURATED for one in group.entries)
            known = self._curated[group.key] = count
        return known

    def group_of(self, key: GroupKey) -> Group | None:
        """Return a group that is shown."""
        return next((group for group in self.groups if group.key == key), None)

    def order(self) -> list[str]:
        """Return the ids of all files that are shown, in their order."""
        return [one for one in self._rows if isinstance(one, str)]
