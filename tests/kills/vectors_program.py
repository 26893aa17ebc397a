"""A program that embeds the memories of a folder, and kills itself in the middle; for `test_kills_of_vectors.py`.

    python -m tests.kills.vectors_program FOLDER CALLS MOMENT

It appends each text that it asks for to `asked`, and ends with 0 when every memory has a vector.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.adapters.memory_index import SqliteMemoryIndex
from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.costs import PRICES
from chimein_gui.domain.memory.embedding import EmbedderChoice, Embedding
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.recall import IndexedEntry, entry_id
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.engine.core.commits import UnitOfWork
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.memory.vectors.embedders import MemoryEmbedders
from chimein_gui.engine.memory.vectors.job import VectorJob
from tests.fakes.embedder import FakeEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.engine.ports import Embedded, TextUse

TEXTS = tuple(f"memory number {number}" for number in range(20))
FILE = MemoryFile(MemoryKind.REMEMBERED, "Nora")


class Dying(FakeEmbedder):
    """Ends the program hard at its n-th call: before it is answered, or with the next call after it."""

    def __init__(self, folder: Path, calls: int, moment: str) -> None:
        super().__init__(most_texts=4)
        self._folder, self._left, self._moment = folder, calls, moment

    async def embed(self, texts: Sequence[str], use: TextUse = ...) -> Embedded:  # type: ignore[assignment]
        if self._moment == "after" and not self._left:
            os.kill(os.getpid(), signal.SIGKILL)
        with (self._folder / "asked").open("a", encoding="utf-8") as file:
            file.writelines(f"{text}\n" for text in texts)
        self._left -= 1
        if self._moment == "before" and not self._left:
            os.kill(os.getpid(), signal.SIGKILL)
        return await super().embed(texts, use)


async def main(folder: Path, calls: int, moment: str) -> None:
    """Index the memories, and embed them."""
    clock, jobs, bus = SystemClock(), JobRunner(), EventBus()
    store = await SqliteStore.open(folder / "chimein.db", now=clock.now)
    index = SqliteMemoryIndex(folder / "memory_index.db")
    await index.sync(FILE, [IndexedEntry(entry_id(FILE, text), FILE, text, 1, None, None) for text in TEXTS])
    await index.drop_except([FILE])
    unit = UnitOfWork(store, bus, clock)
    embedders = MemoryEmbedders(unit, clock, Dying(folder, calls, moment), None, lambda _name: None, lambda: PRICES)
    job = VectorJob(index, embedders, unit, bus, clock, lambda: EmbedderChoice(Embedding.GEMINI))
    done = asyncio.Event()
    unsubscribe = bus.subscribe(lambda _event: done.set() if job.status.embedded == len(TEXTS) else None)
    jobs.spawn(job.run(), name="embed memories")
    await done.wait()
    unsubscribe()
    await jobs.aclose()
    await index.close()
    await store.aclose()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
