"""The rows of a list model of which only some pages are in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole
from chimein_gui.viewmodels.paging.window import KEPT_PAGES, PAGE_ROWS, PageWindow

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from chimein_gui.viewmodels.paging.window import Page

Row = TypeVar("Row")
Cursor = TypeVar("Cursor")


class Slice(NamedTuple, Generic[Row, Cursor]):
    """Rows in the order of the list, and the place after which the next ones begin; None at the end."""

    rows: Sequence[Row]
    rest: Cursor | None


class PagedRows(QAbstractListModel, Generic[Row, Cursor]):
    """Newest rows first. A subclass says what a row is, and reads the pages that are shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window: PageWindow[Row, Cursor] = PageWindow(self.place_of)
        self._rest: Cursor | None = None

    # --- of the subclass ------------------------------------------------------------------------------------------

    def key_of(self, row: Row) -> Hashable:
        """Return the id of a row."""
        raise NotImplementedError

    def place_of(self, row: Row) -> Cursor:
        """Return the place of a row in the store."""
        raise NotImplementedError

    def sentence_of(self, row: Row) -> str:
        """Return a row as one sentence, for screen readers."""
        raise NotImplementedError

    def turn_to(self, page: Page[Cursor]) -> None:
        """Read a page that is shown."""
        raise NotImplementedError

    def forget_turns(self) -> None:
        """Read none of the pages that were asked for: other rows stand there."""
        raise NotImplementedError

    # --- changes --------------------------------------------------------------------------------------------------

    def install(self, top: Slice[Row, Cursor]) -> None:
        """Put the rows of the newest page at the top or in their places; begin anew where that does not fit."""
        window, rows = self._window, tuple(top.rows)
        known = {self.key_of(row) for _place, row in window.loaded()}
        new = [row for row in rows if self.key_of(row) not in known]
        kept = rows[len(new) :]
        same = [None if row is None else self.key_of(row) for row in window.rows[: len(kept)]]
        fits = tuple(new) == rows[: len(new)] and [self.key_of(row) for row in kept] == same
        are_many = window.inserted + len(new) > KEPT_PAGES * PAGE_ROWS
        if not kept or not fits or are_many:
            self._put(rows, top.rest)
            return
        for place, row in enumerate(kept):
            self.change(place, row)
        if new:
            self.beginInsertRows(QModelIndex(), 0, len(new) - 1)
            window.insert(new)
            self.endInsertRows()

    def change(self, place: int, row: Row) -> None:
        """Show a row as it is now."""
        if self._window.rows[place] != row:
            self._window.rows[place] = row
            self.dataChanged.emit(self.index(place, 0), self.index(place, 0))

    def resize(self, total: int) -> None:
        """Set the number of all rows: those that are not known yet are read when they are shown.

        If rows came or went further down than on the newest page, all below that page are read anew.
        """
        self._rest = None
        before = len(self._window.rows)
        if total == before:
            return
        if total > before:
            self.beginInsertRows(QModelIndex(), before, total - 1)
            self._window.reserve(total - before)
            self.endInsertRows()
        else:
            self.beginRemoveRows(QModelIndex(), total, before - 1)
            self._window.cut(before - total)
            self.endRemoveRows()
        self.forget_turns()
        for page in self._window.forget():
            self._tell(page)

    def _append(self, found: Slice[Row, Cursor], cursor: Cursor | None) -> None:
        self._rest = found.rest
        if found.rows and cursor is not None:
            first = len(self._window.rows)
            self.beginInsertRows(QModelIndex(), first, first + len(found.rows) - 1)
            self._window.append(found.rows, cursor)
            self.endInsertRows()

    def _put(self, rows: Sequence[Row], rest: Cursor | None) -> None:
        self.beginResetModel()
        self._window = PageWindow(self.place_of, rows)
        self.forget_turns()
        self._rest = rest
        self.endResetModel()

    def _tell(self, page: Page[Cursor]) -> None:
        first = self._window.first_row(page)
        self.dataChanged.emit(self.index(first, 0), self.index(first + page.count - 1, 0))

    # --- queries --------------------------------------------------------------------------------------------------

    def item_at(self, row: int) -> Row | None:
        """Return a row; None if there is none, or if it has to be read: `dataChanged` tells when it is there."""
        if not 0 <= row < len(self._window.rows):
            return None
        for page in self._window.use(row):
            self.turn_to(page)
        return self._window.rows[row]

    def rows(self) -> tuple[Row, ...]:
        """Return the rows that are in memory."""
        return tuple(row for _place, row in self._window.loaded())

    def row_of(self, key: Hashable) -> int:
        """Return the number of a row among those that are in memory, or -1."""
        return next((place for place, row in self._window.loaded() if self.key_of(row) == key), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._window.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.item_at(index.row()) if index.isValid() else None
        if row is None:
            return None
        if role == ItemRole:
            return row
        if role == KeyRole:
            return self.key_of(row)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.sentence_of(row)
        return None
