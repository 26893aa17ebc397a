"""Jobs: the only place that creates asyncio tasks.

A task nobody holds may be collected while it waits, and a task nobody awaits hides its failure.
Here every job has a name and an owner, and its failure is reported (docs/library-facts.md, "The event loop").
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

_log = logging.getLogger(__name__)


class JobRunner:
    """Owns all running jobs of one program."""

    def __init__(self) -> None:
        self._jobs: set[asyncio.Task[None]] = set()
        self._on_failure: list[Callable[[str, BaseException], None]] = []
        self._closed = False

    def tell_of_failures(self, listener: Callable[[str, BaseException], None]) -> None:
        """Let somebody hear of each job that fails, beside the log: its name and its exception."""
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
