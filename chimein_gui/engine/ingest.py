"""Store first: every message a gateway reports becomes a row before anything else happens (SPEC §3.1, §3.2)."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import StoreWriteError
from chimein_gui.domain.events import (
    ChatChanged,
    EngineEvent,
    MessageStored,
    PartnerTyping,
    TaskStatusChanged,
)
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.tasks import PLANNED_KINDS, LedgerState, TaskKind, TaskStatus
from chimein_gui.engine.fault_line import FaultLine
from chimein_gui.engine.listener import AgentListener
from chimein_gui.engine.overtaken import Overtaken
from chimein_gui.engine.sends import confirm_sent
from chimein_gui.engine.transitions import move_task
from chimein_gui.engine.triggers import mark_newer, triggers, unanswered, with_triggers

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat, ChatInfo
    from chimein_gui.domain.ids import AccountId, AgentId, ChatId, PeerId
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.preferences import Preferences
    from chimein_gui.engine.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, Spawn, Store, Transaction

_log = logging.getLogger(__name__)

LONGEST_DEBOUNCE_S = 15.0
"""A chat becomes due at most this long after its first trigger (SPEC §3.3)."""

TYPING_SHOWN_S = 6.0
"""How long one typing update is shown; Telegram repeats it every 5 s."""

RETRY_S = 2.0
"""Pause before messages that could not be stored are tried again."""

Work = Callable[["Transaction"], "list[EngineEvent]"]
Due = Callable[["ChatId", "datetime"], None]


class Ingest:
    """Takes what gateways report and stores it in batches, one transaction for all that is queued.

    Attributes:
        must_compare: Agents that were not told all that happened: their chats are compared after the next connect.
        overtaken: What happened to messages that are not stored yet.
    """

    def __init__(
        self, store: Store, bus: EventBus, clock: Clock, spawn: Spawn, preferences: Preferences, on_due: Due
    ) -> None:
        """Wire the services; `on_due` hears of chats that have something to do, and when."""
        self._store = store
        self._bus = bus
        self._clock = clock
        self._spawn = spawn
        self._preferences = preferences
        self._on_due = on_due
        self._queue: deque[Work] = deque()
        self._draining = False
        remedy = "New messages wait in memory and are stored as soon as it works again; nothing is sent meanwhile."
        self._fault = FaultLine(bus, "store", remedy)
        self.must_compare: set[AgentId] = set()
        self.overtaken = Overtaken()
        self._waiters: list[asyncio.Event] = []
        self._quiet: set[AgentId] = set()
        self._due: dict[ChatId, datetime] = {}
        self._window_began: dict[ChatId, datetime] = {}

    def listener(self, agent_id: AgentId) -> AgentListener:
        """Return what one agent's gateway reports to."""
        return AgentListener(self, agent_id)

    def begin_quiet(self, agent_id: AgentId) -> None:
        """Store what is reported without planning: at a first log-in nobody knows yet what is old (SPEC §3.1)."""
        self._quiet.add(agent_id)

    async def end_quiet(self, agent_id: AgentId) -> None:
        """Plan again; what came meanwhile, and is newer than the list of chats was, triggers now."""

        def look_again(tx: Transaction) -> list[EngineEvent]:
            self._quiet.discard(agent_id)
            for chat in tx.chats.all():
                if chat.agent_id == agent_id and unanswered(tx, chat):
                    self._due[chat.chat_id] = self._open_received(tx, chat)
            return []

        self.enqueue(look_again)
        await self.flush()

    def enqueue(self, work: Work) -> None:
        """Queue one transaction body; bodies run in order."""
        self._queue.append(work)
        if not self._draining:
            self._draining = True
            self._spawn(self._drain(), name="ingest")

    async def flush(self) -> None:
        """Return once everything reported until now is stored."""
        if self._draining:
            stored = asyncio.Event()
            self._waiters.append(stored)
            await stored.wait()

    def publish_typing(self, account_id: AccountId, peer_id: PeerId) -> None:
        """Tell the window that a partner types; nothing is stored."""
        until = self._clock.now() + timedelta(seconds=TYPING_SHOWN_S)

        def find(tx: Transaction) -> list[EngineEvent]:
            chat = tx.chats.find(account_id, peer_id)
            return [] if chat is None else [PartnerTyping(chat.chat_id, until, tx.revision)]

        self.enqueue(find)

    def receive(self, tx: Transaction, agent_id: AgentId, info: ChatInfo, message: Message) -> list[EngineEvent]:
        """Insert one message and mark its chat as due if it triggers; a known message changes nothing."""
        chat, _ = tx.chats.ensure(agent_id, info, planned_up_to=MessageId(0))
        message = self.overtaken.as_it_is_now(message)
        if not tx.messages.put(chat.chat_id, message):
            return []
        events: list[EngineEvent] = [MessageStored(chat.chat_id, message, tx.revision)]
        if message.out:
            events += self._own_message(tx, chat, message)
        elif not message.deleted:
            events += mark_newer(tx, chat, message)
            if triggers(chat, message) and agent_id not in self._quiet:
                self._due[chat.chat_id] = self._open_received(tx, chat)
        events.append(ChatChanged(tx.chats.get(chat.chat_id), tx.revision))
        return events

    def _own_message(self, tx: Transaction, chat: Chat, message: Message) -> list[EngineEvent]:
        """A message of this account that did not come from our own call: ours after all, or the operator's."""
        key = message.key
        if tx.ledger.owner_of(key.account_id, key.peer_id, key.message_id) is not None:
            return []
        for task in tx.tasks.current_of_chat(chat.chat_id):
            if task.kind not in PLANNED_KINDS:
                continue
            approval = tx.approvals.of_task(task.task_id)
            row = tx.ledger.current(approval.approval_id)
            if row is not None and row.state is LedgerState.UNKNOWN and task.status in _BACK_AT_REVIEW:
                if row.text.strip() == message.text.strip():
                    return self._arrived_after_all(tx, approval, key.message_id)
                continue
            if row is not None and row.text.strip() == message.text.strip() and row.state in _OPEN_OUTCOMES:
                _log.info("An update names the message of an open send: delivered")
                self._due[chat.chat_id] = self._clock.now()
                return confirm_sent(tx, approval, message, self._clock.now(), self._preferences)
        tx.chats.set_planned_up_to(chat.chat_id, key.message_id)
        received = tx.tasks.open_received(chat.chat_id)
        if received is not None and received.status is not TaskStatus.RUNNING:
            left = unanswered(tx, tx.chats.get(chat.chat_id))
            if left:
                tx.tasks.save(replace(received, trigger_ids=left))
            else:
                move_task(tx, received, TaskStatus.CANCELLED, reason="you answered yourself")
        return mark_newer(tx, chat, message)

    def _arrived_after_all(self, tx: Transaction, approval: Approval, message_id: MessageId) -> list[EngineEvent]:
        """The message of a "perhaps not delivered" turns up: the operator must know before he decides."""
        _log.info("A send that seemed lost has arrived after all")
        note = f"It has arrived after all (message {message_id}): reject this draft, or edit it to send something else"
        tx.approvals.save(replace(approval, note=note, version=approval.version + 1))
        return [TaskStatusChanged(tx.approvals.get(approval.approval_id), tx.revision)]

    def _open_received(self, tx: Transaction, chat: Chat) -> datetime:
        """Add the trigger to the chat's one `received` task and return when the chat is due."""
        now = self._clock.now()
        received = tx.tasks.open_received(chat.chat_id)
        trigger_ids = unanswered(tx, chat)
        if received is None or received.status is TaskStatus.RUNNING:
            self._window_began[chat.chat_id] = now
        latest = self._window_began.get(chat.chat_id, now) + timedelta(seconds=LONGEST_DEBOUNCE_S)
        due = min(now + timedelta(seconds=self._preferences.debounce_s), latest)
        if received is None:
            tx.tasks.add(chat.chat_id, TaskKind.RECEIVED, TaskStatus.WAITING, trigger_ids=trigger_ids, due_at=due)
        else:
            tx.tasks.save(with_triggers(received, trigger_ids, due))
        return due

    async def _drain(self) -> None:
        try:
            while self._queue:
                batch = list(self._queue)
                self._queue.clear()
                await self._store_batch(batch)
        finally:
            self._draining = False
            waiters, self._waiters = self._waiters, []
            for waiter in waiters:
                waiter.set()

    async def _store_batch(self, batch: list[Work]) -> None:
        def all_of_them(tx: Transaction) -> list[EngineEvent]:
            self._due.clear()
            return [event for work in batch for event in work(tx)]

        while True:
            try:
                events = await self._store.transact(all_of_them)
            except StoreWriteError as error:
                self._fault.show(str(error))
                await self._clock.sleep_until(self._clock.now() + timedelta(seconds=RETRY_S))
                continue
            except Exception:  # noqa: BLE001 - a message that cannot be stored must not hold up the others
                if len(batch) == 1:
                    _log.exception("A message could not be stored and was left out")
                    return
                for work in batch:
                    await self._store_batch([work])
                return
            self._fault.clear()
            due, self._due = self._due, {}
            self._bus.publish(*events)
            for chat_id, at in due.items():
                self._on_due(chat_id, at)
            return


_BACK_AT_REVIEW = frozenset({TaskStatus.AWAITING_DECISION, TaskStatus.APPROVED})

_OPEN_OUTCOMES = frozenset({LedgerState.SENDING, LedgerState.UNKNOWN})
