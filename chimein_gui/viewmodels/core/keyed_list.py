"""A sorted list model over rows with ids, changed row by row and never reset after the first fill."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole, SortRole

T = TypeVar("T")


class KeyedListModel(QAbstractListModel, Generic[T]):
    """Base of the flat models; a subclass defines a row's key, sort order and text."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: list[T] = []
        self._orders: list[Any] = []
        self._by_key: dict[Hashable, T] = {}

    def key_of(self, item: T) -> Hashable:
        """Return the id of a row."""
        raise NotImplementedError

    def order_of(self, item: T) -> Any:  # noqa: ANN401 - whatever can be compared
        """Return the sort key of a row; must be unique."""
        raise NotImplementedError

    def sentence_of(self, item: T) -> str:
        """Return the row as one sentence, for screen readers."""
        raise NotImplementedError

    def items(self) -> tuple[T, ...]:
        """Return all rows in order."""
        return tuple(self._items)

    def item_at(self, row: int) -> T | None:
        """Return a row without going through Qt, which costs more than most painting; None if there is none."""
        return self._items[row] if 0 <= row < len(self._items) else None

    def find(self, key: Hashable) -> T | None:
        """Return the row with this id, or None."""
        return self._by_key.get(key)

    def row_of(self, key: Hashable) -> int:
        """Return the row number of an id, or -1."""
        return self._place_of(key)

    def index_of(self, key: Hashable) -> QModelIndex:
        """Return the index of an id; invalid when it is not there."""
        row = self.row_of(key)
        return QModelIndex() if row < 0 else self.index(row, 0)

    def fill(self, items: Iterable[T]) -> None:
        """Replace the rows by these, row by row, so that selections survive a second fetch."""
        wanted = {self.key_of(item): item for item in items}
        for item in self.items():
            if self.key_of(item) not in wanted:
                self.remove(self.key_of(item))
        for item in wanted.values():
            self.upsert(item)

    def upsert(self, item: T) -> None:
        """Change the row with this id, or insert it where it belongs."""
        key, order = self.key_of(item), self.order_of(item)
        known = self._by_key.get(key)
        if known is not None and self.order_of(known) == order:
            if known != item:
                place = bisect_left(self._orders, order)
                self._items[place] = self._by_key[key] = item
                self._tell_changed(place)
            return
        if known is not None:
            self.remove(key)
        self._insert(bisect_left(self._orders, order), item)

    def remove(self, key: Hashable) -> None:
        """Remove a row; an unknown id is no error."""
        place = self._place_of(key)
        if place >= 0:
            self._delete(place, key)

    # --- how views learn of a change; a place counts all rows, shown or not ----------------------------------------

    def _place_of(self, key: Hashable) -> int:
        item = self._by_key.get(key)
        return -1 if item is None else bisect_left(self._orders, self.order_of(item))

    def _insert(self, place: int, item: T) -> None:
        self.beginInsertRows(QModelIndex(), place, place)
        self._put_in(place, item)
        self.endInsertRows()

    def _delete(self, place: int, key: Hashable) -> None:
        self.beginRemoveRows(QModelIndex(), place, place)
        self._take_out(place, key)
        self.endRemoveRows()

    def _show_all(self, items: list[T], orders: list[Any], by_key: dict[Hashable, T]) -> None:
        """Fill an empty model in one insertion; the rows are already sorted."""
        if items:
            self.beginInsertRows(QModelIndex(), 0, len(items) - 1)
            self._items, self._orders, self._by_key = items, orders, by_key
            self.endInsertRows()

    def _tell_changed(self, row: int) -> None:
        index = self.index(row, 0)
        self.dataChanged.emit(index, index)

    def _put_in(self, place: int, item: T) -> None:
        self._items.insert(place, item)
        self._orders.insert(place, self.order_of(item))
        self._by_key[self.key_of(item)] = item

    def _take_out(self, place: int, key: Hashable) -> None:
        del self._items[place], self._orders[place], self._by_key[key]

    # --- Qt -------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._items)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        item = self.item_at(index.row()) if index.isValid() else None
        if item is None:
            return None
        if role == ItemRole:
            return item
        if role == KeyRole:
            return self.key_of(item)
        if role == SortRole:
            return self.order_of(item)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.sentence_of(item)
        return None
