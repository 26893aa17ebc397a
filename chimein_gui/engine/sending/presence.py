"""Typing and read marks; their failure has no consequences."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from chimein_gui.domain.errors import GatewayError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chimein_gui.domain.ids import AccountId, MessageId, PeerId
    from chimein_gui.engine.ports import Spawn, TelegramGateway

_log = logging.getLogger(__name__)


async def ignore_gateway_errors(request: Callable[[], Awaitable[None]]) -> None:
    """Run a request and log its failure."""
    try:
        await request()
    except GatewayError as error:
        _log.info("Typing or a read mark could not be shown at Telegram: %s", error)


@dataclass(slots=True)
class _Mark:
    """A read mark of a chat, sent or being sent.

    Attributes:
        up_to: The message.
        is_done: Telegram has accepted it.
        wanted_again: It was requested again while it was being sent.
    """

    up_to: MessageId
    is_done: bool = False
    wanted_again: bool = False


class ReadMarks:
    """Marks chats as read; a mark from the beginning of a plan is not repeated with its send."""

    def __init__(self, spawn: Spawn, gateway_of: Callable[[AccountId], TelegramGateway | None]) -> None:
        """Create the service without any marks; `gateway_of` returns an account's gateway, or None."""
        self._spawn = spawn
        self._gateway_of = gateway_of
        self._marks: WeakKeyDictionary[TelegramGateway, dict[PeerId, _Mark]] = WeakKeyDictionary()

    def mark(self, account_id: AccountId, peer_id: PeerId, up_to: MessageId) -> None:
        """Mark a chat up to a message in the background, unless the account's connection has already done so.

        Without a connection nothing is marked, and failed marks do not count. A request during a running one repeats it
        only if it fails, because a quick plan sends before the answer.
        """
        gateway = self._gateway_of(account_id)
        if gateway is None or not gateway.is_up():
            return
        marks = self._marks.setdefault(gateway, {})
        known = marks.get(peer_id)
        if known is not None and known.up_to >= up_to:
            known.wanted_again = True
            return
        mark = marks[peer_id] = _Mark(up_to)
        self._spawn(ignore_gateway_errors(partial(self._mark, gateway, peer_id, mark)), name="read mark")

    async def _mark(self, gateway: TelegramGateway, peer_id: PeerId, mark: _Mark) -> None:
        try:
            try:
                await gateway.mark_read(peer_id, mark.up_to)
            except GatewayError:
                if not mark.wanted_again:
                    raise
                await gateway.mark_read(peer_id, mark.up_to)
            mark.is_done = True
        finally:
            marks = self._marks.get(gateway, {})
            if not mark.is_done and marks.get(peer_id) is mark:
                del marks[peer_id]
