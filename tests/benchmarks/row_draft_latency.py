"""draft_latency: from the end of the quiet window (0 here) to the draft on screen, without the model's time.

The yardstick is the bare Telethon echo through the same sandbox, from the handler's call to the answer's receipt.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.events import ApprovalRequested
from chimein_gui.domain.messages import Message
from tests.benchmarks.audience import arrivals_told, percentile, say, watching
from tests.benchmarks.backlog import OPEN_GRAPHS
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import Sandbox, echoing, engine_stage, get_acquainted, run_in_qt, sandbox_process
from tests.support.control import ControlChannelConsole

A_SECOND = 20.0
P50_MS = 40.0
P99_MS = 150.0

Chat = tuple[int, int]


class StopWatch:
    """Records when each message arrives and when each draft appears."""

    def __init__(self, model_s: dict[str, float]) -> None:
        self._model_s = model_s
        self._arrived: dict[Chat, tuple[float, str]] = {}
        self.latencies_ms: list[float] = []

    def arrive(self, message: Message) -> None:
        if not message.out:
            self._arrived[message.key.account_id, message.key.peer_id] = (time.perf_counter(), message.text)

    def batch(self, events: tuple[object, ...]) -> None:
        """Record the drafts whose rows the models have now; they are painted before the next turn of the loop."""
        shown = [event.approval for event in events if isinstance(event, ApprovalRequested)]
        if shown:
            QTimer.singleShot(0, lambda: self._painted(shown))

    def _painted(self, shown: list[Approval]) -> None:
        now = time.perf_counter()
        for approval in shown:
            arrived = self._arrived.pop((approval.account_id, approval.peer_id), None)
            if arrived is not None:
                self.latencies_ms.append((now - arrived[0] - self._model_s.get(arrived[1], 0.0)) * 1000)


async def echo_latencies_ms(sandbox: Sandbox, folder: Path, count: int) -> list[float]:
    console = await ControlChannelConsole.from_port_file(sandbox.port_file)
    async with echoing(sandbox, folder) as echo:
        async with asyncio.TaskGroup() as group:
            group.create_task(say(console, sandbox.pairs(), count, A_SECOND))
            for _ in range(count):
                await echo.answered.get()
        latencies = [seconds * 1000 for seconds in echo.latencies_s]
    await console.aclose()
    return latencies


async def draft_latencies_ms(sandbox: Sandbox, folder: Path, count: int) -> list[float]:
    async with engine_stage(sandbox, folder, backlog=OPEN_GRAPHS) as stage, watching(stage) as (_window, models):
        await get_acquainted(stage, sandbox.pairs(), TrustLevel.REVIEW)
        watch = StopWatch(stage.model.spent_s)
        models.bridge.batch_ready.connect(watch.batch)
        with arrivals_told(watch.arrive):
            await say(stage.console, sandbox.pairs(), count, A_SECOND)
            while len(watch.latencies_ms) < count:
                await stage.events.get()
                await asyncio.sleep(0.005)
        return watch.latencies_ms


def measure(folder: Path, *, quick: bool) -> Result:
    count = 100 if quick else 600

    async def main(_app: Any) -> tuple[list[float], list[float]]:
        with sandbox_process(folder) as sandbox:
            echoes = await echo_latencies_ms(sandbox, folder / "echo", count)
        with sandbox_process(folder) as sandbox:
            (folder / "engine").mkdir()
            return echoes, await draft_latencies_ms(sandbox, folder / "engine", count)

    echoes, drafts = run_in_qt(main)
    p50, p99 = percentile(drafts, 0.5), percentile(drafts, 0.99)
    note = (
        f"p50; p99 {p99:.1f} ms, yardstick p99 {percentile(echoes, 0.99):.1f} ms; {count} messages at {A_SECOND:.0f}/s"
    )
    ok = p50 <= P50_MS and p99 <= P99_MS
    budget = f"p50 <= {P50_MS:.0f} ms, p99 <= {P99_MS:.0f} ms"
    return Result("draft_latency", p50, "ms", percentile(echoes, 0.5), budget, ok, note)
