"""sync_60: time of the queries of 60 accounts before they connect, 20,000 chats; yardstick: 8 accounts, 2,000 chats."""

from __future__ import annotations

import asyncio
import statistics
import time
from pathlib import Path

from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.engine.accounts.sync import Sync
from chimein_gui.engine.core.commits import UnitOfWork
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.ingest.ingest import Ingest
from tests.benchmarks.backlog import CLOCK, environment
from tests.benchmarks.many_chats import account, fill_file
from tests.benchmarks.rows import Result

BUDGET_S = 1.5
MANY, FEW = (60, 20_000), (8, 2_000)


async def asked_s(path: Path, accounts: int, repeats: int) -> float:
    """Let all accounts query at once; return the median of the seconds until all have their answers."""
    store, jobs, bus = await SqliteStore.open(path, now=CLOCK.now), JobRunner(), EventBus()
    unit = UnitOfWork(store, bus, CLOCK)
    ingest = Ingest(unit, bus, CLOCK, jobs.spawn, environment(), lambda _chat_id, _at, _plan: None)
    sync = Sync(unit, ingest)
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        known = await asyncio.gather(*(sync.newest_stored(account(number)) for number in range(accounts)))
        times.append(time.perf_counter() - began)
        assert all(known)
    await jobs.aclose()
    await store.aclose()
    return statistics.median(times)


def measure(folder: Path, *, quick: bool) -> Result:
    repeats = 3 if quick else 7
    found = []
    for accounts, chats in (MANY, FEW):
        path = folder / f"{chats}.db"
        fill_file(path, accounts, chats)
        found.append(asyncio.run(asked_s(path, accounts, repeats)))
    value, yardstick = found
    note = f"{1000 * value / MANY[0]:.1f} ms an account"
    return Result("sync_60", value, "s", yardstick, f"<= {BUDGET_S} s", value <= BUDGET_S, note)
