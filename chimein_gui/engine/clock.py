"""The real clock; tests bring a virtual one (tests/fakes/clock.py)."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

LONGEST_SLEEP_S = 60.0
"""Due times are wall-clock values: a sleeping machine or a coarse timer must not oversleep them by more than this."""


class SystemClock:
    """Wall-clock time of the machine."""

    def now(self) -> datetime:
        """Return the time, aware UTC."""
        return datetime.now(UTC)  # noqa: TID251 - the one place that reads the machine's clock

    async def sleep_until(self, when: datetime) -> None:
        """Return once the wall clock has reached `when`.

        qasync's timers may end early (FACTS), so the clock is always asked again.
        """
        while (left := (when - self.now()).total_seconds()) > 0:  # noqa: ASYNC110 - there is no event for time
            await asyncio.sleep(min(left, LONGEST_SLEEP_S))

    def timeout(self, seconds: float) -> AbstractAsyncContextManager[object]:
        """Cancel the body after `seconds` and raise TimeoutError."""
        return asyncio.timeout(seconds)
