"""An engine on a real store, with a small Telegram, a scripted model and virtual time."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.agents import AgentSpec, Health
from chimein_gui.domain.approvals import Approval, Decision, Outcome
from chimein_gui.domain.events import AgentChanged, EngineEvent
from chimein_gui.domain.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.engine import Engine, Setup
from chimein_gui.engine.jobs import JobRunner
from tests.fakes.clock import VirtualClock
from tests.fakes.model import FakeModel
from tests.fakes.telegram import FakeTelegram

NORA = AgentSpec("Nora Vale", "+9996621001", "Be kind, {{char}}.", ("Person",), ("You chat with {{user}}.",))
QUICK = Preferences(debounce_s=0, undo_s=0, typing_base_s=0, typing_s_per_60=0)
WAIT_S = 10.0
"""Real seconds until a wait for an event counts as failed."""

_client_ids = itertools.count()


@dataclass
class Room:
    """What a test of the engine holds in its hands."""

    engine: Engine
    store: SqliteStore
    clock: VirtualClock
    telegram: FakeTelegram
    model: FakeModel
    jobs: JobRunner
    events: list[EngineEvent] = field(default_factory=list)
    _happened: asyncio.Event = field(default_factory=asyncio.Event)

    def record(self, event: EngineEvent) -> None:
        self.events.append(event)
        self._happened.set()

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition holds; it is looked at after every event."""
        async with asyncio.timeout(WAIT_S):
            while not condition():
                self._happened.clear()
                await self._happened.wait()

    async def approval(self, status: TaskStatus, text: str | None = None) -> Approval:
        """Wait for a planned send in a state, and return its newest snapshot."""

        def find() -> Approval | None:
            newest = {a.approval_id: a for event in self.events if (a := getattr(event, "approval", None))}
            fitting = [a for a in newest.values() if a.task_status is status and text in (None, a.text)]
            return fitting[-1] if fitting else None

        await self.until(find)
        found = find()
        assert found is not None
        return found

    async def decide(self, approval: Approval, decision: Decision, **changes: object) -> Outcome:
        arguments: dict[str, object] = {
            "expected_version": approval.version,
            "seen_up_to": approval.seen_up_to,
            "client_id": f"press {next(_client_ids)}",
            **changes,
        }
        return await self.engine.decide(approval.approval_id, decision=decision, **arguments)  # type: ignore[arg-type]


@asynccontextmanager
async def engine_room(
    folder: Path,
    *,
    telegram: FakeTelegram | None = None,
    clock: VirtualClock | None = None,
    model: FakeModel | None = None,
    preferences: Preferences = QUICK,
    online: bool = True,
) -> AsyncIterator[Room]:
    """Open a room in a folder; opening it again in the same folder is a restart."""
    clock = clock or VirtualClock()
    telegram = telegram or FakeTelegram(clock)
    model = model or FakeModel()
    store = await SqliteStore.open(folder / "chimein.db", now=clock.now)
    jobs = JobRunner()
    setup = Setup(store, telegram.factory, model, clock, jobs, preferences, (NORA,))
    engine = Engine(setup)
    room = Room(engine, store, clock, telegram, model, jobs)
    engine.subscribe(room.record)
    try:
        await engine.start()
        if online:
            await room.until(lambda: _health(room) is Health.ONLINE)
        yield room
    finally:
        await close(room)


async def close(room: Room) -> None:
    """End the room's program in order; calling it twice is harmless."""
    await room.engine.aclose()
    await room.jobs.aclose()
    await room.store.aclose()


def _health(room: Room) -> Health | None:
    changes = [event.agent.health for event in room.events if isinstance(event, AgentChanged)]
    return changes[-1] if changes else None
