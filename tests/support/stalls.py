"""How long the loop was held up, by the clock and by what its own thread computed."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, QTimer

TICK_MS = 5


class Stalls:
    """Looks at the clocks every 5 ms.

    Attributes:
        wall_ms: Longest time between two looks, beyond the 5 ms; other work on the computer is part of it.
        own_ms: Most that the loop's thread computed between two looks; nobody else's work is part of it.
    """

    def __init__(self) -> None:
        self.wall_ms = self.own_ms = 0.0
        self._wall = self._own = 0.0
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    def reset(self) -> None:
        """Forget what was measured so far."""
        self.wall_ms = self.own_ms = 0.0

    def start(self) -> None:
        """Measure from now on."""
        self._wall, self._own = time.perf_counter(), time.thread_time()
        self._timer.start()

    def stop(self) -> None:
        """Measure no longer."""
        self._timer.stop()

    def _tick(self) -> None:
        wall, own = time.perf_counter(), time.thread_time()
        self.wall_ms = max(self.wall_ms, 1000 * (wall - self._wall) - TICK_MS)
        self.own_ms = max(self.own_ms, 1000 * (own - self._own))
        self._wall, self._own = wall, own
