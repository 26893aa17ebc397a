"""The real clock, and pauses that are safe against clock changes.

Tests bring a virtual clock (tests/fakes/clock.py).
"""

from __future__ import annotations

import asyncio
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
