"""The index of memories in a file, or in the operator's PostgreSQL where a connection string is kept."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.domain.memory.recall import IndexedEntry, Recall
    from chimein_gui.engine.ports import IndexStatus, MemoryIndex, Vector

    ServerIndex = Callable[[str], MemoryIndex]
    """Makes the index of a connection string; nothing is connected by that."""


class ChosenIndex:
    """Implements `engine.ports.MemoryIndex`: each call goes to the one that is chosen at that moment."""

    def __init__(self, file: MemoryIndex, server: ServerIndex, address: Callable[[], str]) -> None:
        """Create it.

        Args:
            file: The index in a file.
            server: Makes the one in PostgreSQL.
            address: Returns the connection string that is kept now; empty for none.
        """
        self._file = file
        self._make = server
        self._address = address
        self._used = ""
        self._server: MemoryIndex | None = None
        self._one_at_a_time = asyncio.Lock()

    async def _now(self) -> MemoryIndex:
        """Return the chosen one. What the file has is removed when PostgreSQL takes its place."""
        async with self._one_at_a_time:
            address = self._address()
            if address != self._used:
                if self._server is not None:
                    await self._server.close()
                self._server = self._make(address) if address else None
                self._used = address
                if self._server is not None:
                    await self._file.begin_anew()
                    await self._file.drop_vectors(None)
                    await self._file.compact()
            return self._file if self._server is None else self._server

    async def sync(self, file: MemoryFile, entries: Sequence[IndexedEntry]) -> None:
        """Replace what is indexed of a file."""
        await (await self._now()).sync(file, entries)

    async def drop_except(self, files: Collection[MemoryFile]) -> None:
        """Remove all other files."""
        await (await self._now()).drop_except(files)

    async def begin_anew(self) -> None:
        """Remove all entries."""
        await (await self._now()).begin_anew()

    async def search(
        self, query: str, files: Sequence[MemoryFile], *, vector: Vector | None = None, limit: int = 10
    ) -> Recall:
        """Search the entries of these files."""
        return await (await self._now()).search(query, files, vector=vector, limit=limit)

    async def missing(self, model: str, limit: int) -> tuple[IndexedEntry, ...]:
        """Return entries without a vector of the model."""
        return await (await self._now()).missing(model, limit)

    async def put_vectors(self, model: str, vectors: Sequence[tuple[str, Sequence[float]]]) -> None:
        """Store vectors by the hash of their texts."""
        await (await self._now()).put_vectors(model, vectors)

    async def drop_vectors(self, except_model: str | None) -> None:
        """Remove the vectors of all other models."""
        await (await self._now()).drop_vectors(except_model)

    async def status(self) -> IndexStatus:
        """Return what the index holds."""
        return await (await self._now()).status()

    async def compact(self) -> None:
        """Leave nothing of what was removed."""
        await (await self._now()).compact()

    async def close(self) -> None:
        """Close both."""
        async with self._one_at_a_time:
            if self._server is not None:
                await self._server.close()
            await self._file.close()
