"""The embedding of memories on a real store: an index, embedders and a job, on virtual time."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chimein_gui.domain.events import MemoryEmbeddingChanged
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.embedding import EmbedderChoice, Embedding, EmbeddingStatus
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.engine.core.commits import UnitOfWork
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.memory.vectors.embedders import MemoryEmbedders
from chimein_gui.engine.memory.vectors.job import VectorJob
from chimein_gui.engine.memory.vectors.queries import QueryVectors
from tests.fakes.embedder import FakeEmbedder, FakeLocalModels
from tests.fakes.vector_index import VectorIndex
from tests.support.decision_room import DecisionRoom, decision_room
from tests.support.virtual_time import WAIT_S

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from chimein_gui.domain.costs import Price
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId

GEMINI = EmbedderChoice(Embedding.GEMINI)
LOCAL = EmbedderChoice(Embedding.LOCAL, "/small")
CURATED = MemoryFile(MemoryKind.CURATED, "Nora", PeerId(77))
REMEMBERED = MemoryFile(MemoryKind.REMEMBERED, "Nora")
OF_BEN = MemoryFile(MemoryKind.REMEMBERED, "Ben")


@dataclass
class VectorRoom:
    """The objects of such a test; `choice` is what the operator has chosen."""

    room: DecisionRoom
    jobs: JobRunner
    agent_id: AgentId
    index: VectorIndex = field(default_factory=VectorIndex)
    gemini: FakeEmbedder = field(default_factory=FakeEmbedder)
    small: FakeEmbedder = field(default_factory=lambda: FakeEmbedder("small@1", 2, 4))
    choice: EmbedderChoice = field(default_factory=EmbedderChoice)
    prices: tuple[Price, ...] = ()
    job: VectorJob = field(init=False)
    queries: QueryVectors = field(init=False)
    _task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Make the job anew, as after a start of the program, and run it."""
        room = self.room
        unit = UnitOfWork(room.store, room.bus, room.clock)
        embedders = MemoryEmbedders(
            unit,
            room.clock,
            self.gemini,
            FakeLocalModels(small=self.small),
            {"Nora": self.agent_id}.get,
            lambda: self.prices,
        )
        self.job = VectorJob(self.index, embedders, unit, room.bus, room.clock, lambda: self.choice)
        self.queries = QueryVectors(self.job, embedders, room.clock)
        self._task = self.jobs.spawn(self.job.run(), name="embed memories")

    async def kill(self) -> None:
        """End the job as the end of the program does: nothing is told to it."""
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def choose(self, choice: EmbedderChoice) -> None:
        """Choose another embedder."""
        self.choice = choice
        self.job.again()

    async def until(self, condition: Callable[[EmbeddingStatus], bool]) -> EmbeddingStatus:
        """Wait until the job's status is so."""
        changed = asyncio.Event()

        def hear(_event: EngineEvent) -> None:
            changed.set()

        stop = self.room.bus.subscribe(hear, MemoryEmbeddingChanged)
        try:
            async with asyncio.timeout(WAIT_S):
                while not condition(self.job.status):
                    changed.clear()
                    await changed.wait()
        finally:
            stop()
        return self.job.status

    async def done(self, model: str) -> EmbeddingStatus:
        """Wait until all memories have a vector of a model, and that is in use."""
        return await self.until(
            lambda now: now.model == now.in_use == model and now.is_up_to_date and not now.is_running
        )


@asynccontextmanager
async def vector_room(tmp_path: Path) -> AsyncIterator[VectorRoom]:
    """Return a room in which the job does not run yet."""
    async with decision_room(tmp_path) as room:
        jobs = JobRunner()
        agent_id = await room.store.read(lambda tx: tx.chats.get(room.chat_id).agent_id)
        try:
            yield VectorRoom(room, jobs, agent_id)
        finally:
            await jobs.aclose()
