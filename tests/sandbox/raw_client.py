"""A client that says exactly what a test wants it to say: MTProto by hand, on Telethon's encryption."""

import asyncio
import os
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256

from telethon.crypto import AES, AuthKey
from telethon.extensions import BinaryReader
from telethon.network.mtprotostate import MTProtoState
from telethon.tl import core

from chimein_gui.sandbox.timekeeping import wall_clock
from tests.sandbox.clients import PATIENCE_S


class RawClient:
    """One connection (intermediate transport) with one MTProto session."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, key: bytes) -> None:
        self.reader, self.writer = reader, writer
        self.key = AuthKey(key)
        self.session_id = int.from_bytes(os.urandom(8), "little", signed=True)
        self.salt = 0
        self.seen_salt = 0
        self._last_id = 0

    def message_id(self, age_s: float = 0) -> int:
        """Make a rising id, as a client whose clock is slow would."""
        now = wall_clock() - age_s
        fresh = (int(now) << 32) | (int((now % 1) * 1e9) << 2)
        self._last_id = max(fresh, self._last_id + 4) if not age_s else fresh
        return self._last_id & ~3

    def send(self, body, message_id: int = 0, sequence: int = 1) -> int:
        """Send one message; returns its id."""
        data = body if isinstance(body, bytes) else bytes(body)
        message_id = message_id or self.message_id()
        plain = struct.pack("<qqqii", self.salt, self.session_id, message_id, sequence, len(data)) + data
        plain += os.urandom(-(len(plain) + 12) % 16 + 12)
        state = MTProtoState(self.key, NoLoggers())
        message_key = sha256(self.key.key[88:120] + plain).digest()[8:24]
        sealed = AES.encrypt_ige(plain, *state._calc_key(self.key.key, message_key, True))
        self.send_packet(struct.pack("<Q", self.key.key_id) + message_key + sealed)
        return message_id

    def send_packet(self, packet: bytes) -> None:
        self.writer.write(struct.pack("<i", len(packet)) + packet)

    async def read_packet(self) -> bytes:
        async with asyncio.timeout(PATIENCE_S):
            (length,) = struct.unpack("<i", await self.reader.readexactly(4))
            return await self.reader.readexactly(length)

    async def read(self) -> list[tuple[int, int, object]]:
        """Return the messages of the next packet: (id, sequence number, object)."""
        packet = await self.read_packet()
        state = MTProtoState(self.key, NoLoggers())
        plain = AES.decrypt_ige(packet[24:], *state._calc_key(self.key.key, packet[8:24], False))
        self.seen_salt, session_id, message_id, sequence, length = struct.unpack("<qqqii", plain[:32])
        assert session_id == self.session_id
        found = BinaryReader(plain[32 : 32 + length]).tgread_object()
        if isinstance(found, core.MessageContainer):
            return [(one.msg_id, one.seq_no, one.obj) for one in found.messages]
        return [(message_id, sequence, found)]

    async def read_one(self, kind: type):
        """Return the first object of a kind among what comes next."""
        while True:
            for _, _, found in await self.read():
                if isinstance(found, kind):
                    return found

    async def is_closed(self) -> bool:
        async with asyncio.timeout(PATIENCE_S):
            try:
                return await self.reader.read() == b""
            except ConnectionResetError:
                return True

    async def aclose(self) -> None:
        self.writer.transport.abort()
        await asyncio.sleep(0)


@asynccontextmanager
async def raw_client(port: int, key: bytes) -> AsyncIterator[RawClient]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"\xee\xee\xee\xee")
    client = RawClient(reader, writer, key)
    try:
        yield client
    finally:
        await client.aclose()


def container(*messages: tuple[int, int, bytes]) -> bytes:
    """Pack (id, sequence number, body)."""
    parts = [struct.pack("<qii", mid, sequence, len(body)) + body for mid, sequence, body in messages]
    return struct.pack("<Ii", core.MessageContainer.CONSTRUCTOR_ID, len(parts)) + b"".join(parts)


def result(answer: core.RpcResult, request):
    """Read the body of an RpcResult as the request's answer."""
    assert answer.body is not None, answer.error
    return request.read_result(BinaryReader(answer.body))


class NoLoggers(dict):
    """Telethon's parts want a mapping of loggers."""

    def __missing__(self, key):
        return None
