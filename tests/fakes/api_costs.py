"""The cost ledger of the small engine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.costs import DRY_RUN, AgentDay, CallEnd, CostToday, ModelCall
from chimein_gui.domain.events import CapsChanged, ModelCallBooked
from chimein_gui.domain.ids import AgentId, ChatId, Revision
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.spending.caps import STEP_USD, CapDay, CapKey, Release
from chimein_gui.domain.spending.days import day_around
from chimein_gui.domain.spending.sums import PlanCosts

if TYPE_CHECKING:
    from datetime import date, datetime
    from pathlib import Path

    from chimein_gui.domain.spending.sums import CostRow
    from tests.fakes.engine_api import FakeEngineApi


class FakeCosts:
    """Booked calls; a test adds them."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self.calls: list[ModelCall] = []
        self.limit_usd: float | None = None
        self.days: dict[int, AgentDay] = {}
        self.asked: list[AgentId] = []
        self.rows: list[CostRow] = []
        self.of_plans = PlanCosts()
        self.asked_days: list[tuple[date, date]] = []
        self.caps: dict[CapKey, CapDay] = {}
        self.answers: list[tuple[CapKey, Release, float]] = []

    async def today(self) -> CostToday:
        return replace(
            self._summed(*day_around(self._api.now())),
            limit_usd=self.limit_usd,
            revision=Revision(self._api.revision),
        )

    async def sums(self, first: date, last: date) -> tuple[CostRow, ...]:
        return tuple(row for row in self.rows if first <= row.day <= last)

    async def plans(self, first: date, last: date) -> PlanCosts:
        self.asked_days.append((first, last))
        return self.of_plans

    async def write(self, path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8", newline="")  # noqa: ASYNC240 - the fake waits for nothing

    async def agent_today(self, agent_id: AgentId) -> AgentDay:
        self.asked.append(agent_id)
        return self.days.get(agent_id, AgentDay())

    async def standings(self) -> tuple[CapDay, ...]:
        return tuple(self.caps.values())

    async def set_cap(self, key: CapKey, usd: float | None) -> float | None:
        before = self.caps.get(key)
        if usd is None:
            self.caps.pop(key, None)
        else:
            self.caps[key] = replace(before, usd=usd) if before is not None else CapDay(key, usd)
        self._caps_changed()
        return None if before is None else before.usd

    async def release(self, key: CapKey, answer: Release, usd: float = STEP_USD) -> None:
        self.answers.append((key, answer, usd))
        cap = self.caps.get(key)
        if cap is not None and answer is Release.ADD:
            self.caps[key] = replace(cap, added_usd=cap.added_usd + usd)
        self._caps_changed()

    def put_cap(self, cap: CapDay) -> None:
        """Set the standing of a cap, and publish it."""
        self.caps[cap.key] = cap
        self._caps_changed()

    def _caps_changed(self) -> None:
        self._api.revision += 1
        self._api.publish(CapsChanged(Revision(self._api.revision)))

    def _summed(self, began_at: datetime, ends_at: datetime) -> CostToday:
        today = [call for call in self.calls if began_at <= call.began_at < ends_at]
        usd, unpriced = sum(call.cost_usd or 0.0 for call in today), sum(call.cost_usd is None for call in today)
        answered = tuple(call.latency_s for call in today if call.is_answer)
        dry_runs_usd = sum(call.cost_usd or 0.0 for call in today if call.purpose == DRY_RUN)
        return CostToday(began_at, ends_at, usd, len(today), unpriced, answered, dry_runs_usd)

    def book(self, usd: float | None, latency_s: float = 2.0, *, at: datetime | None = None) -> None:
        """Book a call, and publish it."""
        began_at = at or self._api.now()
        call = ModelCall("gemini-2.5-flash", "plan", began_at, latency_s, CallEnd.ANSWERED, Usage(), cost_usd=usd)
        self.take(call)

    def take(self, call: ModelCall) -> None:
        """Book a call as it is, and publish it."""
        self.calls.append(call)
        self._api.revision += 1
        self._api.publish(ModelCallBooked(ChatId(1), call, Revision(self._api.revision)))
