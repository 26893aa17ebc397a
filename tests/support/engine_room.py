"""An engine on a real store, with a fake Telegram, a scripted model and virtual time."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from chimein_gui.adapters.files.memory import MarkdownMemoryFiles
from chimein_gui.adapters.memory_index import SqliteMemoryIndex
from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.agents import AgentSpec, Health
from chimein_gui.domain.approvals import Approval, Approve, Decision, Outcome
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.context import LinkModel
from chimein_gui.domain.events import AgentChanged, ChatChanged, EngineEvent, MessageStored
from chimein_gui.domain.failpoints import Reach, pass_by
from chimein_gui.domain.messages import Message
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.engine import Engine
from chimein_gui.engine.ports import Durability, Transaction
from chimein_gui.engine.settings.setup import Setup
from tests.fakes.clock import VirtualClock
from tests.fakes.frames import FakeFrameRenderer
from tests.fakes.model import FakeModel
from tests.fakes.telegram import FakeTelegram
from tests.support.virtual_time import WAIT_S, OnVirtualTime

NORA = AgentSpec("Nora Vale", "+9996621001", "Be kind, {{char}}.", ("Person",), ("You chat with {{user}}.",))
QUICK = Preferences(debounce_s=0, undo_s=0, typing_base_s=0, typing_s_per_60=0)

T = TypeVar("T")

_client_ids = itertools.count()


@dataclass
class Room(OnVirtualTime):
    """The objects of a test of the engine."""

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
        """Wait until a condition holds; it is checked after every event."""
        async with asyncio.timeout(WAIT_S):
            while not condition():
                self._happened.clear()
                await self._happened.wait()

    async def approval(self, status: TaskStatus, text: str | None = None) -> Approval:
        """Wait for a planned send in a state, and return its newest snapshot."""
        await self.until(lambda: self.find(status, text))
        found = self.find(status, text)
        assert found is not None
        return found

    def find(self, status: TaskStatus, text: str | None = None) -> Approval | None:
        """Return the newest snapshot of a planned send in a state, or None."""
        fitting = [a for a in self.approvals() if a.task_status is status and text in (None, a.text)]
        return fitting[-1] if fitting else None

    def approvals(self) -> tuple[Approval, ...]:
        """Return the newest snapshots of all planned sends, oldest first."""
        return tuple({a.approval_id: a for e in self.events if (a := getattr(e, "approval", None))}.values())

    def newest(self, approval: Approval) -> Approval:
        """Return the newest snapshot of a planned send."""
        return next(a for a in self.approvals() if a.approval_id == approval.approval_id)

    def health(self) -> Health | None:
        """Return the account's health that was published last."""
        changes = [event.agent.health for event in self.events if isinstance(event, AgentChanged)]
        return changes[-1] if changes else None

    def are_online(self, number: int) -> bool:
        """Return whether so many accounts were published, each of them last as online."""
        shown = {e.agent.agent_id: e.agent.health for e in self.events if isinstance(e, AgentChanged)}
        return list(shown.values()) == [Health.ONLINE] * number

    async def stored(self, message: Message) -> None:
        """Wait until a message is stored exactly like this."""
        await self.until(lambda: any(isinstance(e, MessageStored) and e.message == message for e in self.events))

    async def chat(self, condition: Callable[[Chat], object]) -> Chat:
        """Wait for an event with a chat that meets a condition, and return that chat."""

        def find() -> list[Chat]:
            return [e.chat for e in self.events if isinstance(e, ChatChanged) and condition(e.chat)]

        await self.until(find)
        return find()[-1]

    async def transcript(self) -> list[str]:
        """Return the texts that are stored of the chat with the newest message, oldest first."""
        chat = (await self.engine.queries.chats()).rows[0]
        rows = (await self.engine.transcripts.before(chat.chat_id, None, 500)).rows
        return [message.text for message in rows]

    def before_each(self, method: str, step: Callable[[], Awaitable[None]]) -> None:
        """Run a function, which may wait or raise, before each transaction that a method of the engine begins."""
        real = self.store.transact

        async def transact(work: Callable[[Transaction], T], *, durability: Durability = Durability.NORMAL) -> T:
            if getattr(work, "__qualname__", "").startswith(f"{method}."):
                await step()
            return await real(work, durability=durability)

        self.store.transact = transact  # type: ignore[method-assign]

    def pull_the_plug(self) -> None:
        """End like a killed program from now on: an interrupted step stores nothing of the interruption."""
        self.store.submit = lambda *_work, **_options: None  # type: ignore[method-assign]

    async def drafted(self, words: str = "hello", text: str | None = None) -> Approval:
        """Let the partner write; return the draft that then waits for a decision."""
        self.telegram.partner_writes(words)
        return await self.approval(TaskStatus.AWAITING_DECISION, text)

    async def approved(self, words: str = "hello", text: str | None = None) -> Approval:
        """Let the partner write, and approve the answer; return the approval as it was published."""
        draft = await self.drafted(words, text)
        await self.decide(draft, Approve())
        return draft

    async def delivered(self, approval: Approval, text: str | None = None) -> Approval:
        """Approve a draft; return what was sent."""
        await self.decide(approval, Approve())
        return await self.approval(TaskStatus.DONE, text)

    async def send_off(self) -> Approval:
        """Let the partner write and approve the answer; return it once its send is in flight."""
        await self.approved()
        return await self.approval(TaskStatus.SENDING)

    async def decide(self, approval: Approval, decision: Decision, **changes: object) -> Outcome:
        arguments: dict[str, object] = {
            "expected_version": approval.version,
            "seen_up_to": approval.seen_up_to,
            "client_id": f"press {next(_client_ids)}",
            **changes,
        }
        return await self.engine.decisions.decide(approval.approval_id, decision=decision, **arguments)  # type: ignore[arg-type]


