"""Logging in as a person does: clients that trust the server, without a key of their own."""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace

from telethon import TelegramClient
from telethon.crypto import rsa
from telethon.sessions import StringSession

from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED, WorldSeed
from chimein_gui.sandbox.server import SandboxServer
from tests.sandbox.clients import NEWS, NORA

PHONE = DEFAULT_SEED.accounts[0].phone
PASSWORD, HINT = "seven plums in a bowl", "fruit"
GUARDED: WorldSeed = replace(NEWS, accounts=(replace(NEWS.accounts[0], password=PASSWORD, password_hint=HINT),))
"""The default people; Nora has a second factor."""


@contextmanager
def trusted(server: SandboxServer) -> Iterator[None]:
    """Let the unmodified client know the server's key, as long as the test needs it."""
    before = dict(rsa._server_keys)
    rsa.add_key(server.telegram_public_key(), old=False)
    try:
        yield
    finally:
        rsa._server_keys.clear()
        rsa._server_keys.update(before)


def newcomer(server: SandboxServer, session: StringSession | None = None, **options) -> TelegramClient:
    """Make an unmodified client without a key."""
    session = StringSession() if session is None else session
    session.set_dc(2, "127.0.0.1", server.addresses.telegram_port)
    defaults = {"auto_reconnect": False, "flood_sleep_threshold": 0, "request_retries": 1, "connection_retries": 0}
    return TelegramClient(session, 1, "x", **defaults | options)


@asynccontextmanager
async def arriving(
    server: SandboxServer, session: StringSession | None = None, **options
) -> AsyncIterator[TelegramClient]:
    """Connect such a client; it exchanges a key unless the session has one."""
    session = StringSession() if session is None else session
    with trusted(server), short_keys_are_no_news():
        client = await connected(server, session, **options)
    try:
        yield client
    finally:
        await client.disconnect()


async def connected(server: SandboxServer, session: StringSession, **options) -> TelegramClient:
    """Connect; one exchanged key in 256 is too short, the server asks again, and Telethon gives up there."""
    for _ in range(3):
        client = newcomer(server, session, **options)
        try:
            await client.connect()
        except ConnectionError:
            continue
        return client
    raise AssertionError("three keys were too short in a row")


def sessions_of(server: SandboxServer, user_id: int = NORA) -> set[int]:
    """Return the ids of the keys by which clients are logged in as somebody."""
    return {one.key_id for one in server._around.world.keys.records_of(user_id) if one.used_at}


@contextmanager
def short_keys_are_no_news() -> Iterator[None]:
    log = logging.getLogger("telethon.network.mtprotosender")

    def is_news(record: logging.LogRecord) -> bool:
        return "DhGenRetry" not in record.getMessage()

    log.addFilter(is_news)
    try:
        yield
    finally:
        log.removeFilter(is_news)


async def log_in(client: TelegramClient, server: SandboxServer, phone: str = PHONE):
    """Log in by code; returns the user."""
    await client.send_code_request(phone)
    return await client.sign_in(phone, server.last_code(phone))


@asynccontextmanager
async def logged_in(
    server: SandboxServer, session: StringSession | None = None, **options
) -> AsyncIterator[TelegramClient]:
    async with arriving(server, session, **options) as client:
        await log_in(client, server)
        yield client
