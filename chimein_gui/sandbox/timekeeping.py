"""The only module of the sandbox that reads the clock."""

import asyncio
import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Seconds since the epoch (UTC); simulated in tests that need old messages."""

_NANOSECONDS = 1_000_000_000


def wall_clock() -> float:
    """Return the real time in seconds since the epoch."""
    return time.time_ns() / _NANOSECONDS


def stopwatch() -> float:
    """Return seconds of a monotonic clock."""
    return time.monotonic()


class Alarms:
    """Callbacks after a delay, which can be cancelled together."""

    def __init__(self) -> None:
        self._timers: set[asyncio.TimerHandle] = set()

    def after(self, seconds: float, act: Callable[[], None]) -> None:
        """Call `act` after a number of seconds."""

        def ring() -> None:
            self._timers.discard(timer)
            act()

        timer = asyncio.get_running_loop().call_later(seconds, ring)
        self._timers.add(timer)

    def cancel(self) -> None:
        """Cancel all callbacks."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()


class MessageIds:
    """MTProto message ids of one connection: ascending, and odd because the server makes them.

    They follow *real* time even if message dates are simulated: Telethon drops a message whose id is more than 300 s
    old or 30 s ahead.
    """

    def __init__(self) -> None:
        self._last = 0

    def reply(self) -> int:
        """Return an id for an answer (id % 4 == 1)."""
        return self._next() | 1

    def push(self) -> int:
        """Return an id for a message without a request (id % 4 == 3)."""
        return self._next() | 3

    def _next(self) -> int:
        seconds, nanoseconds = divmod(time.time_ns(), _NANOSECONDS)
        fresh = (seconds << 32) | (nanoseconds << 2)
        self._last = max(fresh, self._last + 4) & ~3
        return self._last
