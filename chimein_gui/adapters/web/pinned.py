"""Connections for httpcore2 that go to one checked address, whatever the host's name resolves to by then."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterable
from typing import Any

import httpcore2

from chimein_gui.adapters.web.outside import HostPort


class PinnedBackend(httpcore2.AsyncNetworkBackend):
    """Connects to one place only; the host in a request decides about TLS alone."""

    def __init__(self, place: HostPort) -> None:
        """`place` is an address as a number, not a name, and a port."""
        self._place = place

    async def connect_tcp(
        self,
        host: str,  # noqa: ARG002 - the checked address counts
        port: int,  # noqa: ARG002
        timeout: float | None = None,  # noqa: ARG002, ASYNC109 - the whole fetch has one
        local_address: str | None = None,  # noqa: ARG002
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,  # noqa: ARG002
    ) -> httpcore2.AsyncNetworkStream:
        sock = socket.socket(socket.AF_INET6 if ":" in self._place[0] else socket.AF_INET, socket.SOCK_STREAM)
        try:
            sock.settimeout(0.0)
            # A number is never resolved.
            await asyncio.get_running_loop().sock_connect(sock, self._place)
            reader, writer = await asyncio.open_connection(sock=sock)
        except OSError as error:
            sock.close()
            raise httpcore2.ConnectError(str(error)) from error
        except BaseException:
            sock.close()
            raise
        return _Stream(reader, writer)


class _Stream(httpcore2.AsyncNetworkStream):
    """A connection over asyncio; cancelling a read or write leaves it to be closed."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002, ASYNC109
        try:
            return await self._reader.read(max_bytes)
        except (OSError, EOFError) as error:
            raise httpcore2.ReadError(str(error)) from error

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002, ASYNC109
        try:
            self._writer.write(buffer)
            await self._writer.drain()
        except OSError as error:
            raise httpcore2.WriteError(str(error)) from error

    async def aclose(self) -> None:
        # Nothing that is still to be said matters, and a hostile server could let an orderly end take for ever.
        self._writer.transport.abort()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002, ASYNC109
    ) -> httpcore2.AsyncNetworkStream:
        try:
            await self._writer.start_tls(ssl_context, server_hostname=server_hostname)
        except (OSError, EOFError, RuntimeError) as error:  # an SSLError is an OSError
            self._writer.transport.abort()
            raise httpcore2.ConnectError(str(error)) from error
        except BaseException:
            self._writer.transport.abort()
            raise
        return self

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - httpcore2's
        return self._writer.get_extra_info(info)
