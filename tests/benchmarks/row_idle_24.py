"""idle_24: CPU load of a process with 24 accounts online while nothing happens; yardstick: with its window hidden."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.audience import watching
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import engine_stage, run_in_qt, sandbox_process

ACCOUNTS = 24
BUDGET_PERCENT = 1.0
AT_REST_S = 30.0
"""Seconds after the start that are not measured, because of work such as search indexing."""


async def _burnt_percent(seconds: float) -> float:
    """Return the CPU load of this process over so many seconds, in percent of a core."""
    cpu, began = time.process_time(), time.perf_counter()
    await asyncio.sleep(seconds)
    return 100 * (time.process_time() - cpu) / (time.perf_counter() - began)


def measure(folder: Path, *, quick: bool) -> Result:
    at_rest_s, seconds = (3.0, 5.0) if quick else (AT_REST_S, 60.0)
    with sandbox_process(folder, ACCOUNTS) as sandbox:

        async def main(_app: Any) -> tuple[float, float]:
            async with engine_stage(sandbox, folder) as stage, watching(stage) as (window, _models):
                await asyncio.sleep(at_rest_s)
                shown = await _burnt_percent(seconds)
                window.hide()
                await asyncio.sleep(1)
                hidden = await _burnt_percent(seconds)
                window.show()  # at the end, `watching` asks whether all panes were in sight
                await asyncio.sleep(1)
                return shown, hidden

        value, yardstick = run_in_qt(main)
    note = f"{ACCOUNTS} accounts online, all panes open, {seconds:.0f} s"
    ok = value <= BUDGET_PERCENT
    return Result("idle_24", value, "% of a core", yardstick, f"<= {BUDGET_PERCENT:.0f} %", ok, note)
