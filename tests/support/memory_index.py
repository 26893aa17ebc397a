"""The index of memories for tests, and entries to put into it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chimein_gui.adapters.memory_index import SqliteMemoryIndex
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.recall import IndexedEntry, entry_id

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

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
