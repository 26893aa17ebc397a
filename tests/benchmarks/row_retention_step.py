"""retention_step: longest block of the loop while old traces are deleted; yardstick: an idle loop."""

from __future__ import annotations

import asyncio
import statistics
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from chimein_gui.engine.library.retention import KEPT, MOST_TRACES, Retention
from tests.benchmarks.audience import Lateness
from tests.benchmarks.backlog import CLOCK
from tests.benchmarks.many_traces import fill
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import run_in_qt

BUDGET_MS = 10.0
STEPS = 40


async def _steps(path: Path) -> tuple[float, float, float]:
    """Return the longest block in ms, the median duration of a step in ms, and the seconds of all."""
    store = await fill(path, STEPS * MOST_TRACES, age=KEPT + timedelta(days=1))
    retention, lateness, took = Retention(store, CLOCK, lambda: True), Lateness(), list[float]()
    lateness.start()
    began = time.perf_counter()
    while True:
        step = time.perf_counter()
        if not await retention._forget_some():
            break
        took.append(1000 * (time.perf_counter() - step))
    whole = time.perf_counter() - began
    lateness.stop()
    assert (await store.read(lambda tx: tx.traces.sizes())).traces == 0
    await store.aclose()
    return max(lateness.late_ms), statistics.median(took), whole


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
            late, step, whole = await _steps(folder / f"{repeat}.db")
            found.append((late, step, await _idle(whole)))
        return found

    found = run_in_qt(run)
    value, step, idle = (statistics.median(one[place] for one in found) for place in range(3))
    note = f"{STEPS} steps of {MOST_TRACES} traces, {step:.1f} ms each on the writer's thread"
    return Result("retention_step", value, "ms", idle, f"<= {BUDGET_MS:.0f} ms", value <= BUDGET_MS, note)
