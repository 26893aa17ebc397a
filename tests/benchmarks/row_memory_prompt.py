"""memory_prompt: time to read 200 memories and compose them for a prompt; yardstick: reading the same file."""

from __future__ import annotations

import asyncio
import statistics
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.memory import MarkdownMemoryFiles
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.entries import MemoryScope
from chimein_gui.domain.memory.files import entry_of
from chimein_gui.domain.prompt.memories import memory_sections
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.prompt.inputs import MemoryReader
from tests.benchmarks.rows import Result
from tests.benchmarks.timing import median_ms

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
    reader = MemoryReader(MarkdownMemoryFiles(folder), EventBus())
    scope, times = MemoryScope("Nora", PeerId(PEER), PeerId(PEER)), []
    for _ in range(repeats):
        began = time.perf_counter()
        (section,) = memory_sections(await reader.read(scope)).sections
        times.append(1000 * (time.perf_counter() - began))
        assert section.text.count("fact ") == MEMORIES
    return times


def measure(folder: Path, *, quick: bool) -> Result:
    path = folder / "Nora" / "memory.md"
    path.parent.mkdir()
    path.write_text(memories(), encoding="utf-8")
    repeats = 50 if quick else 400
    value = statistics.median(asyncio.run(_rounds(folder, repeats)))
    yardstick = median_ms(lambda: path.read_text(encoding="utf-8"), repeats)
    note = f"{MEMORIES} memories, read anew each time; what was parsed before is kept"
    return Result("memory_prompt", value, "ms", yardstick, f"<= {BUDGET_MS:.0f} ms", value <= BUDGET_MS, note)
