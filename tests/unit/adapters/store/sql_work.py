"""Counts what a piece of work costs the database: statements, and steps of SQLite's machine.

Steps do not depend on the machine or its load, so a test may compare them: twice the rows may not mean twice the steps.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from chimein_gui.engine.ports import Durability, Store, Transaction
from tests.unit.adapters.store.builders import connection_of

T = TypeVar("T")


@dataclass
class SqlWork:
    """What was counted.

    Attributes:
        statements: Statements that ran.
        steps: Instructions of SQLite's virtual machine.
    """

    statements: int = 0
    steps: int = 0


@contextmanager
def counted(connection: sqlite3.Connection) -> Iterator[SqlWork]:
    """Count what runs on a connection meanwhile; to be called on the connection's own thread."""
    work = SqlWork()

    def statement(text: str) -> None:
        work.statements += not text.startswith("--")

    def step() -> None:
        work.steps += 1

    connection.set_trace_callback(statement)
    connection.set_progress_handler(step, 1)
    try:
        yield work
    finally:
        connection.set_progress_handler(None, 0)
        connection.set_trace_callback(None)


class CountingStore:
    """A store in front of another that counts what its work costs; one piece of work at a time."""

    def __init__(self, store: Store) -> None:
        """Count from now on."""
        self._store = store
        self.done = SqlWork()

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """See `Store.read`."""
        return await self._store.read(self._counting(work))

    async def transact(self, work: Callable[[Transaction], T], *, durability: Durability = Durability.NORMAL) -> T:
        """See `Store.transact`."""
        return await self._store.transact(self._counting(work), durability=durability)

    def submit(self, work: Callable[[Transaction], object], *, durability: Durability = Durability.NORMAL) -> None:
        """See `Store.submit`."""
        self._store.submit(self._counting(work), durability=durability)

    async def aclose(self) -> None:
        """See `Store.aclose`."""
        await self._store.aclose()

    def _counting(self, work: Callable[[Transaction], T]) -> Callable[[Transaction], T]:
        def count(tx: Transaction) -> T:
            with counted(connection_of(tx)) as cost:
                result = work(tx)
            self.done = SqlWork(self.done.statements + cost.statements, self.done.steps + cost.steps)
            return result

        return count
