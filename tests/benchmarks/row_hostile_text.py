"""hostile_text: the longest block of the loop while the hostile texts come into an open window, one by one."""

from __future__ import annotations

import asyncio
import statistics
from functools import partial
from pathlib import Path
from typing import Any

from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.program import first_paint
from tests.benchmarks.audience import TICK_MS, Lateness
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import run_in_qt
from tests.fakes.engine_api import NOON
from tests.panes.conftest import Desktop
from tests.support import hostile
from tests.support.furnished import fill, news

LONGEST_MS = 33.0
SEEN_S = 0.02
"""How long the loop is watched after each event: a frame and its effects."""


async def show(desktop: Desktop, name: str, body: str) -> None:
    """Show one text in every place, one event at a time, as the engine would."""
    api = desktop.api
    steps = list(news(desktop, name, body))
    steps += [partial(api.put_fault, "x", body, body)]
    steps += [partial(api.holds.put, Hold(HoldScope.ALL, 0, body, NOON))]
    steps += [partial(desktop.models.toasts.show, body, "Undo", lambda: None, detail=body)]
    for step in steps:
        step()
        await asyncio.sleep(SEEN_S)


async def watched(desktop: Desktop, texts: dict[str, str]) -> tuple[float, str]:
    """Return the longest block in ms, and the text that was shown then."""
    worst, culprit = 0.0, ""
    for what, text in texts.items():
        lateness = Lateness()
        lateness.start()
        await show(desktop, text, text)
        lateness.stop()
        late = max(lateness.late_ms) + TICK_MS
        if late > worst:
            worst, culprit = late, what
    return worst, culprit


def measure(folder: Path, *, quick: bool) -> Result:
    repeats = 1 if quick else 3

    async def main(_app: Any) -> list[tuple[tuple[float, str], tuple[float, str]]]:
        corpus = hostile.corpus(str(folder / "bait"))
        harmless = {str(number): hostile.HARMLESS for number in range(10)}
        runs = []
        for _ in range(repeats):
            desktop, jobs = Desktop(), JobRunner()
            fill(desktop, hostile.HARMLESS, "is the bridge open?")
            await first_paint(desktop.window)
            desktop.window.attach(desktop.api, jobs.spawn)
            for pane in ("conversations", "approvals", "agents"):
                desktop.window.show_pane(pane)
            desktop.conversations.open_chat(1)
            await asyncio.sleep(0.5)
            await watched(desktop, {"what is made when first needed": hostile.HARMLESS})
            yardstick = await watched(desktop, harmless)
            runs.append((yardstick, await watched(desktop, corpus)))
            desktop.window.detach()
            desktop.window.close_guard.force_close()
            desktop.window.deleteLater()
            await jobs.aclose()
        return runs

    runs = run_in_qt(main)
    value = statistics.median(hostile_ms for _, (hostile_ms, _) in runs)
    yardstick = statistics.median(harmless_ms for (harmless_ms, _), _ in runs)
    worst = max(run for _, run in runs)
    note = f"{len(hostile.corpus())} texts in every pane, {repeats} runs; worst {worst[0]:.0f} ms at “{worst[1]}”"
    return Result("hostile_text", value, "ms", yardstick, f"<= {LONGEST_MS:.0f} ms", value <= LONGEST_MS, note)
