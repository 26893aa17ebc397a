"""A muted DM asks for nothing (SPEC §3.2): whether one is muted is looked up when it triggers, never for all chats."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.errors import GatewayError
from chimein_gui.domain.events import ChatChanged, EngineEvent
from chimein_gui.domain.records import replace
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.steps import step_changed
from chimein_gui.engine.transitions import move_task

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import AccountId, ChatId
    from chimein_gui.engine.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, Spawn, Store, TelegramGateway, Transaction

_log = logging.getLogger(__name__)

MUTED = "the chat is muted"
"""Why no plan is made."""

FRESH = timedelta(seconds=60)
"""How long an answer counts (SPEC §3, Caches); a failed look-up is never one."""

LOOK_UP_S = 10.0
"""Longest look-up."""

_OPEN = frozenset({TaskStatus.READY, TaskStatus.WAITING, TaskStatus.RUNNING})


class Mutes:
    """Looks up whether the DMs that trigger are muted, beside the quiet window, and takes their plans back."""

    def __init__(self, store: Store, bus: EventBus, clock: Clock, spawn: Spawn) -> None:
        """Wire the services."""
        self._store = store
        self._bus = bus
        self._clock = clock
        self._spawn = spawn
        self._gateways: dict[AccountId, TelegramGateway] = {}
        self._known: dict[ChatId, tuple[datetime, datetime | None]] = {}

    def connected(self, account_id: AccountId, gateway: TelegramGateway) -> None:
        """An account can be asked from now on."""
        self._gateways[account_id] = gateway

    def disconnected(self, gateway: TelegramGateway) -> None:
        """An account can't be asked any more."""
        self._gateways = {account: one for account, one in self._gateways.items() if one is not gateway}

    def look_up(self, chat_id: ChatId) -> None:
        """A message has triggered in a chat: if that is a muted DM, no plan is made."""
        if self._gateways and not self._is_heard(chat_id):
            self._spawn(self._take_back_if_muted(chat_id), name=f"is chat {chat_id} muted?")

    def _is_heard(self, chat_id: ChatId) -> bool:
        """Tell whether a fresh answer says that the chat is not muted; most messages come in the middle of a talk."""
        now = self._clock.now()
        looked_at, until = self._known.get(chat_id, (now - FRESH, None))
        return now - looked_at < FRESH and (until is None or until <= now)

    async def _take_back_if_muted(self, chat_id: ChatId) -> None:
        chat = await self._store.read(lambda tx: tx.chats.get(chat_id))
        if chat.info.kind is ChatKind.DM and await self._is_muted(chat):
            self._bus.publish(*await self._store.transact(lambda tx: _take_back(tx, chat_id)))

    async def _is_muted(self, chat: Chat) -> bool:
        now = self._clock.now()
        looked_at, until = self._known.get(chat.chat_id, (now - FRESH, None))
        if now - looked_at >= FRESH:
            gateway = self._gateways.get(chat.info.account_id)
            if gateway is None:
                return False
            try:
                async with self._clock.timeout(LOOK_UP_S):
                    until = await gateway.muted_until(chat.info.peer_id)
            except (GatewayError, TimeoutError) as error:
                _log.info("Could not look up whether chat %s is muted: %s", chat.chat_id, error)
                return False
            self._known[chat.chat_id] = now, until
        return until is not None and until > self._clock.now()


def _take_back(tx: Transaction, chat_id: ChatId) -> list[EngineEvent]:
    received = tx.tasks.open_received(chat_id)
    if received is None or received.status not in _OPEN:
        return []
    ended = move_task(tx, replace(received, due_at=None), TaskStatus.CANCELLED, reason=MUTED)
    return [step_changed(tx, ended), ChatChanged(tx.chats.get(chat_id), tx.revision)]
