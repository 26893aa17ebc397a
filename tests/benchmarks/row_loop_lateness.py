"""loop_lateness: lateness of a 5 ms timer during 1,000 messages; yardstick: a bare echo with an empty window."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from chimein_gui.domain.chats import TrustLevel
from tests.benchmarks.audience import Answered, Lateness, empty_window, median_of, say, watching
from tests.benchmarks.backlog import OPEN_GRAPHS
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import Sandbox, echoing, engine_stage, get_acquainted, run_in_qt, sandbox_process
from tests.support.control import ControlChannelConsole

A_SECOND = 50.0
SLACK_P99_MS = 8.0
SLACK_P999_MS = 33.0


async def echo_lateness(sandbox: Sandbox, folder: Path, count: int) -> list[float]:
    console = await ControlChannelConsole.from_port_file(sandbox.port_file)
    lateness = Lateness()
    async with echoing(sandbox, folder) as echo, empty_window():
        lateness.start()
        async with asyncio.TaskGroup() as group:
            group.create_task(say(console, sandbox.pairs(), count, A_SECOND))
            for _ in range(count):
                await echo.answered.get()
        lateness.stop()
    await console.aclose()
    return lateness.late_ms


async def engine_lateness(sandbox: Sandbox, folder: Path, count: int) -> list[float]:
    lateness = Lateness()
    async with engine_stage(sandbox, folder, backlog=OPEN_GRAPHS) as stage, watching(stage) as (window, _models):
        await get_acquainted(stage, sandbox.pairs(), TrustLevel.AUTO)
        chat = (await stage.engine.queries.chats()).rows[0]
        window.pane("conversations").open_chat(chat.chat_id)  # type: ignore[attr-defined]
        lateness.start()
        async with asyncio.TaskGroup() as group:
            group.create_task(say(stage.console, sandbox.pairs(), count, A_SECOND))
            answered = Answered(count)
            while not answered.all():
                answered.take(await stage.events.get())
        lateness.stop()
    return lateness.late_ms


def measure(folder: Path, *, quick: bool) -> Result:
    count, repeats = (300, 1) if quick else (1000, 5)

    async def main(_app: Any) -> tuple[list[list[float]], list[list[float]]]:
        echoes, engines = [], []
        for repeat in range(repeats):
            with sandbox_process(folder) as sandbox:
                echoes.append(await echo_lateness(sandbox, folder / f"echo{repeat}", count))
            with sandbox_process(folder) as sandbox:
                engines.append(await engine_lateness(sandbox, folder / f"engine{repeat}", count))
        return echoes, engines

    echoes, engines = run_in_qt(main)

    p99, yard99 = median_of(engines, 0.99), median_of(echoes, 0.99)
    p999, yard999 = median_of(engines, 0.999), median_of(echoes, 0.999)
    ok = p99 <= yard99 + SLACK_P99_MS and p999 <= yard999 + SLACK_P999_MS
    note = f"p99; p99.9 {p999:.1f} ms, yardstick {yard999:.1f} ms; {count} messages at {A_SECOND:.0f}/s, {repeats} runs"
    budget = f"p99 <= yardstick + {SLACK_P99_MS:.0f} ms, p99.9 <= yardstick + {SLACK_P999_MS:.0f} ms"
    return Result("loop_lateness", p99, "ms", yard99, budget, ok, note)
