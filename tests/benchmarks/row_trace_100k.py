"""trace_100k: the slowest list, filter, search, count or opening of a trace in a store of 100,000."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from chimein_gui.domain.ids import AgentId, ChatId
from chimein_gui.domain.traces.summaries import EVERYTHING, PROBLEMS, TraceFilter, TraceId, TraceKind, TraceState
from chimein_gui.engine.core.commits import UnitOfWork
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.traces.reading import Traces
from tests.benchmarks.backlog import CLOCK, environment
from tests.benchmarks.many_traces import fill
from tests.benchmarks.rows import Result

COUNT = 100_000
BUDGET_MS = 100.0
PAGE = 100

FILTERS = {
    "all": EVERYTHING,
    "agent": TraceFilter(agent_id=AgentId(1)),
    "chat": TraceFilter(chat_id=ChatId(7)),
    "failed": TraceFilter(states=PROBLEMS),
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


async def timed(work: Callable[[], Awaitable[Any]], repeats: int) -> float:
    """Return the median time in ms."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        await work()
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


async def _measured(folder: Path, repeats: int) -> dict[str, float]:
    store = await fill(folder / "chimein.db", COUNT)

    async def nothing_waits() -> None:
        return

    traces = Traces(UnitOfWork(store, EventBus(), CLOCK), environment(), nothing_waits)
    assert (await traces.count(EVERYTHING)).all == COUNT
    found = {}
    for name, wanted in FILTERS.items():
        found[f"list {name}"] = await timed(partial(traces.page, wanted, None, limit=PAGE), repeats)
        found[f"count {name}"] = await timed(partial(traces.count, wanted), repeats)
    middle = TraceId(COUNT // 2)
    found["page in the middle"] = await timed(lambda: traces.page(EVERYTHING, middle, limit=PAGE), repeats)
    found["open"] = await timed(lambda: traces.trace(middle), repeats)
    found["size"] = await timed(traces.size, repeats)
    await store.aclose()
    return found


def measure(folder: Path, *, quick: bool) -> Result:
    found = asyncio.run(_measured(folder, 3 if quick else 15))
    worst = max(found, key=lambda name: found[name])
    value, yardstick = found[worst], found["list all"]
    note = f"slowest: {worst}; open {found['open']:.1f} ms, a page {found['list all']:.1f} ms; {COUNT:,} traces"
    return Result("trace_100k", value, "ms", yardstick, f"<= {BUDGET_MS:.0f} ms", value <= BUDGET_MS, note)
