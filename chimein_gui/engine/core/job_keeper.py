"""Long-lived jobs that nothing may end: one that fails is told to the operator and started again."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from chimein_gui.engine.core.clock import pause
from chimein_gui.engine.core.fault_reporter import FaultLine

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, Spawn

_log = logging.getLogger(__name__)

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
"""The pause before a restart doubles from the first to this."""

STEADY_S = 60.0
"""A job that has run for so long counts as mended: its bar goes, and the next pause is short again."""

AGAIN = "It is started again automatically; the log has the details."


class JobKeeper:
    """Runs long-lived work, and runs it again when it fails."""

    def __init__(self, bus: EventBus, clock: Clock, spawn: Spawn) -> None:
        self._bus = bus
        self._clock = clock
        self._spawn = spawn

    async def keep(
        self,
        work: Callable[[], Awaitable[None]],
        *,
        key: str,
        what: str,
        meanwhile: str,
        before_again: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Run `work` until it returns; it is meant for a job of its own.

        Args:
            work: What runs for long. A run after a failed one goes on with whatever the failed one has left.
            key: Key of the bar that tells of a failure.
            what: What has stopped, as the beginning of a sentence.
            meanwhile: What that means for messages, one sentence.
            before_again: Runs before each restart; a failure of it counts as one of the work.
        """
        fault = FaultLine(self._bus, key, f"{meanwhile} {AGAIN}")
        pause_s, has_failed = FIRST_PAUSE_S, False
        while True:
            began = self._clock.now()
            steady = self._cleared_when_steady(fault, key) if has_failed else None
            try:
                if has_failed and before_again is not None:
                    await before_again()
                await work()
            except Exception as error:  # noqa: BLE001 - whatever it was, the job is needed
                _log.exception("%s stopped", what)
                fault.show(f"{what} stopped after an unexpected error ({type(error).__name__}).")
            else:
                fault.clear()
                return
            finally:
                if isinstance(steady, asyncio.Task):
                    steady.cancel()
            if (self._clock.now() - began).total_seconds() > STEADY_S:
                pause_s = FIRST_PAUSE_S
            has_failed = True
            await pause(self._clock, pause_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)

    def _cleared_when_steady(self, fault: FaultLine, key: str) -> object:
        async def clear() -> None:
            await pause(self._clock, STEADY_S)
            fault.clear()

        return self._spawn(clear(), name=f"{key} is steady")
