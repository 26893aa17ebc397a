"""Limits how often changing texts are updated, because each update causes a layout of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from collections.abc import Callable

REST_MS = 200


class Throttle(QObject):
    """Calls at once if the last call was long enough ago, else once at the end of the interval."""

    def __init__(self, call: Callable[[], None], parent: QObject, rest_ms: int = REST_MS) -> None:
        super().__init__(parent)
        self._call, self._wanted = call, False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(rest_ms)
        self._rest.timeout.connect(self._rested)

    @property
    def is_resting(self) -> bool:
        """Whether the next call is delayed."""
        return self._rest.isActive()

    def ask(self) -> None:
        """Call now, or at the end of the interval."""
        if self._rest.isActive():
            self._wanted = True
            return
        self._rest.start()
        self._call()

    def _rested(self) -> None:
        if self._wanted:
            self._wanted = False
            self.ask()
