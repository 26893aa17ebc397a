"""A product and a sandbox that can go and come back one without the other, and all that must be the same afterwards."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from telethon import TelegramClient, functions, types

from chimein_gui import app
from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.adapters.telegram.backend import sandbox_backend
from chimein_gui.adapters.telegram.transport.session import seed_session
from chimein_gui.directories import Directories
from chimein_gui.domain.agents import Agent, Health
from chimein_gui.domain.approvals import Approval, Approve, Verdict
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.engine import Engine
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.server import SandboxServer
from chimein_gui.sandbox_api import SandboxConsole
from chimein_gui.secret_sources import SANDBOX_KEY
from tests.sandbox.attachments import asset
from tests.sandbox.clients import MARTA, NORA, marta_for, nora_for, send, telethon_client

QUICK = Preferences(debounce_s=0.05, undo_s=0, typing_base_s=0, typing_s_per_60=0)
PATIENCE_S = 90.0
GROUP = "The jetty"
WAITS = {TaskStatus.AWAITING_DECISION}


@dataclass
class Place:
    """Where a sandbox is, and how to get in.

    Attributes:
        keys: Auth keys by user id.
    """

    port: int
    model_base_url: str
    keys: dict[int, bytes]
    console: SandboxConsole

    @asynccontextmanager
    async def device(self, user_id: int) -> AsyncIterator[TelegramClient]:
        """Connect a device of somebody's beside the product."""
        client = telethon_client(self.port, self.keys[user_id])
        await client.connect()
        try:
            yield client
        finally:
            await client.disconnect()


@dataclass
class Product:
    """A running engine with one agent, Nora."""

    engine: Engine
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def on_event(self, _event: object) -> None:
        """Look again at what is waited for."""
        self.changed.set()

    async def until(self, condition: Callable[[], Any]) -> Any:
        """Wait until an awaited condition holds; it is looked at after every event of the engine."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                self.changed.clear()
                if found := await condition():
                    return found
                await self.changed.wait()

    async def health(self, wanted: Health) -> None:
        """Wait until all accounts are as wanted."""

        async def is_so() -> bool:
            return {agent.health for agent in (await self.engine.directory.load()).rows} == {wanted}

        await self.until(is_so)

    async def heard(self, title: str, text: str) -> None:
        """Wait until a chat's newest message says this."""

        async def is_so() -> bool:
            chats = (await self.engine.queries.chats()).rows
            return any((chat.info.title, chat.last_text) == (title, text) for chat in chats)

        await self.until(is_so)

    async def draft(self, title: str) -> Approval:
        """Wait for the one draft of a chat that takes everything said there into account."""

        async def found() -> Approval | None:
            newest = {chat.chat_id: chat.newest_in_id for chat in (await self.engine.queries.chats()).rows}
            rows = [row for row in (await self.engine.queries.approvals()).rows if row.chat_title == title]
            is_there = len(rows) == 1 and rows[0].task_status in WAITS
            return rows[0] if is_there and rows[0].covers_up_to >= newest[rows[0].chat_id] else None

        approval: Approval = await self.until(found)
        return approval

    async def approved(self) -> list[Approval]:
        """Return what is about to leave."""
        rows = (await self.engine.queries.approvals()).rows
        return [row for row in rows if row.task_status is TaskStatus.APPROVED]

    async def approve(self, approval: Approval) -> None:
        """Approve, and wait until it has left."""
        outcome = await self.engine.decisions.decide(
            approval.approval_id,
            expected_version=approval.version,
            decision=Approve(),
            seen_up_to=approval.seen_up_to,
            client_id=f"operator {approval.approval_id}",
        )
        assert outcome.verdict is Verdict.ACCEPTED

        async def has_left() -> bool:
            rows = (await self.engine.queries.recent_decisions(limit=9)).rows
            return any(row.approval_id == approval.approval_id and row.message_id for row in rows)

        await self.until(has_left)

    async def state(self) -> dict[str, Any]:
        """Return what the product knows: chats with read marks, every message, every decision that is open."""
        chats = {chat.info.title: chat for chat in (await self.engine.queries.chats()).rows}
        told = {
            title: (await self.engine.transcripts.before(chat.chat_id, None, 100)).rows for title, chat in chats.items()
        }
        return {"chats": chats, "messages": told, "approvals": (await self.engine.queries.approvals()).rows}


