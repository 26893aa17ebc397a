"""Bare Telethon clients with stored keys and a sandbox process, for the sandbox's own rows."""

from __future__ import annotations

import asyncio
import struct
import time
from binascii import crc32
from typing import Any

from telethon import TelegramClient
from telethon.crypto import AuthKey
from telethon.sessions import StringSession

from tests.benchmarks.stage import Sandbox

_STRANGERS_PACKET = bytes(range(1, 9)) + bytes(64)
"""A packet with an unknown key, which the server answers with −404."""


def new_client(sandbox: Sandbox, account: dict[str, Any]) -> TelegramClient:
    """Return a client whose session and key are in memory, so that the disk is not measured."""
    at = sandbox.description
    session = StringSession()
    session.set_dc(at["dc_id"], at["host"], at["telegram_port"])
    session.auth_key = AuthKey(bytes.fromhex(account["auth_key_hex"]))
    options = {"auto_reconnect": False, "connection_retries": 1, "request_retries": 1, "raise_last_call_error": True}
    return TelegramClient(session, 1, "sandbox", **options)


async def connect_ms(sandbox: Sandbox, account: dict[str, Any]) -> float:
    """Return the milliseconds until an account's client is connected and its first request answered."""
    client = new_client(sandbox, account)
    began = time.perf_counter()
    await client.connect()
    elapsed = (time.perf_counter() - began) * 1000
    await client.disconnect()
    return elapsed


async def bare_exchange_ms(sandbox: Sandbox) -> float:
    """Return the milliseconds for a TCP connection and one framed packet in each direction, without Telegram."""
    framed = struct.pack("<ii", len(_STRANGERS_PACKET) + 12, 0) + _STRANGERS_PACKET
    began = time.perf_counter()
    reader, writer = await asyncio.open_connection(sandbox.description["host"], sandbox.description["telegram_port"])
    writer.write(framed + struct.pack("<I", crc32(framed)))
    await reader.readexactly(16)
    elapsed = (time.perf_counter() - began) * 1000
    writer.close()
    await writer.wait_closed()
    return elapsed
