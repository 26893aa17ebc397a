"""Small signs to the partner, typing and read marks: their failure loses nothing."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from chimein_gui.domain.errors import GatewayError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chimein_gui.domain.ids import MessageId, PeerId
    from chimein_gui.engine.ports import Spawn, TelegramGateway

_log = logging.getLogger(__name__)


async def quietly(request: Callable[[], Awaitable[None]]) -> None:
    """Make a request whose failure means little."""
    try:
        await request()
    except GatewayError as error:
        _log.info("A small sign to Telegram failed: %s", error)


class ReadMarks:
    """Marks chats as read; what was marked at the beginning of a plan is not marked again with its send (SPEC §6)."""

    def __init__(self, spawn: Spawn) -> None:
        """Begin with nothing marked."""
        self._spawn = spawn
        self._marked: WeakKeyDictionary[TelegramGateway, dict[PeerId, MessageId]] = WeakKeyDictionary()

    def mark(self, gateway: TelegramGateway, peer_id: PeerId, up_to: MessageId) -> None:
        """Mark a chat up to a message, unless this connection has done it; one that failed counts for nothing."""
        if self._marked.get(gateway, {}).get(peer_id, 0) < up_to:
            self._spawn(quietly(partial(self._mark, gateway, peer_id, up_to)), name="read mark")

    async def _mark(self, gateway: TelegramGateway, peer_id: PeerId, up_to: MessageId) -> None:
        await gateway.mark_read(peer_id, up_to)
        marked = self._marked.setdefault(gateway, {})
        marked[peer_id] = max(up_to, marked.get(peer_id, up_to))
