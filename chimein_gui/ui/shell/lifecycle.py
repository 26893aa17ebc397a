"""Closing: the window asks, the program shuts down in order, then the window may go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMainWindow

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent


class CloseGuardWindow(QMainWindow):
    """A main window that does not close by itself.

    Attributes:
        close_requested: The operator wants to leave; answer with `allow_close` when all is shut down.
        hides_instead: Tells whether closing the window only hides it; `leave` ends the program all the same.
    """

    close_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._may_close = False
        self.hides_instead: Callable[[], bool] = lambda: False

    def allow_close(self) -> None:
        """Close now, without asking again."""
        self._may_close = True
        self.close()

    def leave(self) -> None:
        """Ask to end the program."""
        self.before_close()
        self.close_requested.emit()

    def before_close(self) -> None:
        """Called each time the operator asks to close; a subclass remembers its layout."""

    def closeEvent(self, event: QCloseEvent) -> None:
        self.before_close()
        if self._may_close:
            event.accept()
            return
        event.ignore()
        if self.hides_instead():
            self.hide()
        else:
            self.close_requested.emit()
