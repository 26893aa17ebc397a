"""A list model that holds all rows and shows a window of them: a view measures the height of every shown row."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeVar

from PySide6.QtCore import QModelIndex

from chimein_gui.viewmodels.core.keyed_list import KeyedListModel
from chimein_gui.viewmodels.core.roles import Index

T = TypeVar("T")

PAGE_ROWS = 100
"""Rows of a window at first: ten times what is visible. Each is measured with every step of the cursor."""

STEP_ROWS = 25
"""Rows by which the window grows: they are measured all at once, and a step must fit into a frame."""

MOST_ROWS = 3 * PAGE_ROWS
"""Most shown rows; beyond that a view narrows the window."""


class WindowedListModel(KeyedListModel[T]):
    """Qt's rows are those of the window; `items`, `find` and `total` cover all rows.

    A change outside the window costs the view nothing. The window begins at the first row. It grows at its end when Qt
    calls `fetchMore`, at its beginning by `fetch_earlier`, and is refilled when rows are removed.
    """

    _first = 0
    _end = 0

    def total(self) -> int:
        """Return the number of all rows, shown or not."""
        return len(self._items)

    def item_at(self, row: int) -> T | None:
        return super().item_at(self._first + row) if 0 <= row < self._end - self._first else None

    def row_of(self, key: Hashable) -> int:
        """Return the row number of an id, or -1 if it is not shown."""
        place = self._place_of(key)
        return place - self._first if self._first <= place < self._end else -1

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else self._end - self._first

    # --- the window -----------------------------------------------------------------------------------------------

    @property
    def has_earlier(self) -> bool:
        """Whether there are rows before the window."""
        return self._first > 0

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._end < len(self._items)

    def fetchMore(self, parent: Index) -> None:
        end = min(len(self._items), self._end + STEP_ROWS)
        if not parent.isValid() and end > self._end:
            self.beginInsertRows(QModelIndex(), self._end - self._first, end - self._first - 1)
            self._end = end
            self.endInsertRows()

    def fetch_earlier(self) -> None:
        """Show up to `STEP_ROWS` more rows before the first shown one."""
        first = max(0, self._first - STEP_ROWS)
        if first < self._first:
            self.beginInsertRows(QModelIndex(), 0, self._first - first - 1)
            self._first = first
            self.endInsertRows()

    def narrow(self, first_row: int, last_row: int) -> bool:
        """Hide rows more than a page away from these shown rows; return whether any were hidden."""
        rows = self._end - self._first
        end = min(rows, last_row + 1 + PAGE_ROWS)
        if end < rows:
            self.beginRemoveRows(QModelIndex(), end, rows - 1)
            self._end = self._first + end
            self.endRemoveRows()
        head = max(0, first_row - PAGE_ROWS)
        if head:
            self.beginRemoveRows(QModelIndex(), 0, head - 1)
            self._first += head
            self.endRemoveRows()
        return self._end - self._first < rows

    def reveal(self, key: Hashable) -> None:
        """Move the window to a row that is not shown; an unknown id is no error."""
        place = self._place_of(key)
        if place >= 0 and not self._first <= place < self._end:
            self._open_at(place)

    def reveal_first(self) -> None:
        """Move the window to the first of all rows."""
        if self._first:
            self._open_at(0)

    def reveal_last(self) -> None:
        """Move the window to the last of all rows."""
        if self._end < len(self._items):
            self._open_at(len(self._items) - 1)

    def _open_at(self, place: int) -> None:
        # A reset, because the old window and the new one have no row in common.
        self.beginResetModel()
        self._end = min(len(self._items), max(place + PAGE_ROWS // 2, PAGE_ROWS))
        self._first = max(0, self._end - PAGE_ROWS)
        self.endResetModel()

    # --- changes --------------------------------------------------------------------------------------------------

    def _insert(self, place: int, item: T) -> None:
        first, end = self._first, self._end
        rows = end - first
        if place < first or (place == first and first):
            self._put_in(place, item)
            self._first, self._end = first + 1, end + 1
        elif place > end or (place == end and (end < len(self._items) or rows >= PAGE_ROWS)):
            self._put_in(place, item)
        else:
            if rows >= MOST_ROWS:
                self._hide_last()
            self.beginInsertRows(QModelIndex(), place - first, place - first)
            self._put_in(place, item)
            self._end += 1
            self.endInsertRows()

    def _show_all(self, items: list[T], orders: list[Any], by_key: dict[Hashable, T]) -> None:
        if items:
            shown = min(len(items), PAGE_ROWS)
            self.beginInsertRows(QModelIndex(), 0, shown - 1)
            self._items, self._orders, self._by_key = items, orders, by_key
            self._first, self._end = 0, shown
            self.endInsertRows()

    def _delete(self, place: int, key: Hashable) -> None:
        if place >= self._end:
            self._take_out(place, key)
        elif place < self._first:
            self._take_out(place, key)
            self._first, self._end = self._first - 1, self._end - 1
        else:
            row = place - self._first
            self.beginRemoveRows(QModelIndex(), row, row)
            self._take_out(place, key)
            self._end -= 1
            self.endRemoveRows()
            self._refill()

    def _tell_changed(self, place: int) -> None:
        if self._first <= place < self._end:
            super()._tell_changed(place - self._first)

    def _hide_last(self) -> None:
        row = self._end - self._first - 1
        self.beginRemoveRows(QModelIndex(), row, row)
        self._end -= 1
        self.endRemoveRows()

    def _refill(self) -> None:
        """Show more rows once the window has lost `STEP_ROWS`: the next ones, or earlier ones at the end."""
        if self._end - self._first <= PAGE_ROWS - STEP_ROWS:
            if self._end < len(self._items):
                self.fetchMore(QModelIndex())
            else:
                self.fetch_earlier()
