"""Small real proxies on this machine: SOCKS5, HTTP CONNECT and MTProxy, with their typical failures."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import socket
import struct
from dataclasses import replace
from typing import Any, Self

from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR

from chimein_gui.domain.accounts.proxies import Proxy, ProxyKind

Reader = asyncio.StreamReader
Writer = asyncio.StreamWriter
_PADDED = b"\xdd\xdd\xdd\xdd"


class LoopbackProxy:
    """A listening proxy; records its connections, and closes all of them at its end.

    Attributes:
        passed: The target of each connection.
        login: The (user, password) that it requires, or None.
        is_silent: It accepts connections and sends nothing.
    """

    kind: ProxyKind

    def __init__(self, login: tuple[str, str] | None = None) -> None:
        self.login = login
        self.passed: list[tuple[str, int]] = []
        self.is_silent = False
        self.port = 0
        self._server: asyncio.Server | None = None
        self._writers: list[Writer] = []
        self._running: list[asyncio.Task[Any]] = []
        self._ended = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *exc: object) -> None:
        assert self._server is not None
        self._server.close()
        self._ended.set()
        for writer in self._writers:
            writer.transport.abort()
        if self._running:
            await asyncio.wait(self._running)

    def proxy(self, **changes: Any) -> Proxy:
        """Return its address as the operator would type it."""
        return replace(Proxy(self.kind, "127.0.0.1", self.port), **changes)

    async def greet(self, reader: Reader, writer: Writer) -> tuple[str, int] | None:
        """Do the protocol's handshake; returns the target, or None if the client was refused."""
        raise NotImplementedError

    async def relay(self, reader: Reader, writer: Writer, up_reader: Reader, up_writer: Writer) -> None:
        """Forward the bytes in both directions."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.pump(reader, up_writer))
            group.create_task(self.pump(up_reader, writer))

    async def pump(self, reader: Reader, writer: Writer, change: Any = bytes) -> None:
        """Forward the bytes in one direction."""
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(change(data))
                await writer.drain()
        writer.transport.abort()

    async def _serve(self, reader: Reader, writer: Writer) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._running.append(task)
        self._writers.append(writer)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            if self.is_silent:
                await self._ended.wait()
            elif (where := await self.greet(reader, writer)) is not None:
                self.passed.append(where)
                up_reader, up_writer = await asyncio.open_connection(*where)
                self._writers.append(up_writer)
                await self.relay(reader, writer, up_reader, up_writer)
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


class Socks5(LoopbackProxy):
    """SOCKS5, RFC 1928 and 1929; `answer` is its reply to CONNECT."""

    kind = ProxyKind.SOCKS5

    def __init__(self, login: tuple[str, str] | None = None, answer: int = 0) -> None:
        super().__init__(login)
        self.answer = answer

    async def greet(self, reader: Reader, writer: Writer) -> tuple[str, int] | None:
        version, count = await reader.readexactly(2)
        if version != 5:
            return None
        offered = await reader.readexactly(count)
        wanted = 2 if self.login else 0
        if wanted not in offered:
            writer.write(b"\x05\xff")
            return None
        writer.write(bytes((5, wanted)))
        if self.login and not await self._is_known(reader, writer):
            return None
        _, command, _, kind = await reader.readexactly(4)
        assert (command, kind) == (1, 1), "a numeric IPv4 address is asked for"
        host = socket.inet_ntoa(await reader.readexactly(4))
        (port,) = struct.unpack(">H", await reader.readexactly(2))
        writer.write(bytes((5, self.answer, 0, 1)) + bytes(6))
        return None if self.answer else (host, port)

    async def _is_known(self, reader: Reader, writer: Writer) -> bool:
        _, length = await reader.readexactly(2)
        name = await reader.readexactly(length)
        (length,) = await reader.readexactly(1)
        known = (name.decode(), (await reader.readexactly(length)).decode()) == self.login
        writer.write(b"\x01\x00" if known else b"\x01\x01")
        return known


class HttpConnect(LoopbackProxy):
    """HTTP CONNECT; `status` is its reply to authorised clients."""

    kind = ProxyKind.HTTP

    def __init__(self, login: tuple[str, str] | None = None, status: int = 200) -> None:
        super().__init__(login)
        self.status = status

    async def greet(self, reader: Reader, writer: Writer) -> tuple[str, int] | None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        method, where, _ = head.split("\r\n")[0].split(" ")
        assert method == "CONNECT"
        status = self.status if self._is_known(head) else 407
        writer.write(f"HTTP/1.1 {status} Because\r\n\r\n".encode())
        host, _, port = where.rpartition(":")
        return (host, int(port)) if status == 200 else None

    def _is_known(self, head: str) -> bool:
        if self.login is None:
            return True
        shown = base64.b64encode(":".join(self.login).encode()).decode()
        return f"proxy-authorization: basic {shown}".lower() in head.lower()


class MtProxy(LoopbackProxy):
    """An MTProxy as described at core.telegram.org/mtproto/mtproto-transports: obfuscated keys mixed with the secret.

    It closes connections with another secret, and forwards to `server` in the padded transport.
    """

    kind = ProxyKind.MTPROXY

    def __init__(self, server: tuple[str, int], secret: str) -> None:
        super().__init__()
        self._to = server
        self._secret = bytes.fromhex(secret)
        self._theirs: CipherContext
        self._ours: CipherContext
        self.dc_ids: list[int] = []

    async def greet(self, reader: Reader, writer: Writer) -> tuple[str, int] | None:
        header = await reader.readexactly(64)
        self._theirs = self._cipher(header[8:56])
        self._ours = self._cipher(header[8:56][::-1])
        plain = self._theirs.update(header)
        if plain[56:60] != _PADDED:
            return None
        self.dc_ids.append(struct.unpack("<h", plain[60:62])[0])
        return self._to

    async def relay(self, reader: Reader, writer: Writer, up_reader: Reader, up_writer: Writer) -> None:
        up_writer.write(_PADDED)
        async with asyncio.TaskGroup() as group:
            group.create_task(self.pump(reader, up_writer, self._theirs.update))
            group.create_task(self.pump(up_reader, writer, self._ours.update))

    def _cipher(self, secrets: bytes) -> CipherContext:
        key = hashlib.sha256(secrets[:32] + self._secret).digest()
        return Cipher(AES(key), CTR(secrets[32:])).encryptor()
