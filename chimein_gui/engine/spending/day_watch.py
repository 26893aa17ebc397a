"""Looks whether the operator's day is another one: then what a cap had stopped may go on.

docs/behaviour.md, "Caps on costs".
"""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import StoreError
from chimein_gui.engine.llm.spend_gate import local_day

if TYPE_CHECKING:
    from datetime import date, datetime

    from chimein_gui.engine.llm.spend_gate import SpendGate
    from chimein_gui.engine.ports import Clock, Spawn
    from chimein_gui.engine.spending.caps import Caps

LOOK_S = 1.0
"""The day is looked at so often at most."""


class DayWatch:
    """Begins a day when it is another one: after midnight, or a change of the clock or the zone."""

    def __init__(self, clock: Clock, spawn: Spawn, gate: SpendGate, caps: Caps) -> None:
        self._clock, self._spawn, self._gate, self._caps = clock, spawn, gate, caps
        self._looked_at: datetime | None = None
        self._day: date | None = None

    def look(self, _within_s: float = 0.0) -> None:
        """Look; called with each round of the scheduler. The first look lets those go that an earlier run has left."""
        now = self._clock.now()
        if self._looked_at is not None and timedelta(0) <= now - self._looked_at < timedelta(seconds=LOOK_S):
            return
        self._looked_at = now
        if hasattr(time, "tzset"):
            time.tzset()  # else a running program never hears of another zone
        day, before = local_day(now), self._day
        self._day = day
        if day != before and self._gate.has_caps:
            self._spawn(self._begin(), name="plans that waited for another day")

    async def _begin(self) -> None:
        try:
            await self._caps.begin_day()
        except StoreError:
            self._day = None  # look again soon
