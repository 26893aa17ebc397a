"""Closing: the window emits a request, the program shuts down in order, and then the window closes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget


class CloseGuard(QObject):
    """Keeps a window from closing by itself.

    Attributes:
        requested: The operator wants to quit; call `force_close` after the shutdown.
        hides_instead: Tells whether closing the window only hides it; `request` ends the program in any case.
    """

    requested = Signal()

    def __init__(self, window: QWidget, before_close: Callable[[], None]) -> None:
        """`before_close` is called before each request to close, to save what the window remembers."""
        super().__init__(window)
        self._window, self._before_close = window, before_close
        self._may_close = False
        self.hides_instead: Callable[[], bool] = lambda: False
        window.installEventFilter(self)

    def force_close(self) -> None:
        """Close the window without asking again."""
        self._may_close = True
        self._window.close()

    def request(self) -> None:
        """Request to end the program."""
        self._before_close()
        self.requested.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.Close:
            return False
        self._before_close()
        if self._may_close:
            return False
        event.ignore()
        if self.hides_instead():
            self._window.hide()
        else:
            self.requested.emit()
        return True
