"""A thread with a queue: runs everything queued as one batch, and delivers the results together."""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from queue import Empty, SimpleQueue

from chimein_gui.adapters.store.jobs import Job, deliver
from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason

log = logging.getLogger(__name__)

TakeLate = Callable[[], Sequence[Job]]
"""Returns the jobs queued since a batch began, without waiting."""

RunBatch = Callable[[list[Job], TakeLate], None]
"""Runs jobs and sets a value or an error on each; may append jobs that were queued meanwhile."""

BATCH = 512


class Lane:
    """One store thread. All methods must be called on the loop's thread."""

    def __init__(self, name: str, make_runner: Callable[[], AbstractContextManager[RunBatch]]) -> None:
        """Create the thread. It enters `make_runner()`, runs each batch with the result, and leaves it at the end.

        The context is entered on the thread itself, because a connection belongs to the thread that made it.
        """
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._make_runner = make_runner
        self._started = asyncio.Event()
        self._failure: BaseException | None = None
        self._ended = asyncio.Event()
        self._closing = False
        self._is_last = False  # the thread's own: nothing follows what was taken
        self._thread = threading.Thread(target=self._main, name=name)

    async def start(self) -> None:
        """Start the thread and wait until it accepts jobs.

        Raises:
            Exception: An exception of entering the context.
        """
        self._thread.start()
        try:
            await self._started.wait()
        except BaseException:
            await self.close()
            raise
        if self._failure is not None:
            await self.close()
            raise self._failure

    def put(self, job: Job) -> None:
        """Queue a job.

        Raises:
            StoreError: The lane is closed.
        """
        if self._closing:
            raise StoreError(Note(FaultReason.DATABASE_CLOSED))
        self._queue.put(job)

    async def close(self) -> None:
        """Finish what is queued and end the thread; may be called repeatedly."""
        if not self._closing:
            self._closing = True
            self._queue.put(None)
        await self._ended.wait()
        self._thread.join()  # it has nothing left to do but return

    def _main(self) -> None:
        failure: BaseException | None = None
        try:
            with self._make_runner() as run_batch:
                self._call_soon(self._report_start)
                self._work(run_batch)
        except BaseException as error:  # noqa: BLE001 - handed to whoever awaits `start`, or logged
            failure = error
        self._call_soon(self._report_end, failure)

    def _work(self, run_batch: RunBatch) -> None:
        while not self._is_last:
            first = self._queue.get()
            if first is None:
                return
            jobs = [first, *self._take(BATCH - 1)]
            try:
                run_batch(jobs, self._take)
            except BaseException as error:  # noqa: BLE001 - a bug here must not leave callers waiting for ever
                for job in jobs:
                    job.error = error
            deliver(self._loop, jobs)

    def _take(self, most: int = BATCH) -> list[Job]:
        """Return what is queued now, and note whether the end of the queue was reached."""
        jobs: list[Job] = []
        while not self._is_last and len(jobs) < most:
            try:
                job = self._queue.get_nowait()
            except Empty:
                break
            if job is None:
                self._is_last = True
            else:
                jobs.append(job)
        return jobs

    def _call_soon(self, report: Callable[..., None], *values: object) -> None:
        try:
            self._loop.call_soon_threadsafe(report, *values)
        except RuntimeError:  # the loop is closed: nobody waits any more
            return

    def _report_start(self) -> None:
        self._started.set()

    def _report_end(self, failure: BaseException | None) -> None:
        if not self._started.is_set():
            self._failure = failure
            self._started.set()
        elif failure is not None:
            log.error("%s ended with an error: %s", self._thread.name, failure, exc_info=failure)
        self._ended.set()
