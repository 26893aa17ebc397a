"""Repeats work that many events ask for, but not once per event; and keeps long pieces of work apart."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from collections.abc import Callable


TELL_MS = 200
"""Pause between two updates of texts that are shown, in ms: each may cause a layout of the window."""

TURN_MS = 2
"""Pause between two long pieces of work, in ms: longer than a slice of the loop's callbacks."""


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

    @property
    def is_pausing(self) -> bool:
        """Whether what is asked for is done later."""
        return self.pause.isActive()

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


class Turn:
    """Keeps long pieces of work apart, so that timers and input come between them."""

    def __init__(self) -> None:
        self._rested_at, self._ended = 0.0, ""

    def is_taken(self, work: str) -> bool:
        """Return whether a long piece of other work has just ended; this one shall begin `TURN_MS` later."""
        return self._ended != work and perf_counter() < self._rested_at

    def end(self, work: str) -> None:
        """Note that a long piece of some work has ended."""
        self._rested_at, self._ended = perf_counter() + TURN_MS / 1000, work


TURN = Turn()
