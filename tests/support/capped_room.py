"""A planning room whose calls pass the gate of the caps."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chimein_gui.domain.ids import ChatId
from chimein_gui.domain.prompt.prompts import ModelReply, Usage
from chimein_gui.domain.spending.caps import EVERYTHING, CapDay, CapKey
from chimein_gui.engine.llm.calls import ModelCalls, ModelRouter
from chimein_gui.engine.llm.spend_gate import SpendGate
from chimein_gui.engine.planning.planner import Planner
from chimein_gui.engine.planning.variants import Variants
from chimein_gui.engine.spending.caps import Caps
from tests.support.planning_room import PlanningRoom, planning_room

CENT = Usage(prompt_tokens=20_000, reply_tokens=1_600)
"""At the price of gemini-2.5-flash this is one cent."""


@dataclass
class CappedRoom:
    """The objects of a test of caps."""

    room: PlanningRoom
    gate: SpendGate
    caps: Caps

    async def cap(self, usd: float, key: CapKey = EVERYTHING) -> None:
        await self.caps.set_cap(key, usd)

    async def standing(self, key: CapKey = EVERYTHING) -> CapDay:
        return next(one for one in await self.caps.standings() if one.key == key)

    def answers(self, number: int, usage: Usage = CENT) -> None:
        """Let the model give so many answers, each of which costs a cent."""
        self.room.model.script.extend(ModelReply("# «send»\nhello", usage) for _ in range(number))

    async def plan_of(self, chat_id: ChatId) -> None:
        await self.room.planner.plan(chat_id)


@asynccontextmanager
async def capped_room(folder: Path, **levers: Any) -> AsyncIterator[CappedRoom]:
    """Open a planning room with a gate; no cap is set."""
    async with planning_room(folder, **levers) as room:
        base = room.room
        gate = SpendGate(base.unit, base.bus, base.clock)
        calls = ModelCalls(ModelRouter(room.model), base.clock, gate=gate)
        room.services = replace(room.services, calls=calls)
        room.planner, room.variants = Planner(room.services), Variants(room.services)
        caps = Caps(base.unit, base.bus, base.clock, room.jobs.spawn, gate, room.services.on_due)
        await gate.load()
        yield CappedRoom(room, gate, caps)
