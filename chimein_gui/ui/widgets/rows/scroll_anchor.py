"""Keeps the visible rows in place while other rows are added, removed or resized."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtCore import QModelIndex
    from PySide6.QtWidgets import QAbstractItemView

Key = TypeVar("Key")


class ScrollAnchor(Generic[Key]):
    """Remembers the positions of rows before a change. After the layout it scrolls the first remaining row back."""

    def __init__(
        self,
        view: QAbstractItemView,
        key_of: Callable[[QModelIndex], Key | None],
        index_of: Callable[[Key], QModelIndex],
    ) -> None:
        """Create an anchor for a view.

        Args:
            view: The view, which scrolls by pixels.
            key_of: Returns a row's key, which stays when the row moves; None for a row that is no anchor.
            index_of: Returns the row of a key; an invalid index if it is gone.
        """
        self._view, self._key_of, self._index_of = view, key_of, index_of
        self._kept: list[tuple[Key, int]] = []

    @property
    def is_set(self) -> bool:
        """Whether positions are remembered."""
        return bool(self._kept)

    def remember(self, rows: Iterable[QModelIndex]) -> None:
        """Remember the positions of rows, unless those from before an earlier change still have to be restored."""
        if self._kept:
            return
        for index in rows:
            key = self._key_of(index)
            if key is not None:
                self._kept.append((key, self._view.visualRect(index).top()))

    def hold(self, key: Key, top: int) -> None:
        """Move a row to `top` (px in the viewport) with the next `restore`."""
        self._kept = [(key, top)]

    def forget(self) -> None:
        """Drop the remembered positions."""
        self._kept.clear()

    def restore(self) -> None:
        """Scroll so that the first remembered row that still exists is at its former position."""
        kept, self._kept = self._kept, []
        for key, top in kept:
            index = self._index_of(key)
            if index.isValid():
                bar = self._view.verticalScrollBar()
                bar.setValue(bar.value() + self._view.visualRect(index).top() - top)
                return
