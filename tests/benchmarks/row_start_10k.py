"""start_10k: from the file to everything the window first requests, with 10,000 open plans; yardstick: with 10."""

from __future__ import annotations

import asyncio
import statistics
import time
from pathlib import Path
from typing import Any

from chimein_gui.adapters.store.store import SqliteStore
from tests.benchmarks.backlog import CLOCK, FEW_GRAPHS, OPEN_GRAPHS, fill_file, spec_of_backlog
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import offline_engine, run_in_qt

BUDGET_S = 2.0


async def start_s(path: Path) -> float:
    """Start on a file and return after how many seconds the window has all its lists."""
    began = time.perf_counter()
    store = await SqliteStore.open(path, now=CLOCK.now)
    async with offline_engine(store, (spec_of_backlog(),)) as (engine, _jobs):
        approvals = await engine.queries.approvals()
        chats = await engine.queries.chats()
        await engine.directory.load()
        elapsed = time.perf_counter() - began
        assert len(approvals.rows) == len(chats.rows) > 0
    return elapsed


def measure(folder: Path, *, quick: bool) -> Result:
    repeats = 3 if quick else 7
    files = {graphs: folder / f"{graphs}.db" for graphs in (FEW_GRAPHS, OPEN_GRAPHS)}
    for graphs, path in files.items():
        fill_file(path, graphs)

    async def main(_app: Any) -> dict[int, list[float]]:
        times: dict[int, list[float]] = {graphs: [] for graphs in files}
        await start_s(files[FEW_GRAPHS])  # whatever is imported or cached is so for both
        for _ in range(repeats):
            for graphs, path in files.items():
                times[graphs].append(await start_s(path))
            await asyncio.sleep(0)
        return times

    times = run_in_qt(main)
    value, yardstick = statistics.median(times[OPEN_GRAPHS]), statistics.median(times[FEW_GRAPHS])
    note = f"worst of {repeats}: {max(times[OPEN_GRAPHS]):.2f} s"
    return Result("start_10k", value, "s", yardstick, f"<= {BUDGET_S:.0f} s", value <= BUDGET_S, note)
