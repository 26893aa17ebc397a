"""Keeps in its place what is in sight, while rows come and go above it, or all rows get another width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint

if TYPE_CHECKING:
    from PySide6.QtWidgets import QListView

    from chimein_gui.viewmodels.transcript.transcript import TranscriptModel
    from chimein_gui.viewmodels.transcript.window import Key


class ScrollAnchor:
    """Remembers the first row in sight before a change, and brings it back to its place after the next layout."""

    def __init__(self, view: QListView, model: TranscriptModel) -> None:
        self._view, self._model = view, model
        self._kept: list[tuple[Key, int]] = []

    def remember(self) -> None:
        """Note the rows in sight, unless a change before this one is not laid out yet."""
        if self._kept:
            return
        view = self._view
        index = view.indexAt(QPoint(view.viewport().width() // 2, 1))
        while index.isValid():
            rect = view.visualRect(index)
            if rect.top() > view.viewport().height():
                break
            self._kept.append((self._model.key_at(index.row()), rect.top()))
            index = index.siblingAtRow(index.row() + 1)

    def forget(self) -> None:
        """What is in sight is meant to move."""
        self._kept.clear()

    def restore(self) -> None:
        """Scroll so that the first row that is still there stands where it stood."""
        kept, self._kept = self._kept, []
        for key, top in kept:
            row = self._model.row_of_key(key)
            if row < 0:
                continue
            bar = self._view.verticalScrollBar()
            bar.setValue(bar.value() + self._view.visualRect(self._model.index(row, 0)).top() - top)
            return
