"""chats_20k: 20,000 chats of 8 accounts in the real window: time to usable and per filter key, longest block at start.

The yardstick is the same with 100 chats.
"""

from __future__ import annotations

import asyncio
import gc
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.runtime import interpreter
from tests.benchmarks.audience import Lateness, painted_window
from tests.benchmarks.backlog import CLOCK
from tests.benchmarks.many_chats import fill_file, specs
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import offline_engine, run_in_qt

USABLE_S, KEY_MS, BLOCK_MS = 0.7, 33.0, 66.0
ACCOUNTS, MANY, FEW = 8, 20_000, 100
TYPED = "partner 012"
PATIENCE_S = 30.0


@dataclass
class Run:
    """The figures of one start."""

    usable_s: float
    key_ms: float
    block_ms: float


async def _start(path: Path, chats: int) -> Run:
    gc.collect()
    lateness = Lateness()
    async with painted_window() as (window, models):
        lateness.start()
        began = time.perf_counter()
        store = await SqliteStore.open(path, now=CLOCK.now)
        async with offline_engine(store, specs(ACCOUNTS)) as (engine, jobs):
            window.attach(engine, jobs.spawn)
            await _all_there(models, chats)
            tree: Any = window.pane("conversations").tree  # type: ignore[attr-defined]
            tree.viewport().repaint()
            usable_s = time.perf_counter() - began
            await asyncio.sleep(0.1)
            lateness.stop()
            keys = [_key_ms(models, tree, TYPED[:end]) for end in range(1, len(TYPED) + 1)]
            window.detach()
    return Run(usable_s, statistics.median(keys), max(lateness.late_ms))


async def _all_there(models: Any, chats: int) -> None:
    """Wait until all chats are in the model of the tree."""
    there = asyncio.Event()

    def look() -> None:
        if models.chats.totals()[1] >= chats:
            there.set()

    models.chats.feed.chats_changed.connect(look)
    look()
    async with asyncio.timeout(PATIENCE_S):
        await there.wait()
    models.chats.feed.chats_changed.disconnect(look)


def _key_ms(models: Any, tree: Any, typed: str) -> float:
    from chimein_gui.viewmodels.chats.show import Show

    began = time.perf_counter()
    models.chats.ask(Show.ALL, typed)
    tree.viewport().repaint()
    return 1000 * (time.perf_counter() - began)


def measure(folder: Path, *, quick: bool) -> Result:
    repeats = 1 if quick else 5
    files = {chats: folder / f"{chats}.db" for chats in (FEW, MANY)}
    for chats, path in files.items():
        fill_file(path, ACCOUNTS, chats)

    async def main(_app: Any) -> dict[int, list[Run]]:
        interpreter.freeze_heap()
        await _start(files[FEW], FEW)  # whatever is imported or cached is so for both
        runs: dict[int, list[Run]] = {chats: [] for chats in files}
        for _ in range(repeats):
            for chats, path in files.items():
                runs[chats].append(await _start(path, chats))
        return runs

    runs = run_in_qt(main)
    few, many = (_median(runs[chats]) for chats in (FEW, MANY))
    ok = many.usable_s <= USABLE_S and many.key_ms <= KEY_MS and many.block_ms <= BLOCK_MS
    note = f"a key {many.key_ms:.1f} ms (few: {few.key_ms:.1f}), block {many.block_ms:.0f} ms (few: {few.block_ms:.0f})"
    budget = f"<= {USABLE_S} s / {KEY_MS:.0f} ms / {BLOCK_MS:.0f} ms"
    return Result("chats_20k", many.usable_s, "s", few.usable_s, budget, ok, note)


def _median(runs: list[Run]) -> Run:
    return Run(
        statistics.median(run.usable_s for run in runs),
        statistics.median(run.key_ms for run in runs),
        statistics.median(run.block_ms for run in runs),
    )
