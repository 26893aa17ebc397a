"""Keeps rows in place while others are added, removed or resized, and the current row in sight in a smaller view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QResizeEvent

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


class CurrentInSight(QObject):
    """Scrolls after a change of size, but not to a row that was out of sight before: the operator has scrolled."""

    def __init__(self, view: QAbstractItemView, may_scroll: Callable[[], bool] = lambda: True) -> None:
        """Watch a view; where `may_scroll` returns False, it is left as it is."""
        super().__init__(view)
        self._view, self._may_scroll = view, may_scroll
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)  # the rows get their places after this event
        self._soon.timeout.connect(self._scroll)
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent) and self._was_in_sight(event.oldSize().height()):
            self._soon.start()
        return False

    def _was_in_sight(self, height: int) -> bool:
        current = self._view.currentIndex()
        if not current.isValid():
            return False
        row = self._view.visualRect(current)
        return height <= 0 or (row.bottom() >= 0 and row.top() < height)

    def _scroll(self) -> None:
        current = self._view.currentIndex()
        if current.isValid() and self._may_scroll():
            self._view.scrollTo(current)
