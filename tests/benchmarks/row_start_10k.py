"""start_10k: from the file to everything the window asks first, with 10,000 open graphs; yardstick: with 10."""

from __future__ import annotations

import asyncio
import statistics
import time
from pathlib import Path
from typing import Any

from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.agents import Agent
from chimein_gui.domain.errors import LoggedOutError
from chimein_gui.engine.engine import Engine, Setup
from chimein_gui.engine.jobs import JobRunner
from chimein_gui.engine.ports import TelegramGateway
from tests.benchmarks.backlog import AT_ONCE, CLOCK, FEW_GRAPHS, OPEN_GRAPHS, fill_file, spec_of_backlog
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import run_in_qt

BUDGET_S = 2.0


def _nobody(_agent: Agent) -> TelegramGateway:
    raise LoggedOutError("There is no session")


async def start_s(path: Path) -> float:
    """Start on a file and return after how many seconds all lists of the window are there."""
    jobs = JobRunner()
    model = GeminiModel("sandbox", base_url="http://127.0.0.1:9")
    began = time.perf_counter()
    store = await SqliteStore.open(path, now=CLOCK.now)
    engine = Engine(Setup(store, _nobody, model, CLOCK, jobs, AT_ONCE, (spec_of_backlog(),)))
    await engine.start()
    approvals = await engine.load_approvals()
    chats = await engine.load_chats()
    await engine.load_agents()
    elapsed = time.perf_counter() - began
    assert len(approvals.rows) == len(chats.rows) > 0
    await engine.aclose()
    await jobs.aclose()
    await model.aclose()
    await store.aclose()
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
