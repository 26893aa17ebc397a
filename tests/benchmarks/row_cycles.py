"""cycles: cycles of message → plan → automatic approval → sent, per second; yardstick: a bare Telethon echo."""

from __future__ import annotations

import asyncio
import statistics
import time
from pathlib import Path
from typing import Any

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.events import EngineEvent, TaskStatusChanged
from chimein_gui.domain.tasks import TaskStatus
from tests.benchmarks.backlog import OPEN_GRAPHS
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import Sandbox, Stage, echoing, engine_stage, get_acquainted, run_in_qt, sandbox_process
from tests.support.control import ControlChannelConsole

BUDGET_A_SECOND = 100
BUDGET_RATIO = 1 / 8


async def echo_rate(sandbox: Sandbox, folder: Path, rounds: int) -> float:
    """Return the rate of the echo, where each partner writes again as soon as it is answered."""
    console = await ControlChannelConsole.from_port_file(sandbox.port_file)
    pairs = sandbox.pairs()
    total = rounds * len(pairs)
    async with echoing(sandbox, folder) as echo:
        began = time.perf_counter()
        await console.speak_many([(partner, account, "ping 0") for partner, account in pairs])
        for answered in range(1, total + 1):
            partner, account = await echo.answered.get()
            if answered <= total - len(pairs):
                await console.speak(partner, account, f"ping {answered}")
        rate = total / (time.perf_counter() - began)
    await console.aclose()
    return rate


async def engine_rate(stage: Stage, pairs: list[tuple[int, int]], rounds: int) -> float:
    """Return the rate of the same closed loop with plans that a rule approves."""
    await get_acquainted(stage, pairs, TrustLevel.AUTO)
    stage.stop_events()  # the echo has no queue of everything that happens, either
    return await closed_loop(stage, pairs, rounds)


async def closed_loop(stage: Stage, pairs: list[tuple[int, int]], rounds: int) -> float:
    """Return the rate of cycles between people who know each other."""
    total, sent = rounds * len(pairs), asyncio.Queue[Approval]()

    def look(event: EngineEvent) -> None:
        # Like the echo, the loop below is woken once per answer; waking it for every event costs more than a claim.
        if isinstance(event, TaskStatusChanged) and event.approval.task_status is TaskStatus.DONE:
            sent.put_nowait(event.approval)

    stop = stage.engine.bus.subscribe(look, TaskStatusChanged)
    began = time.perf_counter()
    await stage.console.speak_many([(partner, account, "ping 0") for partner, account in pairs])
    for done in range(1, total + 1):
        approval = await sent.get()
        if done <= total - len(pairs):
            await stage.console.speak(int(approval.peer_id), int(approval.account_id), f"ping {done}")
    stop()
    return total / (time.perf_counter() - began)


def measure(folder: Path, *, quick: bool) -> Result:
    rounds, repeats = (4, 1) if quick else (10, 3)

    async def main(_app: Any) -> tuple[list[float], list[float]]:
        echoes, engines = [], []
        for repeat in range(repeats):
            with sandbox_process(folder) as sandbox:
                echoes.append(await echo_rate(sandbox, folder / f"echo{repeat}", rounds))
            with sandbox_process(folder) as sandbox:
                async with engine_stage(sandbox, folder / f"engine{repeat}", backlog=OPEN_GRAPHS) as stage:
                    engines.append(await engine_rate(stage, sandbox.pairs(), rounds))
        return echoes, engines

    echoes, engines = run_in_qt(main)
    echo, engine = statistics.median(echoes), statistics.median(engines)
    ok = engine >= BUDGET_A_SECOND and engine >= BUDGET_RATIO * echo
    budget = f">= {BUDGET_A_SECOND}/s and >= 1/8 of the yardstick"
    return Result("cycles", engine, "/s", echo, budget, ok, f"8 accounts, 64 chats, {repeats} runs")
