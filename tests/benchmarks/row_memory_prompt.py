"""memory_prompt: time to read, search and compose 200 memories for a prompt; yardstick: reading the same file.

The median of warm prompts: what was parsed, composed and indexed before is kept, as it is for a file that did not
change since the last plan.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.memory import MarkdownMemoryFiles
from chimein_gui.adapters.memory_index import SqliteMemoryIndex
from chimein_gui.domain.memory.files import entry_of
from chimein_gui.domain.memory.recall import LOSERS, TOP
from chimein_gui.domain.prompt.memories import memory_sections, relevant_memories
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.memory.recall import MemoryRecall
from chimein_gui.engine.prompt.inputs import MemoryReader
from tests.benchmarks.rows import Result
from tests.benchmarks.timing import median_ms
from tests.support.prompt_inputs import inputs, message

if TYPE_CHECKING:
    from pathlib import Path

BUDGET_MS = 2.0
MEMORIES, PEER = 200, 7


def memories() -> str:
    """Return a file of 200 entries that fit into a prompt."""
    at = datetime(2026, 11, 18, tzinfo=UTC)
    entries = (
        entry_of(f"fact {number}", at=at, provenance=f"chat {PEER} (Marta), partner {PEER}", key=f"{number}.0")
        for number in range(MEMORIES)
    )
    return "\n".join(entries)


async def _rounds(folder: Path, repeats: int) -> list[float]:
    files, bus, jobs = MarkdownMemoryFiles(folder), EventBus(), JobRunner()
    index = SqliteMemoryIndex(folder / "memory_index.db")
    reader = MemoryReader(files, bus, MemoryRecall(index, files, SystemClock(), jobs.spawn, bus))
    asked, times = inputs(message(1, "what of fact 12 and fact 77?"), trigger=1), []
    for _ in range(repeats):
        began = time.perf_counter()
        filled = await reader.into(asked)
        (section,) = memory_sections(filled.memories).sections
        relevant = relevant_memories(filled.memories, filled.recall)
        times.append(1000 * (time.perf_counter() - began))
        assert section.text.count("fact ") == MEMORIES
        assert len(relevant.facts) == TOP + LOSERS
    await jobs.aclose()
    await index.close()
    return times


def measure(folder: Path, *, quick: bool) -> Result:
    path = folder / "Nora" / "memory.md"
    path.parent.mkdir()
    path.write_text(memories(), encoding="utf-8")
    repeats = 50 if quick else 400
    value = statistics.median(asyncio.run(_rounds(folder, repeats)))
    yardstick = median_ms(lambda: path.read_text(encoding="utf-8"), repeats)
    note = f"{MEMORIES} memories, read anew and searched each time; what was parsed and composed before is kept"
    return Result("memory_prompt", value, "ms", yardstick, f"<= {BUDGET_MS:.0f} ms", value <= BUDGET_MS, note)
