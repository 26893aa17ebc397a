"""Connections through an MTProxy: a transport of its own, whose keys are mixed with the proxy's secret.

Supports secrets of 16 bytes and those that begin with ``dd``; no fake-TLS (``ee``), which Telethon does not support.
The proxy alone decides where it connects. Tested with our own proxy after Telegram's description, never with a real
one.
"""

from __future__ import annotations

from typing import Any

from telethon.network.connection import ConnectionTcpMTProxyRandomizedIntermediate
from telethon.network.connection.tcpmtproxy import TcpMTProxy

from chimein_gui.adapters.telegram.transport.proxy_connect import unreachable
from chimein_gui.adapters.telegram.transport.tcp import OnlyLoopback, Prompt
from chimein_gui.adapters.telegram.transport.tl import TLObject
from chimein_gui.domain.accounts.proxies import Proxy
from chimein_gui.domain.errors import ProxyError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason

_SECRET_SIZE = 16


class PromptMTProxy(Prompt, ConnectionTcpMTProxyRandomizedIntermediate):  # type: ignore[misc]  # Telethon is untyped
    """A connection through an MTProxy with the behaviour of `Prompt`.

    Telethon waits 2 s for the proxy to hang up, which is how a proxy rejects an unknown secret.
    """

    def __init__(self, ip: str, port: int, dc_id: int, *, proxy: Proxy, **options: Any) -> None:  # noqa: ANN401, ARG002 - Telethon's
        # Not TcpMTProxy's own: that one takes a tuple, and would cut a secret that happens to begin with dd.
        self._secret = bytes.fromhex(proxy.secret)[-_SECRET_SIZE:]
        self._way = proxy
        options.pop("local_addr", None)
        super(TcpMTProxy, self).__init__(proxy.host, proxy.port, dc_id, **options)

    @staticmethod
    def address_info(proxy_info: Proxy) -> tuple[str, int]:
        """Return the proxy's address; Telethon's method would expect a tuple."""
        return proxy_info.host, proxy_info.port

    async def _connect(self, timeout: float | None = None, ssl: TLObject = None) -> None:  # noqa: ASYNC109 - Telethon's
        try:
            await super()._connect(timeout=timeout, ssl=ssl)
        except TimeoutError:
            raise ProxyError(Note(ConnectionReason.PROXY_SILENT, self._way.shown())) from None
        except OSError:
            was_reached = self._writer is not None
            self.abort()
            hung_up = Note(ConnectionReason.PROXY_HUNG_UP, self._way.shown())
            raise ProxyError(hung_up if was_reached else unreachable(self._way)) from None


class LoopbackMTProxy(OnlyLoopback, PromptMTProxy):
    """The same, only with a proxy on this machine; the proxy's own connections can't be checked here."""