def let_time_pass(folder: Path, seconds: float) -> None:
    """Set back all that the closed product has decided, as if it had been closed for so long."""
    (file,) = (folder / "state").rglob("chimein.db")
    with closing(sqlite3.connect(file)) as database, database:
        micros = round(seconds * 1e6)
        database.execute("UPDATE approvals SET due_at = due_at - ?, decided_at = decided_at - ?", (micros, micros))
        database.execute("UPDATE tasks SET due_at = due_at - ?", (micros,))


@asynccontextmanager
async def product(folder: Path, place: Place, preferences: Preferences = QUICK) -> AsyncIterator[Product]:
    """Run the product on its own state directory until Nora is online."""
    config, state = folder / "config", folder / "state"
    for name in ("agents/Nora Vale.md", "prompts"):
        source, target = resource_path("samples") / name, config / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    state.mkdir(exist_ok=True)

    def seed(_agent: Agent, session: Path) -> None:
        seed_session(session, dc_id=2, host="127.0.0.1", port=place.port, auth_key=place.keys[NORA])

    async with AsyncExitStack() as stack:
        directories = Directories((config,), state)
        gateways = app._gateways(directories, sandbox_backend, seed)
        model = GeminiModel(SANDBOX_KEY, base_url=place.model_base_url)
        running = await app.start_engine(directories, app.Backends(gateways, model, place.console), stack, preferences)
        made = Product(running.engine)
        stack.callback(running.engine.subscribe(made.on_event))
        await running.engine.start()
        await made.health(Health.ONLINE)
        yield made


async def live_a_little(place: Place, here: Product) -> None:
    """Let there be a group, media, read marks of both sides, an answer and a draft that waits."""
    async with place.device(MARTA) as marta, place.device(NORA) as phone:
        nora, her = await nora_for(marta), await marta_for(phone)
        invited = await marta(functions.messages.CreateChatRequest([nora], GROUP))
        group = types.InputPeerChat(invited.updates.chats[0].id)
        await send(marta, group, "The jetty has a hole again.")
        await marta.send_file(nora, asset("photos/lake.jpg"), caption="This hole.")
        await here.approve(await here.draft("Marta Oliveira"))
        await marta.send_read_acknowledge(nora)
        await phone.send_read_acknowledge(await phone.get_input_entity(group))
        await send(marta, nora, "Could you bring a plank?")
        await here.draft("Marta Oliveira")

        async def marks_are_in() -> bool:
            chats = {chat.info.title: chat for chat in (await here.engine.queries.chats()).rows}
            return bool(chats["Marta Oliveira"].partner_read_up_to) and chats[GROUP].unread == 0

        await here.until(marks_are_in)
        assert await phone.get_messages(her)


async def telegrams_view(place: Place) -> dict[str, Any]:
    """Return what devices of both sides are shown of all their chats, files included."""
    seen: dict[str, Any] = {}
    for user_id in (NORA, MARTA):
        async with place.device(user_id) as device:
            for dialog in await device.get_dialogs():
                raw = dialog.dialog
                marks = (raw.read_inbox_max_id, raw.read_outbox_max_id, raw.unread_count, raw.top_message)
                messages = await device.get_messages(dialog.input_entity, limit=100)
                files = [await device.download_media(one, bytes) for one in messages]
                told = [str(_lasting(one.to_dict())) for one in messages]
                seen[f"{user_id}: {dialog.name}"] = (marks, told, files)
    return seen


def _lasting(fields: Any) -> Any:
    """Leave out the file references: they are made anew whenever somebody looks."""
    if isinstance(fields, list):
        return [_lasting(one) for one in fields]
    if not isinstance(fields, dict):
        return fields
    return {name: _lasting(value) for name, value in fields.items() if name != "file_reference"}


def place_of(server: SandboxServer) -> Place:
    keys = {user_id: server.auth_key_for(user_id) for user_id in (NORA, MARTA)}
    return Place(server.addresses.telegram_port, server.addresses.model_base_url, keys, server.console)
