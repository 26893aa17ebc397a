"""The store: a writer lane and a reader lane over one SQLite file in WAL mode."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from chimein_gui.adapters.store.jobs import Job
from chimein_gui.adapters.store.lane import Lane
from chimein_gui.adapters.store.reader import reading
from chimein_gui.adapters.store.writer import writing
from chimein_gui.domain.errors import StoreError
from chimein_gui.engine.ports import Durability, Transaction

T = TypeVar("T")

log = logging.getLogger(__name__)


class SqliteStore:
    """Implements `engine.ports.Store`. All methods must be called on the loop it was opened in."""

    def __init__(self, writer: Lane, reader: Lane) -> None:
        """Not for callers: use `open`."""
        self._writer = writer
        self._reader = reader

    @classmethod
    async def open(cls, path: Path, *, now: Callable[[], datetime]) -> SqliteStore:
        """Open, create or migrate the database.

        Args:
            path: The file; its directory is made if need be.
            now: The clock, aware UTC; called on the store's threads.

        Raises:
            StoreUnreadableError: It is damaged, or not ours; it was left as it is.
            StoreTooNewError: A newer Chimein wrote it; it was left as it is.
            StoreWriteError: It cannot be written.
        """
        writer = Lane("store-writer", lambda: writing(path, now))
        await writer.start()
        reader = Lane("store-reader", lambda: reading(path, now))
        try:
            await reader.start()
        except BaseException:
            await writer.close()
            raise
        return cls(writer, reader)

    async def transact(self, work: Callable[[Transaction], T], *, durability: Durability = Durability.NORMAL) -> T:
        """Run `work` in its own savepoint on the writer thread and return after the commit.

        Transactions run in the order of the calls. Cancelling the caller does not cancel the work.

        Raises:
            StoreWriteError: Nothing of it is stored.
            StoreError: The store is closed.
            Exception: An exception of `work`; its changes are rolled back, others of the batch are kept.
        """
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._writer.put(Job(work, durability, future))
        return await future

    def submit(self, work: Callable[[Transaction], object], *, durability: Durability = Durability.NORMAL) -> None:
        try:
            self._writer.put(Job(work, durability))
        except StoreError:
            log.exception("store work came after the store was closed")

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` on the reader thread against one consistent snapshot.

        Raises:
            StoreError: It tried to write, or the store is closed.
            Exception: An exception of `work`.
        """
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._reader.put(Job(work, Durability.NORMAL, future))
        return await future

    async def compact(self) -> None:
        """Write the whole file anew, so that nothing is left of what was deleted; nothing else is written meanwhile.

        Raises:
            StoreWriteError: It can't be done, as there must be room for a second copy; nothing has changed.
        """
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._writer.put(Job(lambda _tx: None, Durability.NORMAL, future, compacts=True))
        await future

    async def aclose(self) -> None:
        # Close the writer last: the last connection to close removes the log files.
        await self._reader.close()
        await self._writer.close()
