"""memory_search_100k: a search among 100,000 memories, by words and by vectors; yardstick: numpy's dot product."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.benchmarks.row_memory_search import result, search_times

if TYPE_CHECKING:
    from pathlib import Path

    from tests.benchmarks.rows import Result

BUDGET_MS = 30.0
ENTRIES = 100_000


def measure(folder: Path, *, quick: bool) -> Result:
    count = ENTRIES // 5 if quick else ENTRIES
    times = asyncio.run(search_times(folder / "memory_index.db", count, 20 if quick else 100))
    return result("memory_search_100k", count, times, BUDGET_MS)
