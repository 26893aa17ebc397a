"""trace_100k: the slowest list, filter, search, count or opening in a store of 100,000 traces, and frames of its list.

The frames are those of the Traces pane: while the wheel turns, and while the scroll bar is dragged far.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.ids import AgentId, ChatId, GraphId
from chimein_gui.domain.traces.summaries import (
    EVERYTHING,
    Standings,
    TraceFilter,
    TraceGroup,
    TraceId,
    TraceKind,
    TraceState,
)
from chimein_gui.engine.core.commits import UnitOfWork
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.traces.reading import Traces
from chimein_gui.viewmodels.paging.window import KEPT_PAGES, PAGE_ROWS
from tests.benchmarks.audience import Lateness, painted_ms, painted_window, percentile
from tests.benchmarks.backlog import CLOCK, environment
from tests.benchmarks.many_traces import fill
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import run_in_qt
from tests.fakes.engine_api import FakeEngineApi, agent, chat
from tests.support.bridge import drain

COUNT = 100_000
BUDGET_MS, FRAME_MS = 100.0, 16.0
PAGE = 100
STEP_PX = 90
DRAGS = (0.5, 0.98, 0.2, 0.7, 0.01, 0.9, 0.35, 1.0, 0.0)
"""Places to which the scroll bar is dragged, as shares of the list."""

FILTERS = {
    "all": EVERYTHING,
    "agent": TraceFilter(agent_id=AgentId(1)),
    "chat": TraceFilter(chat_id=ChatId(7)),
    "needs you": TraceFilter(group=TraceGroup.NEEDS_YOU),
    "problems": TraceFilter(group=TraceGroup.PROBLEMS),
    "none": TraceFilter(states=frozenset({TraceState.UNKNOWN})),
    "slow": TraceFilter(slow=True),
    "expensive and edited": TraceFilter(expensive=True, edited=True),
    "rejected": TraceFilter(rejected=True),
    "what-if": TraceFilter(kind=TraceKind.DRY_RUN),
    "old": TraceFilter(until=CLOCK.now() - timedelta(minutes=COUNT - 50)),
    "frequent word": TraceFilter(words="ferry"),
    "two words": TraceFilter(words="heron lighth"),
    "rare word": TraceFilter(words="n77777x"),
    "absent word": TraceFilter(words="zebra"),
}

STANDINGS = Standings(frozenset(map(GraphId, range(1, 200))), frozenset({AgentId(1)}), frozenset({AgentId(2)}))
"""As many plans are postponed as anybody would postpone, and two accounts can't send."""


