"""The real clients, pointed at a sandbox."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from telethon import TelegramClient, errors, events, functions
from telethon.crypto import AuthKey
from telethon.sessions import SQLiteSession, StringSession

from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED, WorldSeed
from chimein_gui.sandbox.server import SandboxServer

NORA = DEFAULT_SEED.accounts[0].user_id
MARTA = DEFAULT_SEED.partners[0].user_id
NEWS = WorldSeed(DEFAULT_SEED.accounts, DEFAULT_SEED.partners, DEFAULT_SEED.contacts)
"""The default people without a past."""

PATIENCE_S = 60.0


@asynccontextmanager
async def sandbox(state_dir: Path | None = None, seed: WorldSeed = NEWS, **options) -> AsyncIterator[SandboxServer]:
    server = await SandboxServer.start(state_dir=state_dir, seed=seed, **options)
    try:
        yield server
    finally:
        await server.aclose()


def telethon_client(port: int, key: bytes, session=None, **options) -> TelegramClient:
    session = StringSession() if session is None else session
    session.set_dc(2, "127.0.0.1", port)
    session.auth_key = AuthKey(key)
    defaults = {
        "auto_reconnect": False,
        "flood_sleep_threshold": 0,
        "request_retries": 1,
        "connection_retries": 1,
        "raise_last_call_error": True,
        "catch_up": True,
    }
    return TelegramClient(session, 1, "x", **defaults | options)


@asynccontextmanager
async def client_of(server: SandboxServer, user_id: int, *, session=None, **options) -> AsyncIterator[TelegramClient]:
    client = telethon_client(server.addresses.telegram_port, server.auth_key_for(user_id), session, **options)
    await client.connect()
    try:
        yield client
    finally:
        await client.disconnect()


@asynccontextmanager
async def connected(described):
    client = telethon_client(described["telegram_port"], bytes.fromhex(described["accounts"][0]["auth_key_hex"]))
    await client.connect()
    try:
        yield client
    finally:
        await client.disconnect()


def kept_session(path: Path) -> SQLiteSession:
    return SQLiteSession(str(path))


async def peer_of(client: TelegramClient, username: str):
    """Resolve a partner as a fresh session must: by name."""
    return await client.get_input_entity(username)


async def marta_for(client: TelegramClient):
    return await peer_of(client, DEFAULT_SEED.partners[0].username)


async def nora_for(client: TelegramClient):
    return await peer_of(client, DEFAULT_SEED.accounts[0].username)


async def send(client: TelegramClient, peer, text: str, random_id: int = 0, **fields):
    request = functions.messages.SendMessageRequest(
        peer, text, random_id=random_id or None, clear_draft=False, **fields
    )
    return await client(request)


class Inbox:
    """Collects what a client hears."""

    def __init__(self, client: TelegramClient, event=None) -> None:
        self._heard: asyncio.Queue = asyncio.Queue()
        client.add_event_handler(self._heard.put, event or events.NewMessage())

    async def next(self):
        return await asyncio.wait_for(self._heard.get(), PATIENCE_S)

    async def next_of(self, kind: type):
        while not isinstance(heard := await self.next(), kind):
            pass
        return heard

    def is_empty(self) -> bool:
        return self._heard.empty()


async def round_trip(client: TelegramClient) -> None:
    """Wait until everything the server pushed before now has been handled."""
    await client(functions.updates.GetStateRequest())
    await asyncio.sleep(0)


CUT = r"WARNING telethon.*Server closed the connection"
GIVEN_UP = r"ERROR telethon.*Automatic reconnection failed"
"""What the client logs when its connection is cut."""


async def is_cut(client: TelegramClient) -> bool:
    """Wait for the end of a connection; tells whether it was cut."""
    gone = client.disconnected
    await asyncio.wait({gone}, timeout=5)
    return gone.done() and gone.exception() is not None


async def fails(call) -> bool:
    """Wait for a call; tells whether it was refused or lost."""
    try:
        await asyncio.wait_for(call, PATIENCE_S)
    except (ConnectionError, asyncio.IncompleteReadError, errors.RPCError):
        return True
    return False
