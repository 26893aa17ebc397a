"""Closing: the window emits a request, the program shuts down in order, and then the window closes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from chimein_gui.ui.widgets.rows.paint_budget import BudgetedWindow

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent


class CloseGuardWindow(BudgetedWindow):
    """A main window that does not close by itself.

    Attributes:
        close_requested: The operator wants to quit; call `allow_close` after the shutdown.
        hides_instead: Tells whether closing the window only hides it; `leave` ends the program in any case.
    """

    close_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._may_close = False
        self.hides_instead: Callable[[], bool] = lambda: False

    def allow_close(self) -> None:
        """Close the window without asking again."""
        self._may_close = True
        self.close()

    def leave(self) -> None:
        """Request to end the program."""
        self.before_close()
        self.close_requested.emit()

    def before_close(self) -> None:
        """Called before each request to close; a subclass saves its layout."""

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
