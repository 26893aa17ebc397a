"""The one place where the sandbox reads the clock."""

import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Seconds since the epoch (UTC); simulated in tests that need old messages."""

_NANOSECONDS = 1_000_000_000


def wall_clock() -> float:
    """Return the real time in seconds since the epoch."""
    return time.time_ns() / _NANOSECONDS


class MessageIds:
    """MTProto message ids of one connection: rising, and odd because the server makes them.

    They follow *real* time even when message dates are simulated: Telethon drops a message whose id is more than 300 s
    old or 30 s ahead (FACTS, sandbox server).
    """

    def __init__(self) -> None:
        self._last = 0

    def reply(self) -> int:
        """Return an id for an answer (id % 4 == 1)."""
        return self._next() | 1

    def push(self) -> int:
        """Return an id for something the client did not ask for (id % 4 == 3)."""
        return self._next() | 3

    def _next(self) -> int:
        seconds, nanoseconds = divmod(time.time_ns(), _NANOSECONDS)
        fresh = (seconds << 32) | (nanoseconds << 2)
        self._last = max(fresh, self._last + 4) & ~3
        return self._last
