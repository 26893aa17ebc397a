"""Jobs: the only place that creates asyncio tasks, and the restart of long-running ones.

A task without a reference may be collected while it waits, and a task that is not awaited hides its failure.
Here every job has a name and an owner, and its failure is reported (docs/library-facts.md, "The event loop").
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.core.clock import pause
from chimein_gui.engine.core.event_bus import FaultLine

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, Spawn

_log = logging.getLogger(__name__)


class JobRunner:
    """Owns all running jobs of one program."""

    def __init__(self) -> None:
        self._jobs: set[asyncio.Task[None]] = set()
        self._on_failure: list[Callable[[str, BaseException], None]] = []
        self._closed = False

    def tell_of_failures(self, listener: Callable[[str, BaseException], None]) -> None:
        """Add a listener that gets the name and the exception of each failed job; failures are also logged."""
        self._on_failure.append(listener)

    def spawn(self, job: Coroutine[Any, Any, None], *, name: str) -> asyncio.Task[None]:
        """Start a job on the running loop.

        Raises:
            RuntimeError: After `aclose`; the coroutine is closed, so that it does not warn.
        """
        if self._closed:
            job.close()
            raise RuntimeError(f"The program is closing: {name} was not started")
        task = asyncio.get_running_loop().create_task(job, name=name)
        self._jobs.add(task)
        task.add_done_callback(self._finish)
        return task

    def names(self) -> tuple[str, ...]:
        """Return the names of all running jobs, sorted."""
        return tuple(sorted(task.get_name() for task in self._jobs))

    async def aclose(self) -> None:
        """Cancel all jobs and wait for them; nothing can be started afterwards."""
        self._closed = True
        current = asyncio.current_task()
        running = [task for task in self._jobs if task is not current]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._jobs.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            return
        _log.error("Job %s failed", task.get_name(), exc_info=error)
        for listener in self._on_failure:
            listener(task.get_name(), error)


FIRST_PAUSE_S = 1.0

LONGEST_PAUSE_S = 60.0
"""The pause before a restart doubles from the first value to this."""

STEADY_S = 60.0
"""A job that has run this long counts as recovered: its line is cleared, and the next pause is short again."""


class JobKeeper:
    """Runs long-lived work and restarts it after a failure."""

    def __init__(self, bus: EventBus, clock: Clock, spawn: Spawn) -> None:
        self._bus = bus
        self._clock = clock
        self._spawn = spawn

    async def keep(
        self,
        work: Callable[[], Awaitable[None]],
        *,
        key: str,
        what: Note,
        meanwhile: FaultReason,
        before_again: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Run `work` until it returns; call it in a separate job.

        Args:
            work: The long-running work. A restart continues with the state that the failed run has left.
            key: The key of the problem bar for a failure.
            what: The fault when the work stops; the error's name is added to it.
            meanwhile: What that means for messages.
            before_again: Runs before each restart; a failure of it counts as one of the work.
        """
        fault = FaultLine(self._bus, key, meanwhile)
        pause_s, has_failed = FIRST_PAUSE_S, False
        while True:
            began = self._clock.now()
            steady = self._cleared_when_steady(fault, key) if has_failed else None
            try:
                if has_failed and before_again is not None:
                    await before_again()
                await work()
            except Exception as error:  # noqa: BLE001 - whatever it was, the job is needed
                _log.exception("Unexpected error: %s", what)
                fault.show(replace(what, more=type(error).__name__))
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
