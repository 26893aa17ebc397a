"""log_follow: the Log pane follows 1,000 lines a second of all levels; longest time that the window is blocked."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chimein_gui import ui_driver as hand
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.reporting.log_lines import about
from chimein_gui.reporting.logs import start_logging, stop_logging
from chimein_gui.reporting.redaction import Redaction
from chimein_gui.ui.shell.warm_up import WarmUp
from chimein_gui.viewmodels.log.model import DROPPED, MOST
from tests.benchmarks.audience import Lateness, painted_window, percentile
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import run_in_qt
from tests.fakes.console import FakeConsole, agent, chat

A_SECOND, FRAME_MS = 1000, 33.0
PARTS = ("engine.planning.planner", "adapters.telegram.transport.client", "engine.sending.dispatch")


@dataclass
class Measured:
    """Milliseconds that the loop was late, and how many lines were shown."""

    late_ms: list[float] = field(default_factory=list)
    calm_ms: float = 0.0
    written: int = 0
    shown: int = 0


class _Writer(threading.Thread):
    """Logs at an even rate from another thread, as libraries and jobs do."""

    def __init__(self, seconds: float) -> None:
        super().__init__(name="log writer")
        self._count = round(seconds * A_SECOND)
        self.written = 0

    def run(self) -> None:
        began = time.perf_counter()
        for number in range(self._count):
            ahead = began + number / A_SECOND - time.perf_counter()
            if ahead > 0:
                time.sleep(ahead)
            level = logging.WARNING if number % 40 == 0 else logging.INFO
            with about(agent_id=1, chat_id=1, graph_id=number):
                logging.getLogger(f"chimein_gui.{PARTS[number % 3]}").log(
                    level, "Number %d: a request took %d ms", number, number % 97
                )
            self.written += 1


async def _run(seconds: float) -> Measured:
    found, console, jobs = Measured(), FakeConsole(), JobRunner()
    console.agents[1], console.chats[1] = agent(), chat()
    WarmUp._left = []  # what a start does beside has rows of its own
    async with painted_window() as (window, _models):
        window.attach(console, jobs.spawn)
        window.show_pane("log")
        pane: Any = window.pane("log")
        for number in range(MOST):  # the list is full, so that the oldest lines are dropped all the time
            logging.getLogger("chimein_gui.engine").info("Number %d of those before", number)
        await hand.until("a full list", lambda: pane.model.total >= MOST - DROPPED)
        calm = Lateness()
        calm.start()
        await asyncio.sleep(2)
        calm.stop()
        found.calm_ms = max(calm.late_ms)
        writer, late = _Writer(seconds), Lateness()
        writer.start()
        await asyncio.sleep(0.3)
        late.start()
        await hand.until("the last line", lambda: not writer.is_alive(), seconds + 30)
        late.stop()
        await asyncio.sleep(0.3)
        newest = pane.model.line_at(pane.model.rowCount() - 1)
        if f"Number {writer.written - 1}:" not in newest.text or not pane.list.follows:
            raise RuntimeError(f"it did not follow: {newest.text}")
        found.late_ms, found.written, found.shown = late.late_ms, writer.written, pane.model.rowCount()
    await jobs.aclose()
    return found


def measure(folder: Path, *, quick: bool) -> Result:
    start_logging(folder, Redaction().clean)
    terminal = [one for one in logging.getLogger().handlers if type(one) is logging.StreamHandler]
    for handler in terminal:
        handler.setLevel(logging.CRITICAL)
    try:

        async def main(_app: Any) -> Measured:
            return await _run(5 if quick else 20)

        found: Measured = run_in_qt(main)
    finally:
        stop_logging()
    longest = max(found.late_ms)
    note = f"p99 {percentile(found.late_ms, 0.99):.1f} ms; {found.written} lines written, {found.shown} shown"
    budget = f"longest frame <= {FRAME_MS:.0f} ms at {A_SECOND} lines/s"
    return Result("log_follow", longest, "ms", found.calm_ms, budget, longest <= FRAME_MS, note)
