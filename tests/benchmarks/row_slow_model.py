"""slow_model: delay of drafts while another chat's model call takes 10 s; yardstick: without such a call."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.events import ApprovalRequested, EngineEvent
from chimein_gui.domain.messages import Message
from tests.benchmarks.audience import arrivals_told, median_of, say
from tests.benchmarks.backlog import OPEN_GRAPHS
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import Stage, engine_stage, get_acquainted, run_in_qt, sandbox_process

BUDGET_MS = 50.0
SLOW_S = 10.0
A_SECOND = 20.0
SLOW_WORD = "take your time"

Pair = tuple[int, int]


class Arrivals:
    """Measures the time from each message's arrival to its draft, including the model's time."""

    def __init__(self, stage: Stage) -> None:
        self._arrived: dict[Pair, float] = {}
        self.late_ms: list[float] = []
        self._stop = stage.engine.subscribe(self.hear)

    def arrive(self, message: Message) -> None:
        if not message.out and SLOW_WORD not in message.text:
            self._arrived[message.key.account_id, message.key.peer_id] = time.perf_counter()

    def hear(self, event: EngineEvent) -> None:
        if isinstance(event, ApprovalRequested):
            self._drafted(event.approval)

    def _drafted(self, approval: Approval) -> None:
        arrived = self._arrived.pop((approval.account_id, approval.peer_id), None)
        if arrived is not None:
            self.late_ms.append((time.perf_counter() - arrived) * 1000)

    def end(self) -> None:
        self._stop()


async def round_ms(stage: Stage, pairs: list[Pair], count: int, *, slow: bool) -> list[float]:
    """Let all partners but the last write; with `slow`, a model call for the last one runs meanwhile."""
    partner, account = pairs[-1]
    if slow:
        await stage.console.speak(partner, account, SLOW_WORD)
        await stage.model.slow_began.wait()
    arrivals = Arrivals(stage)
    with arrivals_told(arrivals.arrive):
        await say(stage.console, pairs[:-1], count, A_SECOND)
        while len(arrivals.late_ms) < count:
            await stage.events.get()
    arrivals.end()
    if slow:
        assert not stage.model.slow_over.is_set(), "the slow call was over before the round"
        await stage.model.slow_over.wait()
        stage.model.slow_began.clear()
        stage.model.slow_over.clear()
    return arrivals.late_ms


def measure(folder: Path, *, quick: bool) -> Result:
    # The 99th percentile of 60 messages is the worst one; the median of rounds removes a single slow disk flush.
    count, repeats = (60, 3) if quick else (150, 3)

    async def main(_app: Any) -> tuple[list[list[float]], list[list[float]]]:
        with sandbox_process(folder) as sandbox:
            async with engine_stage(sandbox, folder / "engine", backlog=OPEN_GRAPHS) as stage:
                await get_acquainted(stage, sandbox.pairs(), TrustLevel.REVIEW)
                stage.model.slow_word, stage.model.slow_s = SLOW_WORD, SLOW_S
                await round_ms(stage, sandbox.pairs(), 30, slow=False)
                alone, beside = [], []
                for _ in range(repeats):
                    alone.append(await round_ms(stage, sandbox.pairs(), count, slow=False))
                    beside.append(await round_ms(stage, sandbox.pairs(), count, slow=True))
                return alone, beside

    alone, beside = run_in_qt(main)

    value, yardstick = median_of(beside, 0.99), median_of(alone, 0.99)
    note = (
        f"p99 from arrival to draft; median {median_of(beside, 0.5):.1f} ms, yardstick {median_of(alone, 0.5):.1f} ms;"
        f" {repeats} rounds of {count} messages, {OPEN_GRAPHS:,} open graphs"
    )
    budget = f"<= yardstick + {BUDGET_MS:.0f} ms"
    return Result("slow_model", value, "ms", yardstick, budget, value <= yardstick + BUDGET_MS, note)
