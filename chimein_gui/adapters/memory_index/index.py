"""The index of memories as the engine uses it (port `MemoryIndex`).

Modules that need numpy are imported by the first search, in its thread, because that takes 0.1 s.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from chimein_gui.adapters.memory_index.blocks import Blocks
from chimein_gui.adapters.memory_index.database import Opened, delete, in_memory, is_damaged, opened, problem_of
from chimein_gui.adapters.memory_index.tables import Tables, as_bytes, row_of
from chimein_gui.domain.errors import MixedModelsError, StoreError, StoreUnreadableError, StoreWriteError
from chimein_gui.engine.ports import IndexStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.domain.memory.recall import IndexedEntry, Recall
    from chimein_gui.engine.ports import Vector

T = TypeVar("T")

BATCH = 50
"""Entries whose terms are made at a time. Python code in a thread delays the event loop, so each batch is short."""
WRITTEN = 500
"""Entries that are written at a time, because each commit waits for the disk."""


class SqliteMemoryIndex:
    """Implements `engine.ports.MemoryIndex` with one file.

    All work runs in a thread of its own, one piece at a time: the others must not wait for a long search.
    """

    def __init__(self, path: Path) -> None:
        """Create the index; the file is opened with the first call.

        Args:
            path: The file; it is made if it is missing.
        """
        self._path = path
        self._thread: ThreadPoolExecutor | None = None
        self._syncing: defaultdict[MemoryFile, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._opened: Opened | None = None
        self._blocks = Blocks()
        self._counted: IndexStatus | None = None
        """What the index holds, as long as nothing but vectors is written: their job asks after each of its steps."""

    async def sync(self, file: MemoryFile, entries: Sequence[IndexedEntry]) -> None:
        async with self._syncing[file]:
            new = await self._write(lambda tables: self._update(tables, file, entries))
            rows: list[tuple[object, ...]] = []
            for begin in range(0, len(new), BATCH):
                rows += await self._in_thread(partial(_rows_of, new[begin : begin + BATCH]))
                if len(rows) >= WRITTEN or begin + BATCH >= len(new):
                    await self._write(partial(self._add, file=file, rows=rows))
                    rows = []

    def _update(self, tables: Tables, file: MemoryFile, entries: Sequence[IndexedEntry]) -> list[IndexedEntry]:
        """Remove what is gone, move what has moved, and return what is new."""
        changes = tables.changes(file, entries)
        number = tables.file_of(file)
        if number is not None:
            tables.remove(number, changes.gone)
            tables.move(number, changes.moved)
            if not entries:
                tables.remove_file(number)
            if changes.gone:
                self._blocks.forget(number)
        return changes.new

    def _add(self, tables: Tables, file: MemoryFile, rows: Sequence[tuple[object, ...]]) -> None:
        number = tables.add_file(file)
        tables.add(number, rows)
        self._blocks.forget(number)

    async def drop_except(self, files: Collection[MemoryFile]) -> None:
        kept = frozenset(files)
        for file in await self._read(Tables.files):
            if file not in kept:
                async with self._syncing[file]:
                    await self._write(partial(self._remove, file=file))
        await self._write(Tables.set_complete)

    def _remove(self, tables: Tables, file: MemoryFile) -> None:
        number = tables.file_of(file)
        if number is not None:
            tables.remove_file(number)
            self._blocks.forget(number)

    async def begin_anew(self) -> None:
        def clear(tables: Tables) -> None:
            tables.clear()
            self._blocks.clear()

        async with AsyncExitStack() as held:
            # What a running `sync` has found unchanged would be missing afterwards.
            for lock in tuple(self._syncing.values()):
                await held.enter_async_context(lock)
            await self._write(clear)

    async def search(
        self, query: str, files: Sequence[MemoryFile], *, vector: Vector | None = None, limit: int = 10
    ) -> Recall:
        began = time.perf_counter()

        def run(tables: Tables) -> Recall:
            from chimein_gui.adapters.memory_index.searching import search

            return search(tables, self._blocks, query, files, vector, limit, began)

        return await self._read(run)

    async def missing(self, model: str, limit: int) -> tuple[IndexedEntry, ...]:
        return await self._read(lambda tables: tables.vectors.missing(model, limit))

    async def put_vectors(self, model: str, vectors: Sequence[tuple[str, Sequence[float]]]) -> None:
        def put(tables: Tables) -> int:
            lengths = {len(values) for _, values in vectors}
            lengths.add(self._blocks.models(tables).get(model, min(lengths)))
            if len(lengths) > 1:
                raise MixedModelsError(f"vectors of {model} with the lengths {sorted(lengths)}")
            new = tables.vectors.count_lacking(model, [key for key, _ in vectors])
            for file in tables.vectors.put(model, [(key, as_bytes(values)) for key, values in vectors]):
                self._blocks.forget_vectors(file)
            return new

        def run() -> None:
            before = self._counted
            new = self._write_now(put, to_memory=False)
            if before is not None:
                with_vector = {**before.with_vector, model: before.with_vector.get(model, 0) + new}
                self._counted = replace(before, with_vector=with_vector, model=_most_of(with_vector))

        if vectors:
            await self._in_thread(run)

    async def drop_vectors(self, except_model: str | None) -> None:
        def drop(tables: Tables) -> None:
            tables.vectors.drop(except_model)
            self._blocks.clear()

        await self._write(drop)

    async def status(self) -> IndexStatus:
        return await self._read(self._status)

    def _status(self, tables: Tables) -> IndexStatus:
        if self._counted is None:
            found = {model: count for model, count in tables.vectors.with_vector().items() if count}
            self._counted = IndexStatus(tables.count(), found, not tables.is_complete(), _most_of(found))
        return replace(self._counted, problem=None if self._opened is None else self._opened.problem)

    async def compact(self) -> None:
        await self._in_thread(self._compact)

    def _compact(self) -> None:
        try:
            self._open().connection.execute("VACUUM")
        except sqlite3.Error as error:
            raise self._failure(error) from error

    async def close(self) -> None:
        if self._thread is not None:
            await self._in_thread(self._forget)
            self._thread.shutdown(wait=False)
            self._thread = None

    async def _in_thread(self, work: Callable[[], T]) -> T:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="memory-index")
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def _read(self, work: Callable[[Tables], T]) -> T:
        return await self._in_thread(lambda: self._read_now(work))

    async def _write(self, work: Callable[[Tables], T], *, to_memory: bool = True) -> T:
        """Run one transaction; a file that can't be written is replaced by a copy in memory, if that is wanted."""
        return await self._in_thread(lambda: self._write_now(work, to_memory=to_memory))

    def _forget(self) -> None:
        if self._opened is not None:
            self._opened.connection.close()
        self._opened = self._counted = None
        self._blocks.clear()

    def _read_now(self, work: Callable[[Tables], T]) -> T:
        try:
            return work(Tables(self._open().connection))
        except sqlite3.Error as error:
            raise self._failure(error) from error

    def _write_now(self, work: Callable[[Tables], T], *, to_memory: bool) -> T:
        found = self._open()
        self._counted = None
        if found.problem is not None and not to_memory:
            raise StoreWriteError(found.problem)
        try:
            return _transaction(found.connection, work)
        except sqlite3.Error as error:
            if is_damaged(error) or found.problem is not None:
                raise self._failure(error) from error
            if not to_memory:
                raise StoreWriteError(problem_of(self._path, error)) from error
            self._opened = in_memory(self._path, error, found.connection)
        try:
            return _transaction(self._opened.connection, work)
        except sqlite3.Error as error:
            raise self._failure(error) from error

    def _open(self) -> Opened:
        if self._opened is None:
            self._opened = opened(self._path)
        return self._opened

    def _failure(self, error: sqlite3.Error) -> StoreError:
        """Return the error for the caller; a damaged file is deleted, and the next call makes it anew."""
        note = problem_of(self._path, error)
        if not is_damaged(error):
            return StoreError(note)
        self._forget()
        try:
            delete(self._path)
        except OSError as cause:
            self._opened = in_memory(self._path, cause)
        return StoreUnreadableError(note)


def _most_of(with_vector: Mapping[str, int]) -> str | None:
    """Return the model of which most entries have a vector."""
    return max(with_vector, key=with_vector.__getitem__, default=None)


def _rows_of(entries: Sequence[IndexedEntry]) -> list[tuple[object, ...]]:
    return list(map(row_of, entries))


def _transaction(connection: sqlite3.Connection, work: Callable[[Tables], T]) -> T:
    connection.execute("BEGIN IMMEDIATE")
    try:
        value = work(Tables(connection))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return value
