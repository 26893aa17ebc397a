"""Keeps in its place what is in sight while rows come and go around it, or all rows get another height."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtCore import QModelIndex
    from PySide6.QtWidgets import QAbstractItemView

Key = TypeVar("Key")


class ScrollAnchor(Generic[Key]):
    """Remembers where rows stand before a change, and brings the first that is left back after the next layout."""

    def __init__(
        self,
        view: QAbstractItemView,
        key_of: Callable[[QModelIndex], Key | None],
        index_of: Callable[[Key], QModelIndex],
    ) -> None:
        """Anchor a view.

        Args:
            view: Scrolls by pixels.
            key_of: Returns what stays the same while rows move; None for a row that is no anchor.
            index_of: Returns the row of a key; an invalid index if it is gone.
        """
        self._view, self._key_of, self._index_of = view, key_of, index_of
        self._kept: list[tuple[Key, int]] = []

    @property
    def is_set(self) -> bool:
        """Whether a place is remembered."""
        return bool(self._kept)

    def remember(self, rows: Iterable[QModelIndex]) -> None:
        """Note where rows stand, unless a change before this one is not laid out yet."""
        if self._kept:
            return
        for index in rows:
            key = self._key_of(index)
            if key is not None:
                self._kept.append((key, self._view.visualRect(index).top()))

    def hold(self, key: Key, top: int) -> None:
        """Let a row stand there after the next layout, wherever it stands now."""
        self._kept = [(key, top)]

    def forget(self) -> None:
        """Let what is in sight move."""
        self._kept.clear()

    def restore(self) -> None:
        """Scroll so that the first row that is still there stands where it stood."""
        kept, self._kept = self._kept, []
        for key, top in kept:
            index = self._index_of(key)
            if index.isValid():
                bar = self._view.verticalScrollBar()
                bar.setValue(bar.value() + self._view.visualRect(index).top() - top)
                return
