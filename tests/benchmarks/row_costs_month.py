"""costs_month: what the Costs pane reads for a month of 100,000 calls, and groups for its bars and its table."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import time
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.spending.sums import Grouping, days_by, sums_by
from chimein_gui.engine.llm.costs import Costs
from chimein_gui.engine.ports import Transaction
from tests.benchmarks.backlog import CLOCK
from tests.benchmarks.million import people
from tests.benchmarks.rows import Result

BUDGET_MS = 100.0
CALLS, CHATS, DAYS = 100_000, 60, 30
PURPOSES = ("plan", "plan", "plan", "tool round", "repair", "descriptions", "memories")
PORTION = 5_000


async def compare(folder: Path, rounds: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds of our reads, and of sums over the calls themselves."""
    path = folder / "chimein.db"
    store = await SqliteStore.open(path, now=CLOCK.now)
    chats = await store.transact(lambda tx: people(tx, CHATS))
    now, usage = CLOCK.now(), Usage(9_000, 120, 60, 4_000)

    def fill(tx: Transaction, first: int) -> None:
        for number in range(first, first + PORTION):
            at = now - timedelta(days=number % DAYS, seconds=number // DAYS)
            call = ModelCall("gemini-2.5-flash", PURPOSES[number % 7], at, 2.0, CallEnd.ANSWERED, usage, cost_usd=0.003)
            tx.effects.book(chats[number * 31 % CHATS][0], call)

    for first in range(0, CALLS, PORTION):
        await store.transact(lambda tx, first=first: fill(tx, first))  # type: ignore[misc]
    costs, last = Costs(store, CLOCK), now.astimezone().date()
    ours, hands = list[float](), list[float]()
    with closing(sqlite3.connect(path)) as connection:
        for _ in range(rounds):
            began = time.perf_counter()
            rows = await costs.sums(last - timedelta(days=DAYS), last)
            for grouping in Grouping:
                sums_by(rows, grouping)
                days_by(rows, grouping)
            ours.append((time.perf_counter() - began) * 1000)
            assert sum(row.calls for row in rows) == CALLS
            began = time.perf_counter()
            by_hand = "SELECT chat_id, purpose, model, sum(cost_usd) FROM model_calls GROUP BY 1, 2, 3"
            assert connection.execute(by_hand).fetchall()
            hands.append((time.perf_counter() - began) * 1000)
    await store.aclose()
    return ours, hands


def measure(folder: Path, *, quick: bool) -> Result:
    ours, hands = asyncio.run(compare(folder, 5 if quick else 30))
    value, yardstick = max(ours), statistics.median(hands)
    note = f"slowest of {len(ours)} reads of {CALLS:,} calls of {DAYS} days, with all four groupings"
    return Result("costs_month", value, "ms", yardstick, "<= 100 ms", value <= BUDGET_MS, note)
