"""Runs reads, each batch against one snapshot."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from chimein_gui.adapters.store.jobs import Job
from chimein_gui.adapters.store.lane import RunBatch, TakeLate
from chimein_gui.adapters.store.opening import open_for_reading
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.adapters.store.transaction import SqliteTransaction
from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.ids import Revision


@contextmanager
def reading(path: Path, now: Callable[[], datetime]) -> Iterator[RunBatch]:
    """Open the file for reading and yield the function that runs batches; close it at the end."""
    with closing(open_for_reading(path)) as connection:
        yield Reader(Sql(connection, read_only=True), now).run


class Reader:
    """Runs batches on one connection, on the reader thread."""

    def __init__(self, sql: Sql, now: Callable[[], datetime]) -> None:
        self._sql = sql
        self._transaction = SqliteTransaction(sql, now)

    def run(self, jobs: Sequence[Job], _take_late: TakeLate = tuple) -> None:
        """Run all jobs against the state that is committed now, which is not older than any of the calls.

        Later calls must see a later state, so they are not added to the batch.
        """
        try:
            self._sql.run("BEGIN")
            row = self._sql.one("SELECT revision FROM meta")
        except StoreError as cause:
            for job in jobs:
                job.error = StoreError(cause.note or str(cause))
                job.error.__cause__ = cause
        else:
            assert row is not None  # written by the first migration
            self._transaction.revision = Revision(row[0])
            for job in jobs:
                self._run_one(job)
        finally:
            if self._sql.in_transaction:
                self._sql.run("ROLLBACK")

    def _run_one(self, job: Job) -> None:
        try:
            job.value = job.work(self._transaction)
        except BaseException as error:  # noqa: BLE001 - it goes to the caller, who knows what it means
            job.error = error
