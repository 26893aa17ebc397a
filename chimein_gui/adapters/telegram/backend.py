"""Which Telegram a client talks to: the real one or the sandbox's. They never mix (SPEC §12)."""

from __future__ import annotations

from dataclasses import dataclass, field

from chimein_gui.adapters.telegram.client import AccountClient, LiveClient, SandboxClient
from chimein_gui.adapters.telegram.key_exchange import SandboxTrust
from chimein_gui.adapters.telegram.loopback import LoopbackConnection, PromptConnection
from chimein_gui.adapters.telegram.stickers import StickerShelves

_SANDBOX_API_ID = 1
_SANDBOX_API_HASH = "sandbox"


@dataclass(frozen=True, slots=True)
class TelegramBackend:
    """Everything that differs between the real Telegram and the sandbox.

    Attributes:
        client: Client class; one for each backend, because Telethon keeps the servers' addresses on the class.
        connection: Connection class.
        api_id: Application id from my.telegram.org.
        api_hash: Its secret.
        stickers: What accounts have learned of sticker sets; outlives their connections.
    """

    client: type[AccountClient]
    connection: type[PromptConnection]
    api_id: int
    api_hash: str
    stickers: StickerShelves = field(default_factory=StickerShelves, compare=False)

    def __repr__(self) -> str:
        """Name the backend without its secret."""
        return f"TelegramBackend({self.client.__name__})"


def live_backend(api_id: int, api_hash: str) -> TelegramBackend:
    """Return the real Telegram."""
    return TelegramBackend(LiveClient, PromptConnection, api_id, api_hash)


def sandbox_backend(trust: SandboxTrust | None = None) -> TelegramBackend:
    """Return the sandbox: the same client, fenced in on this machine.

    Args:
        trust: Lets its clients exchange keys; without it they need sessions that have one.
    """
    client = SandboxClient if trust is None else type("SandboxClient", (SandboxClient,), {"trust": trust})
    return TelegramBackend(client, LoopbackConnection, _SANDBOX_API_ID, _SANDBOX_API_HASH)
