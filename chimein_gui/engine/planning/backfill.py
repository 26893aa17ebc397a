"""Fetches missing history and answered messages before a plan is made (docs/behaviour.md, "Catching up")."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.errors import GatewayError, SendRefusedError, StoreError
from chimein_gui.domain.events import ChatChanged, EngineEvent, MessageStored
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.engine.ports import Durability

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chimein_gui.domain.chats import ChatInfo
    from chimein_gui.domain.ids import AccountId, ChatId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.ports import Clock, Spawn, TelegramGateway, Transaction
    from chimein_gui.engine.triggers.staleness import PendingEdits


BACKFILL = 500
"""Number of messages fetched for a new chat."""


_log = logging.getLogger(__name__)

PATIENCE_S = 2.0
"""How long a plan waits for history; after that it is made with the stored messages."""

INCOMPLETE = ReplyProblem(ReplyFault.HISTORY_INCOMPLETE)
"""Note of a plan that was made with incomplete history."""

AGAIN_S = 30.0
"""Pause before a failed fetch is repeated while the account is connected."""

_ASKED = 1_000


@dataclass(frozen=True, slots=True)
class _Needs:
    """The messages that a chat lacks.

    Attributes:
        info: The chat.
        begins_at: The id below which history is to be fetched; None if the history is complete.
        parents: Answered messages that are not stored.
        orphans: Messages that may speak to the agent, which shows once their parents are stored.
    """

    info: ChatInfo
    begins_at: MessageId | None
    parents: tuple[MessageKey, ...]
    orphans: tuple[MessageKey, ...]


class Incoming(Protocol):
    """Knowledge of messages that are not stored yet."""

    @property
    def pending_edits(self) -> PendingEdits:
        """Edits and deletes that came before their message."""
        ...

    def look_again(self, keys: tuple[MessageKey, ...], *, for_answers: bool) -> None:
        """Decide again whether messages trigger, because the messages they answer are stored now or unavailable."""
        ...


class Backfill:
    """Fetches messages that plans need and the store lacks, one request of an account at a time.

    Attributes:
        complete: Chats that lack nothing. Most plans are made in one of them, without another look.
    """

    def __init__(
        self,
        unit: UnitOfWork,
        clock: Clock,
        spawn: Spawn,
        gateway_of: Callable[[AccountId], TelegramGateway | None],
        incoming: Incoming,
    ) -> None:
        """`incoming` knows edits and deletes of messages that are not stored yet, and decides which ones trigger."""
        self._unit = unit
        self._clock = clock
        self._spawn = spawn
        self._gateway_of = gateway_of
        self._incoming = incoming
        self.complete: set[ChatId] = set()
        self._reach_back: set[ChatId] = set()
        self._asked: dict[MessageKey, None] = {}
        self._running: dict[ChatId, asyncio.Event] = {}
        self._turns: dict[AccountId, asyncio.Lock] = {}
        self._begins: dict[ChatId, MessageId] = {}
        self._orphans: dict[ChatId, dict[MessageKey, None]] = {}
        self._adopting: set[ChatId] = set()

    def reply_came(self, event: EngineEvent) -> None:
        """Note a chat with a new reply: the answered message may be missing."""
        if isinstance(event, MessageStored):
            self.complete.discard(event.chat_id)

    def orphaned(self, chat_id: ChatId, keys: Sequence[MessageKey]) -> None:
        """Fetch the messages that these messages of a group answer. A reply to the agent speaks to it."""
        self._orphans.setdefault(chat_id, {}).update(dict.fromkeys(keys))
        self._adopt_soon(chat_id)

    def connected(self, account_id: AccountId) -> None:
        """Fetch what could not be fetched while the account was offline."""
        for chat_id, keys in self._orphans.items():
            if any(key.account_id == account_id for key in keys):
                self._adopt_soon(chat_id)

    def _adopt_soon(self, chat_id: ChatId) -> None:
        if chat_id not in self._adopting:
            self._adopting.add(chat_id)
            self._spawn(self._adopt(chat_id), name=f"parents in chat {chat_id}")

    async def _adopt(self, chat_id: ChatId) -> None:
        """Fetch until there are no orphans. If their account goes offline, its next connect continues."""
        try:
            while orphans := self._orphans.get(chat_id):
                before = tuple(orphans)
                gateway = self._gateway_of(before[0].account_id)
                if gateway is None or not gateway.is_up():
                    return
                await self._begin(chat_id, gateway).wait()
                if before[0] in self._orphans.get(chat_id, ()):
                    await self._clock.sleep_until(self._clock.now() + timedelta(seconds=AGAIN_S))
        finally:
            self._adopting.discard(chat_id)

    async def fetch_missing(self, chat_id: ChatId) -> bool:
        """Fetch what the due plan of a chat needs, for at most 2 s. Unfinished requests continue in the background.

        It need not be called for a chat that is `complete`.

        Returns:
            True if the history is as complete as it can be.
        """
        running = self._running.get(chat_id)
        if running is None:
            self.complete.add(chat_id)  # before it is read: a reply that comes meanwhile takes it out again
            try:
                needs = await self._unit.read(lambda tx: self._needs(tx, chat_id))
            except BaseException:
                self.complete.discard(chat_id)
                raise
            if needs.begins_at is None and not needs.parents:
                return True
            self.complete.discard(chat_id)
            gateway = self._gateway_of(needs.info.account_id)
            if gateway is None:
                return True
            running = self._begin(chat_id, gateway)
        try:
            async with self._clock.timeout(PATIENCE_S):
                await running.wait()
        except TimeoutError:
            return False
        return True

    def _begin(self, chat_id: ChatId, gateway: TelegramGateway) -> asyncio.Event:
        """Fetch what a chat lacks, unless that is under way; returns an event that is set at the end."""
        running = self._running.get(chat_id)
        if running is None:
            running = self._running[chat_id] = asyncio.Event()
            self._spawn(self._fetch(chat_id, gateway), name=f"history of chat {chat_id}")
        return running

    def _needs(self, tx: Transaction, chat_id: ChatId) -> _Needs:
        """Return what a chat lacks (reader thread)."""
        info = tx.chats.get(chat_id).info
        begins_at = None
        if chat_id not in self._reach_back:
            stored = tx.messages.before(info.account_id, info.peer_id, before_id=None, limit=BACKFILL)
            if 0 < len(stored) < BACKFILL and stored[0].key.message_id > 1:
                # Once a parent is stored, the oldest message no longer shows where history is missing.
                begins_at = self._begins.setdefault(chat_id, stored[0].key.message_id)
            else:
                self._reach_back.add(chat_id)
        received = tx.tasks.open_received(chat_id)
        targets = () if received is None else received.trigger_ids
        orphans = tuple(self._orphans.get(chat_id, ()))
        keys = (*(MessageKey(info.account_id, info.peer_id, number) for number in targets), *orphans)
        parents = (message.reply_to_id for key in keys if (message := tx.messages.get(key)) is not None)
        wanted = (MessageKey(info.account_id, info.peer_id, number) for number in parents if number is not None)
        missing = tuple(key for key in wanted if key not in self._asked and tx.messages.get(key) is None)
        return _Needs(info, begins_at, missing, orphans)

    async def _fetch(self, chat_id: ChatId, gateway: TelegramGateway) -> None:
        try:
            needs = await self._unit.read(lambda tx: self._needs(tx, chat_id))
            async with self._turns.setdefault(needs.info.account_id, asyncio.Lock()):
                for key in dict.fromkeys(needs.parents):
                    await self._fetch_parent(chat_id, gateway, key)
                self._retry_orphans(chat_id, needs.orphans)
                if needs.begins_at is not None:
                    older = await gateway.history(needs.info.peer_id, limit=BACKFILL, below_id=needs.begins_at)
                    await self._keep(chat_id, older, answered=True)
                    self._reach_back.add(chat_id)
                    self._begins.pop(chat_id, None)
        except (GatewayError, StoreError) as error:
            _log.info("The history of chat %s could not be fetched: %s", chat_id, error)
        finally:
            self._running.pop(chat_id).set()

    async def _fetch_parent(self, chat_id: ChatId, gateway: TelegramGateway, key: MessageKey) -> None:
        around = (MessageId(key.message_id - 1), MessageId(key.message_id + 1))
        try:
            found = await gateway.history(key.peer_id, limit=1, above_id=around[0], below_id=around[1])
        except SendRefusedError as error:  # another request would give the same answer
            _log.info("What was answered in chat %s can't be read: %s", chat_id, error.code)
            found = ()
        await self._keep(chat_id, found)
        self._note(key)

    def _retry_orphans(self, chat_id: ChatId, orphans: tuple[MessageKey, ...]) -> None:
        """Decide again on orphans whose parents are stored now or unavailable."""
        if not orphans:
            return
        left = self._orphans.pop(chat_id, {})
        for key in orphans:
            left.pop(key, None)
        if left:
            self._orphans[chat_id] = left
        self._incoming.look_again(orphans, for_answers=True)

    async def _keep(self, chat_id: ChatId, messages: tuple[Message, ...], *, answered: bool = False) -> None:
        """Store fetched messages; they do not trigger."""

        def put(tx: Transaction) -> list[EngineEvent]:
            """Store the messages as they are now. It runs on the writer thread."""
            now = [self._incoming.pending_edits.as_it_is_now(message) for message in messages]
            events: list[EngineEvent] = [
                MessageStored(chat_id, message, tx.revision) for message in now if tx.messages.put(chat_id, message)
            ]
            if answered and now:
                tx.chats.set_answered_up_to(chat_id, max(message.key.message_id for message in now))
            return [*events, ChatChanged(tx.chats.get(chat_id), tx.revision)] if events else []

        if messages:
            await self._unit.apply(put, durability=Durability.NORMAL, wakes=False)

    def _note(self, key: MessageKey) -> None:
        """Remember that a missing parent was asked for; it may be gone, so it is asked for once."""
        self._asked[key] = None
        while len(self._asked) > _ASKED:
            del self._asked[next(iter(self._asked))]
