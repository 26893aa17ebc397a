"""Cancels the loading of pictures that were scrolled past, so that visible ones come first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractScrollArea

    from chimein_gui.viewmodels.media.pictures import Pictures

REST_MS = 250
"""Time after the last scroll until requests are dropped, ms."""


class PictureSweep(QObject):
    """Watches a list.

    After scrolling, or when it is hidden, requests for pictures that it no longer shows are dropped.
    """

    def __init__(self, view: QAbstractScrollArea, pictures: Pictures) -> None:
        super().__init__(view)
        self._view, self._pictures = view, pictures
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._sweep)
        view.verticalScrollBar().valueChanged.connect(lambda _value: self._rest.start())
        self._awaits_paint = False
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._view and event.type() == QEvent.Type.Hide:
            self._rest.start()
        elif self._awaits_paint and watched is not self._view and event.type() == QEvent.Type.Paint:
            self._awaits_paint = False
            QTimer.singleShot(0, self, self._pictures.forget_hidden)  # when it is painted
        return False

    def _sweep(self) -> None:
        """Repaint, so that visible pictures are requested again, and drop all other requests."""
        if not self._pictures.has_waiting:
            return
        self._pictures.forget_hidden()
        if self._view.isVisible():
            self._awaits_paint = True
            self._view.viewport().update()
        else:
            self._pictures.forget_hidden()
