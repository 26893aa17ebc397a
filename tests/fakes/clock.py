"""Virtual time, which only a test moves."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

START = datetime(2026, 11, 20, 14, 0, tzinfo=UTC)


class VirtualClock:
    """Implements `engine.ports.Clock`; `advance` wakes the due sleepers in order."""

    def __init__(self, start: datetime = START) -> None:
        self._now = start
        self._waiting: list[tuple[datetime, int, Callable[[], None], bool]] = []
        self._order = itertools.count()

    def now(self) -> datetime:
        return self._now

    async def sleep_until(self, when: datetime) -> None:
        if when <= self._now:
            return
        reached = asyncio.Event()
        self._at(when, reached.set)
        await reached.wait()

    def timeout(self, seconds: float) -> asyncio.Timeout:
        timeout = asyncio.timeout(None)
        self._at(self._now + timedelta(seconds=seconds), lambda: _expire(timeout), measured=True)
        return timeout

    def advance(self, seconds: float) -> None:
        """Move the time on and wake all due sleepers."""
        self._now += timedelta(seconds=seconds)
        while self._waiting and self._waiting[0][0] <= self._now:
            heapq.heappop(self._waiting)[2]()

    def set_back(self, seconds: float) -> None:
        """Set the wall clock back; measured durations are not affected."""
        shift = timedelta(seconds=seconds)
        self._now -= shift
        self._waiting = [
            (when - shift if measured else when, order, wake, measured) for when, order, wake, measured in self._waiting
        ]
        heapq.heapify(self._waiting)

    def _at(self, when: datetime, wake: Callable[[], None], *, measured: bool = False) -> None:
        heapq.heappush(self._waiting, (when, next(self._order), wake, measured))


def _expire(timeout: asyncio.Timeout) -> None:
    try:
        timeout.reschedule(asyncio.get_running_loop().time())
    except RuntimeError:
        return  # its body is over
