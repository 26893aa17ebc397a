"""Sockets for httpcore2 straight from asyncio's streams.

httpcore2's own backend stands on anyio, whose bookkeeping (time-out scopes, typed attributes of every idle connection)
costs a fifth of a whole plan. This is httpcore2's public extension point; pool, HTTP and TLS rules stay the library's.
"""

from __future__ import annotations

import asyncio
import contextlib
import select
import socket
import ssl
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

import httpcore2
import httpx2

FIRST_TRY_S = 1.0
"""How long each address of a host is tried before the next one; only then any is waited for patiently."""

FRESH_S = 1.0
"""How long the socket of a connection that was used, or looked at, is not looked at again. The pool asks all idle ones
at every call and every answer, ten system calls a plan; meanwhile the loop itself notices when a server hangs up."""


_Address = tuple[socket.AddressFamily, socket.SocketKind, int, str, Any]


@contextlib.contextmanager
def _translated(timed_out: type[Exception], failed: type[Exception]) -> Iterator[None]:
    """Turn asyncio's errors into the ones httpcore2 promises."""
    try:
        yield
    except TimeoutError as error:
        raise timed_out(str(error)) from error
    except (OSError, EOFError, RuntimeError) as error:
        raise failed(str(error)) from error


class LoopStream(httpcore2.AsyncNetworkStream):
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take over a connected pair."""
        self._reader = reader
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self._fresh_until = 0.0

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - httpcore2's signature
        """Return what is there, up to `max_bytes`; nothing at the end."""
        with _translated(httpcore2.ReadTimeout, httpcore2.ReadError):
            async with asyncio.timeout(timeout):
                data = await self._reader.read(max_bytes)
        self._fresh_until = self._loop.time() + FRESH_S
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 - httpcore2's signature
        """Write all of `buffer`."""
        with _translated(httpcore2.WriteTimeout, httpcore2.WriteError):
            self._writer.write(buffer)
            if not self._writer.is_closing() and not self._writer.transport.get_write_buffer_size():
                return  # the rule: it has left already, and there is nothing to wait for
            async with asyncio.timeout(timeout):
                await self._writer.drain()

    async def aclose(self) -> None:
        """Close; what the other side makes of it does not matter any more."""
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore2's signature
    ) -> httpcore2.AsyncNetworkStream:
        """Go on encrypted, on the same connection."""
        with _translated(httpcore2.ConnectTimeout, httpcore2.ConnectError):
            try:
                async with asyncio.timeout(timeout):
                    await self._writer.start_tls(ssl_context, server_hostname=server_hostname)
            except BaseException:
                self._writer.transport.abort()
                raise
        return self

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - httpcore2's signature
        """Answer what httpcore2 asks of a stream."""
        if info == "is_readable":
            # An idle connection that has something to say, or has ended, is not to be used again.
            return self._reader.at_eof() or self._writer.is_closing() or self._is_surprising()
        if info == "socket":
            return self._socket()
        names = {"ssl_object": "ssl_object", "client_addr": "sockname", "server_addr": "peername"}
        return self._writer.get_extra_info(names[info]) if info in names else None

    def _is_surprising(self) -> bool:
        """Look whether something came that nobody asked for, but not at every question."""
        now = self._loop.time()
        if now < self._fresh_until:
            return False
        surprising = has_data(self._socket())
        if not surprising:
            self._fresh_until = now + FRESH_S
        return surprising

    def _socket(self) -> socket.socket | None:
        found: socket.socket | None = self._writer.get_extra_info("socket")
        return found


def has_data(sock: socket.socket | None) -> bool:
    """Tell whether something came that was not read, or the end; also where there is no socket."""
    if sock is None or sock.fileno() < 0:
        return True
    if not hasattr(select, "poll"):
        return bool(select.select([sock], [], [], 0)[0])
    poller = select.poll()
    poller.register(sock, select.POLLIN)
    return bool(poller.poll(0))


class LoopBackend(httpcore2.AsyncNetworkBackend):
    """Connects with the running loop."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore2's signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to a host."""
        local = (local_address, 0) if local_address is not None else None
        with _translated(httpcore2.ConnectTimeout, httpcore2.ConnectError):
            async with asyncio.timeout(timeout):
                reader, writer = await asyncio.open_connection(sock=await connected(host, port, local))
        stream = LoopStream(reader, writer)
        for option in socket_options or ():
            writer.get_extra_info("socket").setsockopt(*option)
        return stream

    async def sleep(self, seconds: float) -> None:
        """Wait; httpcore2 does between attempts to connect."""
        await asyncio.sleep(seconds)


async def connected(host: str, port: int, local: tuple[str, int] | None = None) -> socket.socket:
    """Return a socket connected to the first address of a host that answers.

    WORKAROUND cpython: asyncio's own race between addresses (`happy_eyeballs_delay`) leaves the winner's socket open
    if it is cancelled in the moment it is won, as plans are whose partner writes again.
    """
    loop = asyncio.get_running_loop()
    addresses = _in_turns(await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    first_tries = [(address, FIRST_TRY_S) for address in addresses] if len(addresses) > 1 else []
    failure: OSError = OSError(f"{host} has no address")
    for (family, kind, protocol, _, address), patience_s in [*first_tries, *((one, None) for one in addresses)]:
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(0.0)
            if local is not None:
                sock.bind(local)
            async with asyncio.timeout(patience_s):
                await loop.sock_connect(sock, address)
        except OSError as error:  # a time-out is one, too
            sock.close()
            failure = error
        except BaseException:
            sock.close()
            raise
        else:
            return sock
    raise failure


def _in_turns(addresses: Sequence[_Address]) -> list[_Address]:
    """Let the kinds of addresses take turns: one kind may lead nowhere here."""
    first = [one for one in addresses if one[0] == addresses[0][0]]
    others = [one for one in addresses if one[0] != addresses[0][0]]
    return [one for pair in zip_longest(first, others) for one in pair if one is not None]


def open_http_transport(limits: httpx2.Limits, context: ssl.SSLContext | None = None) -> httpx2.AsyncHTTPTransport:
    """Make httpx2's own transport, with verified TLS, on this backend.

    httpx2 has no argument for the backend that its pool takes, so the pool is given it afterwards; a test holds the
    library to that.

    Args:
        limits: Of its connections.
        context: Verifies servers; None for the usual authorities.
    """
    transport = httpx2.AsyncHTTPTransport(verify=context or True, trust_env=False, limits=limits)
    transport._pool._network_backend = LoopBackend()  # noqa: SLF001 - see above
    return transport
