"""Jobs for a store thread, and the delivery of their results to the loop."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any

from chimein_gui.engine.ports import Durability, Transaction

log = logging.getLogger(__name__)


class Job:
    """One call of `transact`, `submit`, `read` or `compact`, and its result.

    Attributes:
        work: The function to run.
        durability: Required durability; reads ignore it.
        future: The caller's future; None for `submit`.
        value: Result of `work`.
        error: Exception of `work`, or why it is not stored.
        compacts: True if the file is written anew instead of running `work`.
    """

    __slots__ = ("compacts", "durability", "error", "future", "value", "work")

    def __init__(
        self,
        work: Callable[[Transaction], object],
        durability: Durability = Durability.NORMAL,
        future: asyncio.Future[Any] | None = None,
        *,
        compacts: bool = False,
    ) -> None:
        self.work = work
        self.durability = durability
        self.future = future
        self.compacts = compacts
        self.value: object = None
        self.error: BaseException | None = None

    def settle(self) -> None:
        """Set the result on the caller's future; only on the loop's thread."""
        future = self.future
        if future is None or future.done():
            # No caller waits (any more), so the failure would be lost.
            self.report()
        elif self.error is None:
            future.set_result(self.value)
        elif isinstance(self.error, StopIteration):
            # Futures refuse it, because it would end the awaiting generator.
            failure = RuntimeError("work raised StopIteration")
            failure.__cause__ = self.error
            future.set_exception(failure)
        else:
            future.set_exception(self.error)

    def report(self) -> None:
        """Log a failure that no caller gets."""
        if self.error is not None:
            log.error("store work that nobody waits for failed: %s", self.error, exc_info=self.error)


def deliver(loop: asyncio.AbstractEventLoop, jobs: Sequence[Job]) -> None:
    """Deliver all jobs in order, in one callback of the loop, because each callback costs 90 µs under qasync."""
    try:
        loop.call_soon_threadsafe(_settle_all, jobs)
    except RuntimeError:  # the loop is closed: nobody waits any more
        for job in jobs:
            job.report()


def _settle_all(jobs: Sequence[Job]) -> None:
    for job in jobs:
        job.settle()
