"""Rows under heads in a fixed order. A change moves only the rows that it concerns, and views measure only a window."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, Signal

from chimein_gui.viewmodels.core.roles import Index, ItemRole
from chimein_gui.viewmodels.core.windowed_list import PAGE_ROWS, STEP_ROWS, WindowedListModel

if TYPE_CHECKING:
    from chimein_gui.viewmodels.core.clock import ClockFace


class Keyed(Protocol):
    """What a row shows: a head or an entry."""

    @property
    def key(self) -> Hashable:
        """Return what identifies the row."""
        ...

    def sentence(self, clock: ClockFace) -> str:
        """Return all of it in one line, for screen readers."""
        ...


@dataclass(frozen=True, slots=True)
class Row:
    """One row.

    Attributes:
        order: Where it stands; no two rows have the same.
        item: What it shows.
    """

    order: tuple[float, ...]
    item: Keyed


class HeadedRows(WindowedListModel[Row]):
    """`ItemRole` is what a row shows.

    Attributes:
        about_to_move: Rows will come, go or move; carries their keys, a frozenset.
        moved: They have.
        heads: The class of the heads that can't be chosen.
    """

    about_to_move = Signal(object)
    moved = Signal()

    heads: type | tuple[()] = ()

    def __init__(self, clock: ClockFace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock

    def key_of(self, item: Row) -> Hashable:
        return item.item.key

    def order_of(self, item: Row) -> tuple[float, ...]:
        return item.order

    def sentence_of(self, item: Row) -> str:
        return item.item.sentence(self._clock)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        found = super().data(index, role)
        return found.item if role == ItemRole and isinstance(found, Row) else found

    def flags(self, index: Index) -> Qt.ItemFlag:
        is_head = isinstance(index.data(ItemRole), self.heads)
        return Qt.ItemFlag.ItemIsEnabled if is_head else super().flags(index)

    def arrange(self, rows: Sequence[Row]) -> None:
        """Show these rows, which are in their order.

        Rows that have not changed cost nothing in a view. Where more than `STEP_ROWS` come, go or move, the model is
        reset, because each of them would cost the view more than all.
        """
        wanted: dict[Hashable, Row] = {row.item.key: row for row in rows}
        known = self._by_key
        moved = [
            key
            for key, row in wanted.items()
            if (one := known.get(key)) is not row and (one is None or one.order != row.order)
        ]
        gone = [key for key in known if key not in wanted]
        if moved or gone:
            self.about_to_move.emit(frozenset((*moved, *gone)))
            if len(moved) + len(gone) > STEP_ROWS:
                self._replace(rows, wanted)
            else:
                for key in (*gone, *moved):
                    self.remove(key)
                for key in moved:
                    self.upsert(wanted[key])
        before, self._items, self._by_key = self._items, list(rows), wanted
        window = range(self._first, self._end)
        changed = [place - self._first for place in window if before[place] != self._items[place]]
        if changed:
            self.dataChanged.emit(self.index(changed[0], 0), self.index(changed[-1], 0))
        if moved or gone:
            self.moved.emit()

    def _replace(self, rows: Sequence[Row], by_key: dict[Hashable, Row]) -> None:
        self.beginResetModel()
        self._items, self._orders, self._by_key = list(rows), [row.order for row in rows], by_key
        self._first, self._end = 0, min(len(rows), PAGE_ROWS)
        self.endResetModel()
