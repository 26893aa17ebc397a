"""The index of memories in PostgreSQL (port `MemoryIndex`). All work runs in threads, one transaction at a time."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from chimein_gui.adapters.postgres_index.connection import Connection, Database
from chimein_gui.adapters.postgres_index.rows import ENTRY, StoredPlace, entry_of, key_of, place_of, row_of
from chimein_gui.adapters.postgres_index.schema import add_vector_index, prepare
from chimein_gui.adapters.postgres_index.searching import Search, written
from chimein_gui.domain.errors import MixedModelsError
from chimein_gui.engine.ports import IndexStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from chimein_gui.adapters.postgres_index.rows import NewRow
    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.domain.memory.recall import IndexedEntry, Recall
    from chimein_gui.engine.ports import Vector

T = TypeVar("T")

BATCH = 50
"""Entries whose terms are made at a time. Python code in a thread delays the event loop, so each batch is short."""

STATEMENT = 500
"""Entries that one statement adds; each has about 70 terms, and a statement has a time limit."""

_OF_FILE = "owner = %s AND agent = %s AND kind = %s AND peer = %s"
_ADD = """
INSERT INTO entries (owner, agent, kind, peer, id, text, text_hash, line, at, chat, length)
SELECT %s, %s, %s, %s, * FROM
unnest(%s::text[], %s::text[], %s::text[], %s::integer[], %s::timestamptz[], %s::bigint[], %s::integer[])
RETURNING entry, id
"""
_ADD_TERMS = """
INSERT INTO terms (entry, term, weight) SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::smallint[])
"""
_REMOVE = """
WITH gone AS (DELETE FROM entries WHERE {which} RETURNING entry)
DELETE FROM terms t USING gone WHERE t.entry = gone.entry
"""
_DROP_UNUSED = """
DELETE FROM vectors v WHERE v.owner = %s
AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.owner = v.owner AND e.text_hash = v.text_hash)
"""
_MISSING = f"""
SELECT {ENTRY} FROM (
    SELECT DISTINCT ON (text_hash) * FROM entries e WHERE owner = %s AND NOT EXISTS (
        SELECT 1 FROM vectors v WHERE v.owner = e.owner AND v.model = %s AND v.text_hash = e.text_hash
    ) ORDER BY text_hash, entry
) AS first ORDER BY entry LIMIT %s
"""
_PUT = """
INSERT INTO vectors (owner, model, text_hash, dimension, numbers)
SELECT %s, %s, t.text_hash, %s, t.numbers::vector FROM unnest(%s::text[], %s::text[]) AS t (text_hash, numbers)
WHERE EXISTS (SELECT 1 FROM entries e WHERE e.owner = %s AND e.text_hash = t.text_hash)
ON CONFLICT (owner, model, text_hash) DO UPDATE SET dimension = excluded.dimension, numbers = excluded.numbers
"""
_STATUS = """
SELECT (SELECT count(*) FROM entries e WHERE e.owner = o.owner), complete FROM owners o WHERE owner = %s
"""
_WITH_VECTOR = """
SELECT v.model, count(*) FROM vectors v JOIN entries e USING (owner, text_hash) WHERE v.owner = %s GROUP BY v.model
"""


class PostgresMemoryIndex:
    """One owner's part of a database; what others have in it is never touched."""

    def __init__(self, address: str, owner: str) -> None:
        """Create the index; the server is asked with the first call.

        Args:
            address: The connection string; it stands in no text of an error.
            owner: Tells the memories of one state directory from those of others in the same database.
        """
        self._owner = owner
        self._database = Database(address, lambda connection: prepare(connection, owner))
        self._syncing = asyncio.Lock()

    def __repr__(self) -> str:
        """Show no connection string."""
        return f"PostgresMemoryIndex({self._owner!r})"

    async def sync(self, file: MemoryFile, entries: Sequence[IndexedEntry]) -> None:
        async with self._syncing:
            wanted = {one.id: one for one in entries}
            stored = await self._read(partial(self._stored, file=file))
            new = [one for key, one in wanted.items() if key not in stored]
            rows: list[NewRow] = []
            for begin in range(0, len(new), BATCH):
                rows += await asyncio.to_thread(lambda some: list(map(row_of, some)), new[begin : begin + BATCH])
            gone = [key for key in stored if key not in wanted]
            moved = [one for key, one in wanted.items() if key in stored and stored[key] != place_of(one)]
            if gone or moved or rows:
                await self._write(partial(self._change, file=file, gone=gone, moved=moved, rows=rows))

    def _stored(self, connection: Connection, file: MemoryFile) -> dict[str, StoredPlace]:
        query = f"SELECT id, line, at, chat FROM entries WHERE {_OF_FILE}"
        rows = connection.execute(query, (self._owner, *key_of(file))).fetchall()
        return {key: StoredPlace(*place) for key, *place in rows}

    def _change(
        self,
        connection: Connection,
        file: MemoryFile,
        gone: Sequence[str],
        moved: Sequence[IndexedEntry],
        rows: Sequence[NewRow],
    ) -> None:
        """Remove what is gone, with vectors that no entry needs any more, move what has moved, add what is new."""
        whose = (self._owner, *key_of(file))
        if gone:
            _remove(connection, f"{_OF_FILE} AND id = ANY(%s)", *whose, list(gone))
            connection.execute(_DROP_UNUSED, (self._owner,))
        for one in moved:
            command = f"UPDATE entries SET line = %s, at = %s, chat = %s WHERE {_OF_FILE} AND id = %s"
            connection.execute(command, (*place_of(one), *whose, one.id))
        for begin in range(0, len(rows), STATEMENT):
            _add(connection, whose, rows[begin : begin + STATEMENT])

    async def drop_except(self, files: Collection[MemoryFile]) -> None:
        kept = [key_of(file) for file in files]

        def drop(connection: Connection) -> None:
            columns = [list(column) for column in zip(*kept, strict=True)] or [[], [], []]
            others = "(agent, kind, peer) NOT IN (SELECT * FROM unnest(%s::text[], %s::text[], %s::bigint[]))"
            _remove(connection, f"owner = %s AND {others}", self._owner, *columns)
            connection.execute(_DROP_UNUSED, (self._owner,))
            connection.execute("UPDATE owners SET complete = true WHERE owner = %s", (self._owner,))

        async with self._syncing:
            await self._write(drop)

    async def begin_anew(self) -> None:
        def clear(connection: Connection) -> None:
            _remove(connection, "owner = %s", self._owner)
            connection.execute("UPDATE owners SET complete = false WHERE owner = %s", (self._owner,))

        async with self._syncing:
            await self._write(clear)

    async def search(
        self, query: str, files: Sequence[MemoryFile], *, vector: Vector | None = None, limit: int = 10
    ) -> Recall:
        began = time.perf_counter()
        found = await self._read(lambda connection: Search(connection, self._owner, files).run(query, vector, limit))
        return replace(found, took_s=time.perf_counter() - began)

    async def missing(self, model: str, limit: int) -> tuple[IndexedEntry, ...]:
        def ask(connection: Connection) -> tuple[IndexedEntry, ...]:
            return tuple(map(entry_of, connection.execute(_MISSING, (self._owner, model, limit)).fetchall()))

        return await self._read(ask)

    async def put_vectors(self, model: str, vectors: Sequence[tuple[str, Sequence[float]]]) -> None:
        def put(connection: Connection) -> None:
            query = "SELECT dimension FROM vectors WHERE owner = %s AND model = %s LIMIT 1"
            known = connection.execute(query, (self._owner, model)).fetchone()
            lengths = {len(values) for _, values in vectors} | ({known[0]} if known else set())
            if len(lengths) > 1:
                raise MixedModelsError(f"vectors of {model} with the lengths {sorted(lengths)}")
            (dimension,) = lengths
            hashes, numbers = [key for key, _ in vectors], [written(values) for _, values in vectors]
            connection.execute(_PUT, (self._owner, model, dimension, hashes, numbers, self._owner))
            if known is None:
                add_vector_index(connection, model, dimension)

        if vectors:
            await self._write(put)

    async def drop_vectors(self, except_model: str | None) -> None:
        def drop(connection: Connection) -> None:
            command = "DELETE FROM vectors WHERE owner = %s AND model IS DISTINCT FROM %s"
            connection.execute(command, (self._owner, except_model))

        await self._write(drop)

    async def status(self) -> IndexStatus:
        def ask(connection: Connection) -> IndexStatus:
            entries, is_complete = connection.execute(_STATUS, (self._owner,)).fetchone()
            counts: dict[str, int] = dict(connection.execute(_WITH_VECTOR, (self._owner,)).fetchall())
            most = max(counts, key=counts.__getitem__, default=None)
            return IndexStatus(entries, counts, not is_complete, most)

        return await self._read(ask)

    async def compact(self) -> None:
        def rewrite(connection: Connection) -> None:
            for table in ("entries", "terms", "vectors"):
                connection.execute(f"vacuum full {table}")

        async with self._syncing:
            await asyncio.to_thread(partial(self._database.run, rewrite, writes=True, is_whole=False))

    async def close(self) -> None:
        async with self._syncing:
            await asyncio.to_thread(self._database.close)

    async def _read(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(partial(self._database.run, work, writes=False))

    async def _write(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(partial(self._database.run, work, writes=True))


def _remove(connection: Connection, which: str, *values: object) -> None:
    """Remove entries with their terms; `which` is the condition, with a place for each value."""
    connection.execute(_REMOVE.format(which=which), values)


def _add(connection: Connection, whose: tuple[object, ...], rows: Sequence[NewRow]) -> None:
    """Add entries of a file with their terms."""
    columns: list[list[Any]] = [
        [row.id for row in rows],
        [row.text for row in rows],
        [row.text_hash for row in rows],
        [row.place.line for row in rows],
        [row.place.at for row in rows],
        [row.place.chat for row in rows],
        [sum(row.weights) for row in rows],
    ]
    numbers = {key: entry for entry, key in connection.execute(_ADD, (*whose, *columns)).fetchall()}
    terms = [(numbers[row.id], *one) for row in rows for one in zip(row.terms, row.weights, strict=True)]
    if terms:
        connection.execute(_ADD_TERMS, tuple(map(list, zip(*terms, strict=True))))
