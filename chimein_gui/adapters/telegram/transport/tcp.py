"""TCP connections for Telethon: one that closes at once, and one that never leaves this machine.

Both may use a proxy; MTProxy, which has a transport of its own, is in `mtproxy`.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Sequence

from telethon.network.connection import ConnectionTcpFull
from telethon.network.connection.connection import Connection

from chimein_gui.adapters.telegram.transport.proxy_connect import pass_proxy
from chimein_gui.adapters.telegram.transport.tl import TLObject
from chimein_gui.domain.accounts.proxies import Proxy
from chimein_gui.domain.errors import LoggedOutError, NotConnectedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason

_LOOK_AGAIN_S = 0.001

"""Why a live client does not use a session whose server is this machine."""


class LeavesLoopbackError(NotConnectedError):
    """A sandbox client tried to connect to another machine; no socket was opened."""


class Prompt(Connection):  # type: ignore[misc]  # Telethon is untyped
    """Closes at once and reports it: buffered bytes are dropped, and no reader is left waiting.

    Works with any transport; the proxy is one of ours (`domain.accounts.proxies.Proxy`), not Telethon's tuple.

    Attributes:
        leaving: Called for every queued packet; returns the callbacks for when its bytes were written to the socket.
    """

    leaving: Callable[[], Sequence[Callable[[], None]]] = tuple

    def send(self, data: bytes) -> Awaitable[None]:
        """Queue a packet together with the callbacks for when it was written."""
        queued: Awaitable[None] = super().send((data, self.leaving()))
        return queued

    def _send(self, packet: tuple[bytes, Sequence[Callable[[], None]]]) -> None:
        data, callbacks = packet
        super()._send(data)
        if callbacks:
            self._tell_when_gone(callbacks)

    def _tell_when_gone(self, callbacks: Sequence[Callable[[], None]]) -> None:
        transport = self._writer.transport
        if transport.is_closing():
            return  # what was still buffered has been thrown away
        if transport.get_write_buffer_size():
            asyncio.get_running_loop().call_later(_LOOK_AGAIN_S, self._tell_when_gone, callbacks)
            return
        for tell in callbacks:
            tell()

    def abort(self) -> None:
        """Close the socket now, without flushing; no effect if not connected."""
        if self._writer is not None:
            self._writer.transport.abort()

    async def disconnect(self) -> None:
        """Abort, then end Telethon's loops."""
        was_connected = self._connected
        self.abort()
        try:
            await super().disconnect()
        finally:
            # WORKAROUND Telethon: after an error while *sending* it cancels its reading loop without a word to
            # whoever waits for what is read, and the loss would never be noticed.
            if was_connected and self._recv_queue.empty():
                self._recv_queue.put_nowait((None, ConnectionResetError("disconnected")))

    async def _recv(self) -> bytes:
        # An end in the middle of a packet is no OSError, and Telethon's update loop takes it for a bug of its own.
        try:
            packet: bytes = await super()._recv()
        except EOFError as error:
            raise ConnectionResetError("the stream ended") from error
        return packet

    async def _proxy_connect(self, timeout: float | None = None, local_addr: object = None) -> socket.socket:  # noqa: ARG002, ASYNC109 - Telethon's
        return await pass_proxy(self._proxy, self._ip, self._port, timeout)


class PromptConnection(Prompt, ConnectionTcpFull):  # type: ignore[misc]  # Telethon is untyped
    """Telegram's default transport."""


class NotLoopback(Prompt):
    """Refuses this machine: a live client with such an address has a session from the sandbox."""

    async def connect(self, timeout: float | None = None, ssl: TLObject = None) -> None:  # noqa: ASYNC109 - Telethon's
        """Connect to a server of Telegram, perhaps through a proxy on this machine.

        Raises:
            LoggedOutError: The address is one of this machine.
        """
        if is_loopback(self._ip):
            raise LoggedOutError(Note(ConnectionReason.SANDBOX_SESSION))
        await super().connect(timeout=timeout, ssl=ssl)


class LiveConnection(NotLoopback, PromptConnection):
    """Telegram's default transport, to any address but this machine."""


class OnlyLoopback(Prompt):
    """Refuses every address that is not this machine, directly before the socket is opened.

    Telethon rewrites a session without an address, or with an IPv6 one, to the real data centre, and follows
    migrations; this check comes after all that (docs/library-facts.md, "Telethon"). A proxy and the address requested
    from it must be on this machine, too.
    """

    async def connect(self, timeout: float | None = None, ssl: TLObject = None) -> None:  # noqa: ASYNC109 - Telethon's
        """Connect to a numeric loopback address.

        Raises:
            LeavesLoopbackError: For anything else.
        """
        require_loopback(self._ip)
        if self._proxy is not None:
            if not isinstance(self._proxy, Proxy):
                raise LeavesLoopbackError("The sandbox does not go through a proxy that is none of ours.")
            require_loopback(self._proxy.host)
        await super().connect(timeout=timeout, ssl=ssl)


class LoopbackConnection(OnlyLoopback, PromptConnection):
    """Telegram's default transport, only to this machine."""


def is_loopback(host: object) -> bool:
    """Return whether a host is a numeric address of this machine."""
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


def require_loopback(host: object) -> None:
    """Check an address.

    Names are refused as well, `localhost` included, because they are resolved elsewhere.

    Raises:
        LeavesLoopbackError: `host` is not a numeric loopback address.
    """
    if is_loopback(host):
        return
    raise LeavesLoopbackError(f"The sandbox may only connect to this machine, not to {host!r}.")
