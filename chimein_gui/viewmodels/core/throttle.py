"""Repeats work that many events ask for, but not once per event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from collections.abc import Callable


class Throttle(QObject):
    """Does some work at once when it is asked for, and then again at most once per pause."""

    def __init__(self, pause_ms: int, work: Callable[[], None], parent: QObject) -> None:
        """Wait to be asked.

        Args:
            pause_ms: Shortest time between two runs, in milliseconds.
            work: What is done.
            parent: Qt parent.
        """
        super().__init__(parent)
        self._work, self._asked = work, False
        self.pause = QTimer(self)
        self.pause.setSingleShot(True)
        self.pause.setInterval(pause_ms)
        self.pause.timeout.connect(self._end_pause)

    def ask(self) -> None:
        """Do the work: now, or when the pause since its last run is over."""
        if self.pause.isActive():
            self._asked = True
        else:
            self.pause.start()
            self._work()

    def forget(self) -> None:
        """Drop what was asked for, for example because nobody wants it any more."""
        self._asked = False
        self.pause.stop()

    def _end_pause(self) -> None:
        if self._asked:
            self.forget()
            self.ask()
