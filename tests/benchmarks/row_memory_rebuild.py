"""memory_rebuild: longest block of the loop while 10,000 memories are indexed anew; yardstick: an idle loop."""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import TYPE_CHECKING, Any

from chimein_gui.adapters.memory_index import SqliteMemoryIndex
from tests.benchmarks.audience import Lateness
from tests.benchmarks.memory.scoring import FILE
from tests.benchmarks.row_memory_search import ENTRIES, many_entries
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import run_in_qt

if TYPE_CHECKING:
    from pathlib import Path

BUDGET_MS = 33.0


async def _rebuild(path: Path) -> tuple[float, float]:
    """Return the longest block in ms, and the seconds of the rebuild with the first search after it."""
    entries, lateness = many_entries(ENTRIES), Lateness()
    index = SqliteMemoryIndex(path)
    lateness.start()
    began = time.perf_counter()
    await index.sync(FILE, entries)
    await index.drop_except([FILE])
    assert (await index.search(entries[0].text, [FILE])).searched == ENTRIES
    took = time.perf_counter() - began
    lateness.stop()
    await index.close()
    return max(lateness.late_ms), took


async def _idle(seconds: float) -> float:
    lateness = Lateness()
    lateness.start()
    await asyncio.sleep(seconds)
    lateness.stop()
    return max(lateness.late_ms)


def measure(folder: Path, *, quick: bool) -> Result:
    async def run(_app: Any) -> list[tuple[float, float, float]]:
        found = []
        for repeat in range(1 if quick else 5):
            late, took = await _rebuild(folder / f"{repeat}.db")
            found.append((late, took, await _idle(took)))
        return found

    found = run_in_qt(run)
    value, took, idle = (statistics.median(one[place] for one in found) for place in range(3))
    note = f"{ENTRIES:,} entries in {took:.1f} s, with the first search after it"
    return Result("memory_rebuild", value, "ms", idle, f"<= {BUDGET_MS:.0f} ms", value <= BUDGET_MS, note)
