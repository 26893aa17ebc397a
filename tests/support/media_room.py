"""A set-up for tests of descriptions: a chain over real files, on virtual time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from chimein_gui.adapters.files.media.records import MediaRecordFiles
from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from chimein_gui.domain.media.records import MediaRecord
from chimein_gui.domain.messages import Media, MessageKey
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.media.budget import PER_TICK, DescriptionBudget
from chimein_gui.engine.media.chain import MediaChain
from chimein_gui.engine.media.sources import MediaItem
from tests.fakes.clock import VirtualClock
from tests.fakes.describer import FakeDescriber

ACCOUNT, CHAT = AccountId(1), PeerId(66)
TICK_S = 2.0

T = TypeVar("T")


@dataclass
class MediaRoom:
    """A chain and what it is made of."""

    folder: Path
    clock: VirtualClock
    jobs: JobRunner
    budget: DescriptionBudget
    records: MediaRecordFiles
    describer: FakeDescriber
    chain: MediaChain
    bus: EventBus
    running: set[asyncio.Task[None]]
    per_tick: int = PER_TICK

    @property
    def cache(self) -> Path:
        return self.folder / "state" / "media"

    def put(self, folder: Path, unique_id: str, **values: object) -> None:
        """Write a file of a description."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{unique_id}.json").write_text(json.dumps(values), "utf-8")

    def tick(self) -> None:
        """Let a tick of the scheduler pass."""
        self.clock.advance(TICK_S)
        self.budget.expect_round(TICK_S)

    def spend(self) -> None:
        """Spend the rest of the budget."""
        while self.budget.take() is not None:
            pass

    def begin(self, job: Coroutine[Any, Any, T]) -> asyncio.Future[T]:
        """Start something; its result is waited for later."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        async def run() -> None:
            future.set_result(await job)

        self.spawn(run(), name="begun by the test")
        return future

    def spawn(self, job: Coroutine[Any, Any, None], *, name: str) -> object:
        """Start a job, as the engine does."""
        task = self.jobs.spawn(job, name=name)
        self.running.add(task)
        task.add_done_callback(self.running.discard)
        return task

    async def worked_off(self) -> None:
        """Wait until nothing runs any more."""
        while self.running:
            await asyncio.wait(self.running)

    async def get(self, item: MediaItem, agent_name: str = "Nora") -> MediaRecord:
        """Ask the chain, which must have an answer."""
        record = await self.chain.get(item, agent_name)
        assert record is not None
        return record


def sticker(number: int, *, set_name: str = "", mime_type: str = "image/webp", at: datetime | None = None) -> MediaItem:
    """Return a sticker in a message; that of a higher number is newer."""
    media = Media(number, mime_type, emoji="🦦", set_name=set_name)
    sent_at = at or VirtualClock().now() + timedelta(seconds=number)
    key = MessageKey(ACCOUNT, CHAT, MessageId(number))
    return MediaItem(str(number), "sticker", media, ACCOUNT, key, sent_at, "🦦")


@asynccontextmanager
async def media_room(folder: Path, *config: Path) -> AsyncGenerator[MediaRoom, None]:
    """Open a chain over config directories, by default `first` and `second`, and a state directory, in one folder."""
    clock, jobs = VirtualClock(), JobRunner()
    records = MediaRecordFiles(folder / "state", config or (folder / "first", folder / "second"))
    budget, describer = DescriptionBudget(clock.now, lambda: room.per_tick), FakeDescriber()
    running: set[asyncio.Task[None]] = set()

    def spawn(job: Coroutine[Any, Any, None], *, name: str) -> object:
        return room.spawn(job, name=name)

    bus = EventBus()
    chain = MediaChain(records, budget, clock, spawn, describer, bus)
    room = MediaRoom(folder, clock, jobs, budget, records, describer, chain, bus, running)
    try:
        yield room
    finally:
        await jobs.aclose()