async def timed(work: Callable[[], Awaitable[Any]], repeats: int) -> float:
    """Return the median time in ms."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        await work()
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


@dataclass
class Measured:
    """Milliseconds of each kind."""

    reads: dict[str, float] = field(default_factory=dict)
    wheel: list[float] = field(default_factory=list)
    drag: list[float] = field(default_factory=list)
    there: list[float] = field(default_factory=list)
    opens: list[float] = field(default_factory=list)
    filters: list[float] = field(default_factory=list)
    late_ms: float = 0.0


async def _reads(traces: Traces, repeats: int) -> dict[str, float]:
    assert (await traces.count(EVERYTHING)).all == COUNT
    found = {}
    for name, wanted in FILTERS.items():
        found[f"list {name}"] = await timed(
            partial(traces.page, wanted, None, limit=PAGE, standings=STANDINGS), repeats
        )
        found[f"count {name}"] = await timed(partial(traces.count, wanted, STANDINGS), repeats)
    middle = TraceId(COUNT // 2)
    found["page in the middle"] = await timed(lambda: traces.page(EVERYTHING, middle, limit=PAGE), repeats)
    jump = partial(traces.page, EVERYTHING, None, limit=PAGE)
    found["jump to the end"] = await timed(lambda: jump(skip=COUNT - PAGE), repeats)
    found["open"] = await timed(lambda: traces.trace(middle), repeats)
    found["size"] = await timed(traces.size, repeats)
    return found


async def _windowed(traces: Traces, found: Measured, *, steps: int) -> None:
    """Scroll through the list of the Traces pane."""
    api, jobs = FakeEngineApi(), JobRunner()
    api.agents[1], api.chats[1] = agent(), chat()
    api.traces = traces  # type: ignore[assignment]
    async with painted_window() as (window, models):
        window.attach(api, jobs.spawn)
        window.show_pane("traces")
        pane: Any = window.pane("traces")
        view, rows = pane.side.list, pane.traces
        paint = QCoreApplication.sendPostedEvents
        await _until(pane, lambda: rows.rowCount() == COUNT)
        for wanted in (TraceFilter(slow=True), EVERYTHING) * 10:
            began = time.perf_counter()
            rows.choose(wanted)
            await _until(pane, lambda: rows.is_loaded)
            found.filters.append((time.perf_counter() - began) * 1000 + await painted_ms(lambda: None, paint))
        await _until(pane, lambda: rows.rowCount() == COUNT)
        for place in range(5):
            began = time.perf_counter()
            view.step(1 + place)
            await _until(pane, lambda: pane.model.trace is not None and pane.model.trace_id == view.current.trace_id)
            found.opens.append((time.perf_counter() - began) * 1000)
        bar, late = view.verticalScrollBar(), Lateness()
        late.start()
        for _ in range(steps):
            found.wheel.append(await painted_ms(partial(bar.setValue, bar.value() + STEP_PX), paint))
            await asyncio.sleep(0.016)
        for share in DRAGS * 4:
            from_value, to_value = bar.value(), round(bar.maximum() * share)
            for part in range(1, 21):
                value = from_value + (to_value - from_value) * part // 20
                found.drag.append(await painted_ms(partial(bar.setValue, value), paint))
                await asyncio.sleep(0.016)
            began = time.perf_counter()
            await _until(pane, lambda: rows.item_at(view.indexAt(view.viewport().rect().center()).row()) is not None)
            found.there.append((time.perf_counter() - began) * 1000)
        late.stop()
        found.late_ms = max(late.late_ms)
        assert len(rows.rows()) <= (KEPT_PAGES + 1) * PAGE_ROWS
        drain(models.bridge)
    await jobs.aclose()


async def _until(pane: Any, is_so: Callable[[], bool]) -> None:
    """Wait for something that the pane's models tell of."""
    happened = asyncio.Event()
    signals = (pane.traces.changed, pane.traces.dataChanged, pane.model.changed)
    for signal in signals:
        signal.connect(happened.set)
    while not is_so():
        happened.clear()
        await happened.wait()
    for signal in signals:
        signal.disconnect(happened.set)


async def _measured(_app: Any, *, folder: Path, repeats: int, steps: int) -> Measured:
    found = Measured()
    store = await fill(folder / "chimein.db", COUNT)

    async def nothing_waits() -> None:
        return

    traces = Traces(UnitOfWork(store, EventBus(), CLOCK), environment(), nothing_waits)
    found.reads = await _reads(traces, repeats)
    await _windowed(traces, found, steps=steps)
    await store.aclose()
    return found


def measure(folder: Path, *, quick: bool) -> Result:
    run = partial(_measured, folder=folder, repeats=3 if quick else 15, steps=100 if quick else 600)
    found: Measured = run_in_qt(run)
    reads = found.reads
    worst = max(reads, key=lambda name: reads[name])
    value, yardstick = reads[worst], reads["list all"]
    wheel, drag = percentile(found.wheel, 0.99), percentile(found.drag, 0.99)
    opened, filtered = statistics.median(found.opens), statistics.median(found.filters)
    ok = max(value, opened, filtered) <= BUDGET_MS and max(wheel, drag) <= FRAME_MS
    note = (
        f"slowest: {worst}; open {reads['open']:.1f} ms, a page {reads['list all']:.1f} ms; in the window open"
        f" {opened:.1f} ms, filter {filtered:.1f} ms; frame p99 {wheel:.1f} ms by wheel, {drag:.1f} ms by bar, after"
        f" which rows are there in {max(found.there):.0f} ms; longest block while scrolling {found.late_ms:.0f} ms;"
        f" {COUNT:,} traces"
    )
    budget = f"<= {BUDGET_MS:.0f} ms, frame p99 <= {FRAME_MS:.0f} ms"
    return Result("trace_100k", value, "ms", yardstick, budget, ok, note)
