"""Repaints each second the rows whose shown age or countdown has changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPoint
from PySide6.QtWidgets import QAbstractItemView, QTreeView

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from chimein_gui.viewmodels.core.clock import ClockFace


def rows_in_sight(view: QAbstractItemView) -> Iterator[QModelIndex]:
    """Yield the visible rows, from the top."""
    area = view.viewport().rect()
    index = view.indexAt(QPoint(area.center().x(), 1))
    if isinstance(view, QTreeView):
        yield from _tree_rows(view, index, area.bottom())
        return
    while index.isValid() and view.visualRect(index).top() <= area.bottom():
        yield index
        index = index.siblingAtRow(index.row() + 1)


def _tree_rows(view: QTreeView, index: QModelIndex, bottom: int) -> Iterator[QModelIndex]:
    """Yield a row and those below it down to a place, by their heights: for a position Qt adds up all rows above."""
    top = view.visualRect(index).top()
    while index.isValid() and top <= bottom:
        yield index
        top += view.rowHeight(index)
        index = view.indexBelow(index)


class ClockedRows(QObject):
    """Compares the time-dependent contents of the visible rows with those of a second ago."""

    def __init__(
        self,
        view: QAbstractItemView,
        clock: ClockFace,
        times_of: Callable[[QModelIndex], tuple[Hashable, Hashable]],
        *more: SignalInstance,
    ) -> None:
        """Follow a clock.

        Args:
            view: The view with the rows.
            clock: Emits a tick each second.
            times_of: Returns a row's id, and everything in it that depends on the time.
            more: Further signals that change what rows show.
        """
        super().__init__(view)
        self._view, self._times_of = view, times_of
        self._shown: dict[Hashable, Hashable] = {}
        for signal in (clock.ticked, *more):
            signal.connect(self.look)

    def look(self) -> None:
        """Repaint the rows that have changed."""
        if not self._view.isVisible():
            return
        before, self._shown = self._shown, {}
        for index in rows_in_sight(self._view):
            key, shown = self._times_of(index)
            self._shown[key] = shown
            if before.get(key, shown) != shown:
                self._view.update(index)
