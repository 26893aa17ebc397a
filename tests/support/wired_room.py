"""An engine on a real store with the real Telegram client and the sandbox's server; virtual time, a scripted model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.domain.agents import Agent
from chimein_gui.domain.chats import Chat, TrustLevel
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.settings.setup import Setup
from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED, WorldSeed
from tests.support.engine_room import Room, engine_room
from tests.unit.adapters.telegram.support import MARTA, NORA, Stage, stage


class Wired:
    """An engine connected to a sandbox, with what partners do and receive there."""

    def __init__(self, room: Room, stage: Stage) -> None:
        self.room = room
        self.stage = stage

    async def marta_says(self, text: str) -> int:
        return await self.stage.server.console.speak(MARTA, NORA, text)

    async def chat(self) -> Chat:
        """Return the current state of Nora's chat with Marta."""
        rows = (await self.room.engine.queries.chats()).rows
        return next(chat for chat in rows if chat.info.peer_id == MARTA)

    async def trust(self, level: TrustLevel) -> None:
        await self.room.engine.chat_settings.set_trust((await self.chat()).chat_id, level)

    def statuses(self) -> dict[str, TaskStatus]:
        """Return the current state of every draft, by its text."""
        return {approval.text: approval.task_status for approval in self.room.approvals()}

    async def until(self, status: TaskStatus, *texts: str) -> None:
        """Wait until drafts are in a state."""
        await self.room.until(lambda: all(self.statuses().get(text) is status for text in texts))


@asynccontextmanager
async def wired_room(
    folder: Path, *, before: Callable[[Stage], Any] = lambda _stage: None, seed: WorldSeed = DEFAULT_SEED, **more: Any
) -> AsyncIterator[Wired]:
    """Start a sandbox and an engine; `before` is called with the sandbox first. `more` goes to the engine's set-up."""
    async with stage(folder, seed) as it:
        before(it)
        async with reopened(folder, it, **more) as wired:
            yield wired


@asynccontextmanager
async def reopened(folder: Path, it: Stage, **more: Any) -> AsyncIterator[Wired]:
    """Start only the engine, with a running sandbox: on the same folder it is a restart."""

    def gateway(_agent: Agent) -> TelethonGateway:
        return it.gateway()

    def adjust(setup: Setup) -> Setup:
        return replace(setup, gateways=gateway)

    async with engine_room(folder, adjust=adjust, **more) as room:
        yield Wired(room, it)
