"""Before a plan: the history that is missing, and what its triggers reply to (SPEC §3.1, Backfill)."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import GatewayError, StoreError
from chimein_gui.domain.events import ChatChanged, MessageStored
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import MessageKey
from chimein_gui.engine.sync import BACKFILL

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.chats import ChatInfo
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AccountId, ChatId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.event_bus import EventBus
    from chimein_gui.engine.overtaken import Overtaken
    from chimein_gui.engine.ports import Clock, Spawn, Store, TelegramGateway, Transaction

_log = logging.getLogger(__name__)

PATIENCE_S = 2.0
"""How long a plan waits for history; then it is made with what is there."""

INCOMPLETE = "history incomplete: older messages were still being fetched when this plan was made"
"""What a plan says that did not wait any longer."""

_ASKED = 1_000


class Groundwork:
    """Fetches what plans need and the store does not have, one request of an account at a time."""

    def __init__(
        self,
        store: Store,
        bus: EventBus,
        clock: Clock,
        spawn: Spawn,
        gateway_of: Callable[[AccountId], TelegramGateway | None],
        overtaken: Overtaken,
    ) -> None:
        """Wire the services; `overtaken` knows what happened to messages that are not stored yet."""
        self._store = store
        self._bus = bus
        self._clock = clock
        self._spawn = spawn
        self._gateway_of = gateway_of
        self._overtaken = overtaken
        self._complete: set[ChatId] = set()
        self._replied: set[ChatId] = set()
        self._asked: dict[MessageKey, None] = {}
        self._running: dict[ChatId, asyncio.Event] = {}
        self._turns: dict[AccountId, asyncio.Lock] = {}

    def hear(self, event: EngineEvent) -> None:
        """Take note of chats where somebody replied: the parent may be missing."""
        if isinstance(event, MessageStored) and event.message.reply_to_id is not None and not event.message.out:
            self._replied.add(event.chat_id)

    async def lay(self, chat_id: ChatId) -> bool:
        """Fetch what is missing for the plan that is due in a chat, for at most 2 s; the rest goes on behind it.

        Returns:
            Whether the history is as complete as it can be.
        """
        if chat_id in self._complete and chat_id not in self._replied:
            return True  # by far the most plans: nothing is asked of the store
        running = self._running.get(chat_id)
        if running is None:
            info, begins_at, missing = await self._store.read(lambda tx: self._needs(tx, chat_id))
            gateway = self._gateway_of(info.account_id)
            if gateway is None:
                return True
            self._replied.discard(chat_id)
            if begins_at is None and not missing:
                return True
            running = self._running[chat_id] = asyncio.Event()
            self._spawn(self._fetch(chat_id, info, gateway, begins_at, missing), name=f"history of chat {chat_id}")
        try:
            async with self._clock.timeout(PATIENCE_S):
                await running.wait()
        except TimeoutError:
            return False
        return True

    def _needs(self, tx: Transaction, chat_id: ChatId) -> tuple[ChatInfo, MessageId | None, tuple[MessageKey, ...]]:
        """Return the chat, below which id its history is to be fetched (None: it is here), and missing parents."""
        info = tx.chats.get(chat_id).info
        begins_at = None
        if chat_id not in self._complete:
            stored = tx.messages.before(info.account_id, info.peer_id, before_id=None, limit=BACKFILL)
            if 0 < len(stored) < BACKFILL and stored[0].key.message_id > 1:
                begins_at = stored[0].key.message_id
            else:
                self._complete.add(chat_id)
        received = tx.tasks.open_received(chat_id)
        targets = () if received is None else received.trigger_ids
        keys = (MessageKey(info.account_id, info.peer_id, number) for number in targets)
        parents = (message.reply_to_id for key in keys if (message := tx.messages.get(key)) is not None)
        wanted = (MessageKey(info.account_id, info.peer_id, number) for number in parents if number is not None)
        missing = tuple(key for key in wanted if key not in self._asked and tx.messages.get(key) is None)
        return info, begins_at, missing

    async def _fetch(
        self,
        chat_id: ChatId,
        info: ChatInfo,
        gateway: TelegramGateway,
        begins_at: MessageId | None,
        missing: tuple[MessageKey, ...],
    ) -> None:
        try:
            async with self._turns.setdefault(info.account_id, asyncio.Lock()):
                for key in missing:
                    number = key.message_id
                    around = (MessageId(number - 1), MessageId(number + 1))
                    found = await gateway.history(info.peer_id, limit=1, above_id=around[0], below_id=around[1])
                    await self._keep(chat_id, found)
                    self._note(key)
                if begins_at is not None:
                    older = await gateway.history(info.peer_id, limit=BACKFILL, below_id=begins_at)
                    await self._keep(chat_id, older, answered=True)
                    self._complete.add(chat_id)
        except (GatewayError, StoreError) as error:
            self._replied.add(chat_id)  # the next plan tries again
            _log.info("The history of chat %s could not be fetched: %s", chat_id, error)
        finally:
            self._running.pop(chat_id).set()

    async def _keep(self, chat_id: ChatId, messages: tuple[Message, ...], *, answered: bool = False) -> None:
        """Store what was fetched; nothing of it triggers (SPEC §3.1)."""

        def put(tx: Transaction) -> list[EngineEvent]:
            now = [self._overtaken.as_it_is_now(message) for message in messages]
            events: list[EngineEvent] = [
                MessageStored(chat_id, message, tx.revision) for message in now if tx.messages.put(chat_id, message)
            ]
            if answered and now:
                tx.chats.set_answered_up_to(chat_id, max(message.key.message_id for message in now))
            return [*events, ChatChanged(tx.chats.get(chat_id), tx.revision)] if events else []

        if messages:
            self._bus.publish(*await self._store.transact(put))

    def _note(self, key: MessageKey) -> None:
        """A missing parent is asked for once: it may be gone."""
        self._asked[key] = None
        while len(self._asked) > _ASKED:
            del self._asked[next(iter(self._asked))]
