"""Animates the visible stickers. No timer runs while there are none, the view is hidden, or with reduced motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QTimer

from chimein_gui.ui.widgets.rows.clocked_rows import rows_in_sight
from chimein_gui.viewmodels.transcript.rows import TranscriptRow

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex
    from PySide6.QtWidgets import QListView

    from chimein_gui.ui.panes.conversations.transcript.delegate import TranscriptDelegate
    from chimein_gui.viewmodels.transcript.transcript import TranscriptModel

FRAME_MS = 33


class StickerMotion(QObject):
    """One timer for all stickers of a view."""

    def __init__(self, view: QListView, delegate: TranscriptDelegate, model: TranscriptModel) -> None:
        super().__init__(view)
        self._view, self._delegate, self._model = view, delegate, model
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._tick)

    @property
    def is_running(self) -> bool:
        """Whether the timer runs."""
        return self._timer.isActive()

    def begin(self) -> None:
        """Start the timer: an animated sticker was painted."""
        if not self._timer.isActive() and self._view.isVisible():
            if not self._clock.isValid():
                self._clock.start()
            self._timer.start()

    def stop(self) -> None:
        """Stop the timer."""
        self._timer.stop()

    def _moving(self) -> list[QModelIndex]:
        found = []
        for index in rows_in_sight(self._view):
            row = self._model.rows.row_at(index.row())
            if isinstance(row, TranscriptRow) and self._delegate.strip_of(index.row(), row) is not None:
                found.append(index)
        return found

    def _tick(self) -> None:
        moving = self._moving() if self._view.isVisible() else []
        if not moving:
            self._timer.stop()
            return
        self._delegate.seconds = self._clock.elapsed() / 1000
        for index in moving:
            self._view.update(index)
