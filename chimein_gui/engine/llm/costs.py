"""The cost of today's model calls, by the operator's local day.

Functions that take a transaction run on the reader thread.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.spending.caps import NOBODY
from chimein_gui.domain.spending.days import day_around, day_begins

if TYPE_CHECKING:
    from datetime import date, tzinfo
    from pathlib import Path

    from chimein_gui.domain.costs import AgentDay, CostToday
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.domain.spending.sums import CostRow, PlanCosts
    from chimein_gui.engine.ports import Clock, Store, Transaction


MOST_LATENCIES = 101
"""How many answer times are kept for the median."""


class Costs:
    """Sums up booked calls for the window."""

    def __init__(self, store: Store, clock: Clock, zone: tzinfo | None = None) -> None:
        """Without a zone the day is that of the machine."""
        self._store, self._clock, self._zone = store, clock, zone

    async def today(self) -> CostToday:
        """Return the cost of the calls of the local day so far.

        Raises:
            StoreError: It could not be read.
        """
        began_at, ends_at = day_around(self._clock.now(), self._zone)

        def work(tx: Transaction) -> CostToday:
            today = tx.effects.cost_between(began_at, ends_at, latencies=MOST_LATENCIES)
            caps = tx.spending.day_of_caps(self._clock.now().astimezone(self._zone).date(), NOBODY)
            limit_usd = caps[0].limit_usd if caps else None
            return replace(today, limit_usd=limit_usd, revision=tx.revision)

        return await self._store.read(work)

    async def sums(self, first: date, last: date) -> tuple[CostRow, ...]:
        """Return what calls cost from the first to the last of some local days, oldest first.

        Raises:
            StoreError: They could not be read.
        """
        return await self._store.read(lambda tx: tx.spending.sums(first, last))

    async def plans(self, first: date, last: date) -> PlanCosts:
        """Return what single plans cost from the first to the last of some local days, as long as they are kept.

        Raises:
            StoreError: It could not be read.
        """
        since, until = day_begins(first, self._zone), day_begins(last + timedelta(days=1), self._zone)
        return await self._store.read(lambda tx: tx.traces.plan_costs(since, until))

    async def write(self, path: Path, text: str) -> None:
        """Write a table of costs into a file, on another thread.

        Raises:
            OSError: It can't be written.
        """
        await asyncio.to_thread(path.write_text, text, encoding="utf-8", newline="")

    async def agent_today(self, agent_id: AgentId) -> AgentDay:
        """Return an agent's activity on the local day so far.

        Raises:
            StoreError: It could not be read.
        """
        began_at, ends_at = day_around(self._clock.now(), self._zone)
        return await self._store.read(lambda tx: tx.effects.agent_between(agent_id, began_at, ends_at))
