"""The sticker sets that media belong to, and those that an agent may send from."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import GatewayError
from chimein_gui.domain.media.records import pause_after
from chimein_gui.domain.plans.stickers import StickerRef, StickerSetNumber

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.ids import AccountId
    from chimein_gui.engine.media.sources import MediaItem
    from chimein_gui.engine.ports import Clock, TelegramGateway

_log = logging.getLogger(__name__)

LOOK_UP_S = 2.0
"""Longest wait of a plan for sticker sets, in seconds; what comes later is there for the next one."""

Whose = tuple["AccountId", str]
"""An account, and the short name of a set or, as text, its number."""


Ask = Callable[[], Awaitable[tuple[StickerRef, ...]]]


class StickerSets:
    """Asks Telegram for the sets of stickers. The gateway keeps them; one that can't be had is left alone for a while.

    What an agent may send is remembered for previews, which ask nobody.
    """

    def __init__(self, gateway_of: Callable[[AccountId], TelegramGateway | None], clock: Clock) -> None:
        """Nothing is asked for yet."""
        self._gateway_of, self._clock = gateway_of, clock
        self._pauses: dict[Whose, tuple[int, datetime]] = {}
        self._sendable: dict[tuple[AccountId, str, str], tuple[StickerRef, ...]] = {}

    async def named(self, item: MediaItem) -> MediaItem:
        """Return a sticker of a message with the name of its set and its own name, if they can be found out."""
        media = item.media
        gateway = self._connected(item.account_id)
        if item.kind != "sticker" or media.set_name or not media.set_id or gateway is None:
            return item
        whose = item.account_id, str(media.set_id)
        stickers = await self._asked(
            whose, partial(gateway.sticker_set, StickerSetNumber(media.set_id, media.set_hash))
        )
        found = next((one for one in stickers if one.document_id == media.file_id), None)
        if found is None:
            return item
        return replace(item, media=replace(media, set_name=found.set_name), name=found.name)

    async def look_up(self, account_id: AccountId, spec: AgentSpec) -> None:
        """Ask for the stickers that an agent may send, and remember them."""
        gateway = self._connected(account_id)
        if gateway is None:
            return
        names = dict.fromkeys((*(set_name for set_name, _name in spec.stickers), *spec.sticker_sets))
        for set_name in names:
            listed = await self._asked((account_id, set_name), partial(gateway.sticker_set, set_name))
            if listed:
                self._sendable[account_id, spec.name, set_name] = listed

    def sendable(self, account_id: AccountId, spec: AgentSpec) -> dict[str, tuple[StickerRef, ...]]:
        """Return the sets of an agent's file that are known, by their names in the file."""
        names = (*(set_name for set_name, _name in spec.stickers), *spec.sticker_sets)
        found = ((name, self._sendable.get((account_id, spec.name, name))) for name in names)
        return {name: stickers for name, stickers in found if stickers}

    def _connected(self, account_id: AccountId) -> TelegramGateway | None:
        gateway = self._gateway_of(account_id)
        return gateway if gateway is not None and gateway.is_up() else None

    async def _asked(self, whose: Whose, ask: Ask) -> tuple[StickerRef, ...]:
        """Return a set; nothing while it has a pause, and nothing if there is no such set."""
        attempts, until = self._pauses.get(whose, (0, None))
        if until is not None and self._clock.now() < until:
            return ()
        listed: tuple[StickerRef, ...] = ()
        try:
            listed = await ask()
        except GatewayError as error:
            _log.info("The sticker set %s can't be fetched: %s", whose[1], error)
        if listed:
            self._pauses.pop(whose, None)
        else:
            self._pauses[whose] = attempts + 1, self._clock.now() + pause_after(attempts + 1)
        return listed
