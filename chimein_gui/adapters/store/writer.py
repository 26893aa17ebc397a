"""Runs batches of work in one transaction, with a savepoint for each job."""

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from chimein_gui.adapters.store.jobs import Job
from chimein_gui.adapters.store.lane import RunBatch, TakeLate
from chimein_gui.adapters.store.opening import open_for_writing
from chimein_gui.adapters.store.rows.values import Row
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.adapters.store.traces.late import LateTraces
from chimein_gui.adapters.store.transaction import SqliteTransaction
from chimein_gui.domain.errors import StoreError, StoreWriteError
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.ports import Durability

LATE_S = 0.02
"""How long, in seconds, a durable batch accepts late jobs while it runs.

They cost it nothing, because the disk takes longer than all its work. A single job does not wait.
"""

OUTERMOST = "SAVEPOINT outermost", "ROLLBACK TO outermost"
WITHIN = "SAVEPOINT work", "ROLLBACK TO work"
MOST_OPEN = 16
"""Most savepoints that are open at a time, each within the one before: SQLite looks at all of them for every page."""


@contextmanager
def writing(path: Path, now: Callable[[], datetime]) -> Iterator[RunBatch]:
    """Open the file for writing and yield the function that runs batches; checkpoint and close at the end."""
    with closing(open_for_writing(path)) as connection:
        yield Writer(Sql(connection), now).run
        _checkpoint(connection)


def _checkpoint(connection: sqlite3.Connection) -> None:
    """Move the log into the main file, so that one file can be copied; if this fails, the log keeps everything."""
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error:
        return


class Writer:
    """Runs batches on one connection, on the writer thread."""

    def __init__(self, sql: Sql, now: Callable[[], datetime]) -> None:
        self._sql = sql
        self._late = sql.late = LateTraces(sql)
        self._transaction = SqliteTransaction(sql, now, self._late)
        self._synchronous: Durability | None = None
        self._written_by_others: Row | None = None
        self._revision = 0
        self._open = 0  # savepoints

    def run(self, jobs: list[Job], take_late: TakeLate = tuple) -> None:
        """Commit `jobs`; those that compact the file come last, outside of the transaction."""
        compacting = [job for job in jobs if job.compacts]
        if not compacting:
            self._commit(jobs, take_late)
            return
        self._commit([job for job in jobs if not job.compacts])
        for job in compacting:
            self._compact(job)

    def _compact(self, job: Job) -> None:
        """Write the file anew, and empty the log, which still has the pages as they were."""
        self._sql.failure = None
        try:
            self._sql.run("VACUUM")
            if self._sql.all("PRAGMA wal_checkpoint(TRUNCATE)")[0][0]:
                raise StoreWriteError(Note(FaultReason.CLOSE_THE_OTHER))
        except StoreError as error:
            job.error = error
        self._sql.failure = None

    def _commit(self, jobs: list[Job], take_late: TakeLate = tuple) -> None:
        """Commit `jobs`, except those that fail; if the commit itself fails, all of them fail.

        Args:
            jobs: The jobs; if the commit is a slow one, jobs that came meanwhile are appended.
            take_late: Returns these.
        """
        closes_at = time.monotonic() + LATE_S
        try:
            self._begin(jobs)
            for job in jobs:
                self._run_one(job)
                if job is jobs[-1] and self._synchronous is Durability.FULL and time.monotonic() < closes_at:
                    jobs += take_late()
            self._late.write()
            # Once per batch: nobody sees the numbers in between, and those of failed work are not used again.
            self._sql.run("UPDATE meta SET revision = ?", self._revision)
            self._sql.run("COMMIT")
        except StoreError as cause:
            self._late.drop()
            self._roll_back()
            self._sql.forget()  # SQLite may have rolled back by itself
            for job in jobs:
                # A separate error for each: an exception that several callers await collects the tracebacks of all.
                job.value = None
                job.error = StoreWriteError(cause.note or str(cause))
                job.error.__cause__ = cause
        except BaseException:
            self._late.drop()  # the next batch begins with a rollback
            raise

    def _begin(self, jobs: Sequence[Job]) -> None:
        self._sql.failure = None
        if self._sql.in_transaction:
            self._sql.run("ROLLBACK")  # there was no memory for that when it should have been done
        needed = Durability.FULL if any(job.durability is Durability.FULL for job in jobs) else Durability.NORMAL
        if needed is not self._synchronous:
            # SQLite ignores this inside a transaction.
            self._synchronous = None
            self._sql.run(f"PRAGMA synchronous = {needed.name}")
            self._synchronous = needed
        self._open = 0
        self._sql.run("BEGIN IMMEDIATE")
        self._look_for_others()

    def _look_for_others(self) -> None:
        """Drop cached results if another connection has written since, for example another program.

        Its revisions are not used again, because new changes would otherwise look old.
        """
        written_by_others = self._sql.one("PRAGMA data_version")
        if written_by_others != self._written_by_others:
            self._sql.forget()
            row = self._sql.one("SELECT revision FROM meta")
            assert row is not None  # written by the first migration
            self._revision = max(self._revision, row[0])
            self._written_by_others = written_by_others

    def _run_one(self, job: Job) -> None:
        undo = self._set_savepoint()
        self._late.begin()
        self._revision += 1
        self._transaction.revision = Revision(self._revision)
        try:
            job.value = job.work(self._transaction)
        except BaseException as error:  # noqa: BLE001 - it goes to the caller, who knows what it means
            self._refuse_if_broken()
            self._late.undo()
            self._sql.run(undo)
            job.error = error
        self._refuse_if_broken()

    def _set_savepoint(self) -> str:
        """Set a savepoint within those of earlier work, which the commit releases, and return how to go back to it.

        Of several with the same name, `ROLLBACK TO` means the last one.
        """
        if self._open == MOST_OPEN:
            self._sql.run("RELEASE outermost")  # and all within it
            self._open = 0
        begin, undo = WITHIN if self._open else OUTERMOST
        self._sql.run(begin)
        self._open += 1
        return undo

    def _refuse_if_broken(self) -> None:
        """Stop the batch after an error of the file, even if the work ignored it."""
        if self._sql.failure is not None:
            raise self._sql.failure
        if not self._sql.in_transaction:
            raise StoreWriteError(Note(FaultReason.ENDED_ON_ITS_OWN))

    def _roll_back(self) -> None:
        self._sql.failure = None
        if self._sql.in_transaction:
            try:
                self._sql.run("ROLLBACK")
            except StoreError:
                # SQLite has rolled back meanwhile, or has no memory left; the next batch tells whether it can go on.
                return
