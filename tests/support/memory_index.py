"""The index of memories for tests, and entries to put into it; run as a program it writes until it is killed."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.adapters.memory_index import SqliteMemoryIndex
from chimein_gui.adapters.memory_index.index import WRITTEN
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.recall import IndexedEntry, entry_id

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

OWN = MemoryFile(MemoryKind.REMEMBERED, "Nora")
NOTES = MemoryFile(MemoryKind.CURATED, "Nora", PeerId(7))
ABOUT_7 = MemoryFile(MemoryKind.ABOUT_PARTNER, "Nora", PeerId(7))
ABOUT_8 = MemoryFile(MemoryKind.ABOUT_PARTNER, "Nora", PeerId(8))


def entries(file: MemoryFile, *texts: str) -> Sequence[IndexedEntry]:
    """Return entries of a file, one a text."""
    at = datetime(2026, 11, 18, 12, tzinfo=UTC)
    return [
        IndexedEntry(entry_id(file, text), file, text, 1 + 4 * place, at, PeerId(7)) for place, text in enumerate(texts)
    ]


@asynccontextmanager
async def opened_index(path: Path) -> AsyncIterator[SqliteMemoryIndex]:
    """Give an index and close it."""
    index = SqliteMemoryIndex(path)
    try:
        yield index
    finally:
        await index.close()


def many(file: MemoryFile) -> Sequence[IndexedEntry]:
    """Return more entries of a file than one transaction stores."""
    return entries(file, *(f"Ben has {number} cats called {file.kind}." for number in range(3 * WRITTEN)))


async def _write_until_killed(path: Path) -> None:
    async with opened_index(path) as index:
        await index.sync(OWN, many(OWN))
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            await index.sync(NOTES, many(NOTES))
            await index.sync(NOTES, ())


if __name__ == "__main__":
    asyncio.run(_write_until_killed(Path(sys.argv[1])))
