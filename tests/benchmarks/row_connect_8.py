"""connect_8: time until eight accounts with stored sessions are online, with their starts 0.1 s apart.

It is measured from the engine's start to the last account's health "online": connected, chats compared, ready to send.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.rows import Result
from tests.benchmarks.stage import Sandbox, engine_stage, run_in_qt, sandbox_process

BUDGET_S = 3.0


async def connected_s(sandbox: Sandbox, folder: Path) -> float:
    folder.mkdir()  # noqa: ASYNC240 - before the time is taken
    began = time.perf_counter()
    async with engine_stage(sandbox, folder):
        return time.perf_counter() - began


def measure(folder: Path, *, quick: bool) -> Result:
    repeats = 3 if quick else 9

    async def main(_app: Any) -> list[float]:
        with sandbox_process(folder) as sandbox:
            await connected_s(sandbox, folder / "first")  # chats are new here once: their history is fetched
            return [await connected_s(sandbox, folder / f"run-{number}") for number in range(repeats)]

    seconds = run_in_qt(main)
    value = statistics.median(seconds)
    note = f"worst of {repeats}: {max(seconds):.2f} s; opening the store is in it"
    return Result("connect_8", value, "s", 0.0, f"<= {BUDGET_S:.0f} s", value <= BUDGET_S, note)