@asynccontextmanager
async def engine_room(
    folder: Path,
    *,
    telegram: FakeTelegram | None = None,
    model: FakeModel | None = None,
    preferences: Preferences = QUICK,
    agents: tuple[AgentSpec, ...] = (NORA,),
    reach: Reach = pass_by,
    online: bool = True,
    link_model: LinkModel | None = None,
    adjust: Callable[[Setup], Setup] = lambda setup: setup,
    **more: Any,
) -> AsyncIterator[Room]:
    """Start an engine on a folder; starting it again on the same folder is a restart. `more` goes into the setup."""
    telegram = telegram or FakeTelegram()
    clock = telegram.clock
    model = model or FakeModel()
    store = await SqliteStore.open(folder / "chimein.db", now=clock.now)
    jobs = JobRunner()
    memory, memory_index = MarkdownMemoryFiles(folder), SqliteMemoryIndex(folder / "memory_index.db")
    setup = Setup(
        store,
        telegram.factory,
        model,
        clock,
        jobs,
        preferences,
        agents,
        memory=memory,
        memory_index=memory_index,
        reach=reach,
        frames=FakeFrameRenderer(),
    )
    setup = replace(setup, link_model=link_model, **{"start_grace_s": 0.0, **more})
    engine = Engine(adjust(setup))
    room = Room(engine, store, clock, telegram, model, jobs)
    engine.subscribe(room.record)
    try:
        await engine.start()
        if online:
            await room.until(lambda: room.health() is Health.ONLINE)
        yield room
    finally:
        await close(room)
        await memory_index.close()


async def close(room: Room) -> None:
    """End the engine's program in order; a second call has no effect."""
    await room.engine.aclose()
    await room.jobs.aclose()
    await room.store.aclose()


async def stored(room: Room) -> list[tuple[str, bool]]:
    chat = (await room.engine.queries.chats()).rows[0]
    rows = (await room.engine.transcripts.before(chat.chat_id, None, 500)).rows
    return [(message.text, message.deleted) for message in rows]
