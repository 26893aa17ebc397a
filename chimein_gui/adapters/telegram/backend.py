"""The Telegram that a client connects to: the real one or the sandbox's; the two never mix.

See docs/behaviour.md, "Sandbox and live".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from chimein_gui.adapters.telegram.stickers import StickerCaches
from chimein_gui.adapters.telegram.transport.client import AccountClient, LiveClient, SandboxClient
from chimein_gui.adapters.telegram.transport.key_exchange import SandboxTrust
from chimein_gui.adapters.telegram.transport.mtproxy import LoopbackMTProxy, PromptMTProxy
from chimein_gui.adapters.telegram.transport.tcp import (
    LiveConnection,
    LoopbackConnection,
    NotLoopback,
    Prompt,
    is_loopback,
)
from chimein_gui.domain.accounts.proxies import Proxy, ProxyKind
from chimein_gui.domain.errors import LoggedOutError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason

if TYPE_CHECKING:
    from chimein_gui.adapters.telegram.transport.session import SessionFile

_SANDBOX_API_ID = 1
_SANDBOX_API_HASH = "sandbox"


@dataclass(frozen=True, slots=True)
class TelegramBackend:
    """The differences between the real Telegram and the sandbox.

    Attributes:
        client: Client class; one for each backend, because Telethon keeps the servers' addresses on the class.
        connection: Connection class.
        mtproxy: Connection class for an MTProxy.
        api_id: Application id from my.telegram.org.
        api_hash: Its secret.
        home: Data centre, address and port for new sessions; None for Telethon's default.
        stickers: The accounts' caches of sticker sets; they outlive connections.
    """

    client: type[AccountClient]
    connection: type[Prompt]
    mtproxy: type[Prompt]
    api_id: int
    api_hash: str
    home: tuple[int, str, int] | None = None
    stickers: StickerCaches = field(default_factory=StickerCaches, compare=False)

    def __repr__(self) -> str:
        """Return the backend's name without its secret."""
        return f"TelegramBackend({self.client.__name__})"

    def new_client(self, session: SessionFile, proxy: Proxy | None = None) -> AccountClient:
        """Make an unconnected client.

        Args:
            session: Its session file; closed if this fails.
            proxy: The account's proxy; None for a direct connection.

        Raises:
            LoggedOutError: The sandbox made the session, and this is the real Telegram.
        """
        try:
            if issubclass(self.connection, NotLoopback) and is_loopback(session.server_address):
                raise LoggedOutError(Note(ConnectionReason.SANDBOX_SESSION))
            connection = self.mtproxy if proxy is not None and proxy.kind is ProxyKind.MTPROXY else self.connection
            return self.client(session, self.api_id, self.api_hash, connection=connection, proxy=proxy)
        except BaseException:
            session.release()  # also where it was lent already
            raise


BackendNow = Callable[[], TelegramBackend | None]
"""Returns the current backend; None while there is no API id and hash."""


def live_backend(api_id: int, api_hash: str) -> TelegramBackend:
    """Return the real Telegram."""
    return TelegramBackend(LiveClient, LiveConnection, PromptMTProxy, api_id, api_hash)


def live_backends(application: Callable[[], tuple[int, str] | None]) -> BackendNow:
    """Return a function for the real Telegram with the current API id and hash, which may change at run time.

    Args:
        application: Returns id and hash, or None before they are entered.
    """
    caches = StickerCaches()

    def now() -> TelegramBackend | None:
        known = application()
        return None if known is None else replace(live_backend(*known), stickers=caches)

    return now


def sandbox_backend(trust: SandboxTrust | None = None, home: tuple[int, str, int] | None = None) -> TelegramBackend:
    """Return the sandbox's backend: the same client, restricted to this machine.

    Args:
        trust: Lets its clients exchange keys; without it they need sessions that have one.
        home: Data centre, address and port of its Telegram, for new sessions.
    """
    client = SandboxClient if trust is None else type("SandboxClient", (SandboxClient,), {"trust": trust})
    return TelegramBackend(client, LoopbackConnection, LoopbackMTProxy, _SANDBOX_API_ID, _SANDBOX_API_HASH, home)
