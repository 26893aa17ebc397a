"""What model calls have cost today, the operator's day (SPEC §10, cost ledger)."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.costs import CostToday
from chimein_gui.domain.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date, tzinfo

    from chimein_gui.domain.costs import ModelCall
    from chimein_gui.engine.ports import Clock, Store


MOST_LATENCIES = 101
"""How many answer times are kept for the median."""


class Costs:
    """Sums up booked calls; implements `viewmodels.console_costs.CostsConsole`."""

    def __init__(self, store: Store, clock: Clock, zone: tzinfo | None = None) -> None:
        """Take note of whom to ask; without a zone the day is that of the machine."""
        self._store, self._clock, self._zone = store, clock, zone

    async def today(self) -> CostToday:
        """Return what the calls of the local day have cost so far.

        Raises:
            StoreError: It could not be read.
        """
        began_at, ends_at = day_around(self._clock.now(), self._zone)
        calls, revision = await self._store.read(lambda tx: (tx.effects.booked_since(began_at), tx.revision))
        return replace(summed(began_at, ends_at, (call for _, call in calls)), revision=revision)


def day_around(now: datetime, zone: tzinfo | None = None) -> tuple[datetime, datetime]:
    """Return when the local day of a moment begins and ends, aware UTC; a day may have 23 or 25 hours."""
    today = now.astimezone(zone).date()
    return _midnight(today, zone), _midnight(today + timedelta(days=1), zone)


def summed(began_at: datetime, ends_at: datetime, calls: Iterable[ModelCall]) -> CostToday:
    """Return the sum of the calls of one day."""
    usd, number, unpriced, latencies = 0.0, 0, 0, []
    for call in calls:
        if call.began_at < began_at or call.began_at >= ends_at:
            continue
        number += 1
        usd += call.cost_usd or 0.0
        unpriced += call.cost_usd is None
        if call.is_answer:
            latencies.append(call.latency_s)
    return CostToday(began_at, ends_at, usd, number, unpriced, tuple(latencies[-MOST_LATENCIES:]))


def _midnight(day: date, zone: tzinfo | None) -> datetime:
    # A naive time of day is taken as the machine's own by astimezone(); with a zone it is that zone's.
    return datetime.combine(day, time(), zone).astimezone(UTC)
