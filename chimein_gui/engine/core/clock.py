"""The real clock, pauses that are safe against clock changes, and the time since the last break of supervision.

Tests bring a virtual clock (tests/fakes/clock.py).
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from chimein_gui.engine.ports import Clock

LONGEST_SLEEP_S = 60.0
"""Due times are wall-clock values: a sleeping machine or a coarse timer must not oversleep them by more than this."""

_LOOK = timedelta(seconds=5)
"""Interval at which a pause reads the clock; after a sleep or a clock change it may end this late."""

_TOLERANCE = timedelta(seconds=1)
"""Maximum inaccuracy of a timer."""


async def pause(clock: Clock, seconds: float, on_end: Callable[[datetime], None] = lambda _until: None) -> None:
    """Wait for some seconds; the pause does not grow if the clock is set back meanwhile.

    A clock that is set forward, as after a machine's sleep, ends it early.

    Args:
        clock: Tells and measures the time.
        seconds: Length of the pause.
        on_end: Called with the end of the pause, at once and whenever the clock was set back.
    """
    until = clock.now() + timedelta(seconds=seconds)
    on_end(until)
    while (began := clock.now()) < until:
        look = min(_LOOK, until - began)
        with suppress(TimeoutError):
            async with clock.timeout(look.total_seconds()):
                await clock.sleep_until(until)
                return
        set_back = began + look - clock.now()
        if set_back > _TOLERANCE:
            until -= set_back
            on_end(until)


class SystemClock:
    """Wall-clock time of the machine."""

    def now(self) -> datetime:
        """Return the time, aware UTC."""
        return datetime.now(UTC)  # noqa: TID251 - the one place that reads the machine's clock

    async def sleep_until(self, when: datetime) -> None:
        """Return once the wall clock has reached `when`.

        qasync's timers may end early, so the clock is always asked again.
        """
        while (left := (when - self.now()).total_seconds()) > 0:  # noqa: ASYNC110 - there is no event for time
            await asyncio.sleep(min(left, LONGEST_SLEEP_S))

    def timeout(self, seconds: float) -> AbstractAsyncContextManager[object]:
        """Cancel the body after `seconds` and raise TimeoutError."""
        return asyncio.timeout(seconds)


START_GRACE_S = 10.0
"""How long nothing is sent automatically after a start, so that the operator sees the window first."""

FROZEN = timedelta(seconds=5)
"""A round of the scheduler that is this late counts as a break, in which the operator could press nothing."""

EVER = datetime(1970, 1, 1, tzinfo=UTC)
"""The value before a start or a break was noted."""


class AwakeTime:
    """Detects breaks by the wall clock, which continues while the machine sleeps or the program hangs.

    The first call after a break detects it, so that no claim comes before the next round. Safe from any thread.
    """

    def __init__(self, now: Callable[[], datetime], start_grace_s: float = START_GRACE_S) -> None:
        """Until `start` is called, there was no break."""
        self._now, self._start_grace = now, timedelta(seconds=start_grace_s)
        self._lock = threading.Lock()
        self._since = self._automatic_from = EVER
        self._round_by: datetime | None = None

    def start(self) -> None:
        """Note the start of the program."""
        with self._lock:
            self._since = self._now()
            self._automatic_from = self._since + self._start_grace
            self._round_by = None

    def expect_round(self, within_s: float) -> None:
        """Note a round of the scheduler, with the longest time until the next one."""
        with self._lock:
            self._note_break()
            self._round_by = self._now() + timedelta(seconds=within_s)

    def since(self) -> datetime:
        """Return since when there was no break, aware UTC."""
        with self._lock:
            self._note_break()
            return self._since

    def automatic_from(self) -> datetime:
        """Return from when on anything automatic may leave after the start, aware UTC."""
        return self._automatic_from

    def _note_break(self) -> None:
        now = self._now()
        if self._round_by is not None and now > self._round_by + FROZEN:
            self._since = self._round_by = now
