"""Every message that a gateway reports is stored before anything else happens.

See docs/behaviour.md, "Storing first". Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.errors import StoreError, StoreWriteError, note_of
from chimein_gui.domain.events import ChatChanged, EngineEvent, PartnerTyping
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.core.event_bus import FaultLine
from chimein_gui.engine.core.jobs import JobKeeper
from chimein_gui.engine.ingest.receive import Arrivals, LeftOut, deleted, edited, open_for, reacted, receive
from chimein_gui.engine.ports import Durability
from chimein_gui.engine.tasks.transitions import step_changed
from chimein_gui.engine.triggers.mentions import is_reply_to_agent
from chimein_gui.engine.triggers.staleness import PendingEdits
from chimein_gui.engine.triggers.triggers import extend_for_typing, triggers, unanswered

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.accounts.group_moves import GroupMove
    from chimein_gui.domain.chats import Chat, ChatInfo
    from chimein_gui.domain.ids import AccountId, AgentId, ChatId, MessageId, PeerId
    from chimein_gui.domain.messages import Message, Reaction
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, Spawn, Transaction
    from chimein_gui.engine.tasks.next_action import Plan

_log = logging.getLogger(__name__)

TYPING_SHOWN_S = 6.0
"""How long one typing update is shown; Telegram repeats it every 5 s."""

RETRY_S = 2.0
"""Pause before messages that could not be stored are retried."""

T = TypeVar("T")
Work = Callable[["Transaction"], "list[EngineEvent]"]


class _Queued(NamedTuple):
    """One transaction body; see `Ingest.enqueue`."""

    work: Work
    agent_id: AgentId | None


@dataclass(slots=True)
class Listeners:
    """Callbacks for the reports of gateways.

    Attributes:
        triggers: Called with chats that have a new trigger, after its commit; their running model calls are outdated.
        dm_triggers: The same, for DMs only; called with the account and the partner, too.
        group_triggers: The same, for groups only; called with the account.
        newer: Called with new messages of groups with drafts, after their commit.
        orphans: Called with messages that may speak to the agent, but answer a message that is not stored.
        ignored: Called with callouts of blocked people.
        blocks: Called when an account blocks or unblocks somebody.
        orders: Called when orders to remember something are to be written to files.
        mutes: Called at once when the notification settings of a chat, or of an account's chats, change.
    """

    triggers: list[Callable[[ChatId], object]] = field(default_factory=list)
    dm_triggers: list[Callable[[ChatId, AccountId, PeerId], object]] = field(default_factory=list)
    group_triggers: list[Callable[[AccountId], object]] = field(default_factory=list)
    newer: list[Callable[[ChatId, list[MessageId]], object]] = field(default_factory=list)
    orphans: list[Callable[[ChatId, list[MessageKey]], object]] = field(default_factory=list)
    ignored: list[Callable[[ChatId, list[MessageKey]], object]] = field(default_factory=list)
    blocks: list[Callable[[AccountId], object]] = field(default_factory=list)
    orders: list[Callable[[], object]] = field(default_factory=list)
    mutes: list[Callable[[AccountId, PeerId | None], object]] = field(default_factory=list)

    def triggered(self, chat_id: ChatId, info: ChatInfo) -> None:
        """Tell of a chat with a new trigger."""
        for hears in self.triggers:
            hears(chat_id)
        if info.kind is ChatKind.DM:
            for hears_dm in self.dm_triggers:
                hears_dm(chat_id, info.account_id, info.peer_id)
        elif info.kind is ChatKind.GROUP:
            for hears_group in self.group_triggers:
                hears_group(info.account_id)


class Ingest:
    """Stores the reports of gateways in batches, one transaction for everything queued.

    Attributes:
        must_compare: Agents with missed reports; their chats are compared after the next connect.
        moves: Groups that became supergroups since the program began, stored or not yet.
        quiet: Agents at a first log-in, whose messages are stored without planning until it is known which are old.
        listeners: The callbacks.
        left_out: Reports messages that can't be read.
        pending_edits: Edits and deletes of messages that are not stored yet.
        environment: What transactions need beside the database.
        takes_orders: Orders to remember something are stored; False if there is nowhere to write them.
    """

    def __init__(
        self,
        unit: UnitOfWork,
        bus: EventBus,
        clock: Clock,
        spawn: Spawn,
        environment: TransactionEnvironment,
        on_due: Callable[[ChatId, datetime, Plan | None], object],
    ) -> None:
        """Create the service.

        Args:
            unit: The database.
            bus: Receives faults.
            clock: Time.
            spawn: Starts owned jobs.
            environment: What transactions need beside the database.
            on_due: Called with a chat that has something to do, and when; also with the action, if it is only a plan.
        """
        self._unit = unit
        self._clock = clock
        self._spawn = spawn
        self.environment = environment
        self._on_due = on_due
        self.listeners = Listeners()
        self.left_out = LeftOut(bus)
        self._queue: deque[_Queued] = deque()
        self._draining = False
        self._fault = FaultLine(bus, "store", FaultReason.MESSAGES_IN_MEMORY)
        self._gap = FaultLine(bus, "ingest", FaultReason.LOOKED_FOR_LATER)
        self._keeper = JobKeeper(bus, clock, spawn)
        self.must_compare: set[AgentId] = set()
        self.moves: set[GroupMove] = set()
        self.pending_edits = PendingEdits()
        self._waiters: list[asyncio.Event] = []
        self.quiet: set[AgentId] = set()
        self.takes_orders = False
        self._arrivals = Arrivals()

    def listener(self, agent_id: AgentId) -> AgentListener:
        """Return the listener for one agent's gateway."""
        return AgentListener(self, agent_id)

    def look_again(self, keys: Sequence[MessageKey], *, for_answers: bool = False) -> None:
        """Decide again whether messages trigger, because more is known about what they depend on.

        Messages that were edited meanwhile are included: a callout stays one.

        Args:
            keys: The messages, in the order of their arrival.
            for_answers: The messages they answer are stored now, if available. Only this makes an edited one a callout.
        """

        def look(tx: Transaction) -> list[EngineEvent]:
            events: list[EngineEvent] = []
            for key in keys:
                chat, message = tx.chats.find(key.account_id, key.peer_id), tx.messages.get(key)
                # The end of the quiet time looks at all chats.
                if chat is None or message is None or chat.agent_id in self.quiet:
                    continue
                by_edit = for_answers and message.edited_at is not None
                if by_edit and not is_reply_to_agent(tx, chat, message.reply_to_id):
                    continue
                if triggers(tx, chat, message):
                    self._arrivals.hear(tx, chat, message, self.environment)
                    events += open_for(tx, chat, self.environment, self._arrivals, (key.message_id,))
            return events

        self.enqueue(look)

    async def end_quiet(self, agent_id: AgentId, bind: Callable[[Transaction], tuple[T, Sequence[EngineEvent]]]) -> T:
        """End the quiet time: messages that came meanwhile and are newer than the list of chats trigger now.

        This is one transaction with the end of the first log-in, because after that the chats are not looked at again.

        Args:
            agent_id: The agent.
            bind: Ends the first log-in (writer); returns a result and the events to publish.

        Raises:
            StoreError: Nothing has changed, and the quiet time continues.
        """
        arrivals = Arrivals(takes_orders=self.takes_orders)

        def work(tx: Transaction) -> tuple[list[EngineEvent], T]:
            bound, events = bind(tx)
            self.quiet.discard(agent_id)
            mine = [tx.chats.get(chat_id) for chat_id in tx.chats.with_news(agent_id)]
            for chat in mine:
                self._hear_unanswered(tx, chat, arrivals)
            opened = [event for chat in mine for event in open_for(tx, chat, self.environment, arrivals)]
            return [*events, *opened], bound

        try:
            bound = await self._unit.run(work, wakes=False)
        except BaseException:
            self.quiet.add(agent_id)
            raise
        self._tell(arrivals)
        return bound

    def _hear_unanswered(self, tx: Transaction, chat: Chat, arrivals: Arrivals) -> None:
        """Store the orders of the unanswered triggers of a chat, which came in the quiet time."""
        for number in unanswered(tx, chat) if arrivals.takes_orders else ():
            message = tx.messages.get(MessageKey(chat.info.account_id, chat.info.peer_id, number))
            if message is not None:
                arrivals.hear(tx, chat, message, self.environment)

    async def forget_quiet(self, agent_id: AgentId) -> None:
        """End the quiet time without planning, because the first log-in of another account was given up."""
        if agent_id in self.quiet:
            await self.flush()
            self.quiet.discard(agent_id)

    def enqueue(self, work: Work, agent_id: AgentId | None = None) -> None:
        """Queue one transaction body; bodies run in order.

        Args:
            work: The body; it runs on the writer thread.
            agent_id: The agent whose chats are compared with Telegram's if it can't be stored; None: nothing is missed.
        """
        self._queue.append(_Queued(work, agent_id))
        if not self._draining:
            self._draining = True
            self._spawn(self._drain(), name="ingest")

    async def recall_gaps(self) -> None:
        """Read which agents' chats were still to be compared when the program ended.

        Raises:
            StoreError: They could not be read.
        """
        self.must_compare |= await self._unit.read(lambda tx: tx.accounts.to_compare())

    async def compared(self, agent_id: AgentId) -> None:
        """Record that an agent's chats match Telegram's.

        Raises:
            StoreError: It is not stored; the chats are compared once more after the next start.
        """
        if agent_id in self.must_compare:
            return  # the same report could not be stored again
        if agent_id in await self._unit.read(lambda tx: tx.accounts.to_compare()):
            await self._compare(agent_id, wanted=False)
        if not self.must_compare:
            self._gap.clear()

    async def flush(self) -> None:
        """Wait until everything reported so far is stored."""
        if self._draining:
            stored = asyncio.Event()
            self._waiters.append(stored)
            await stored.wait()

    def receive(self, tx: Transaction, agent_id: AgentId, info: ChatInfo, message: Message) -> list[EngineEvent]:
        """Insert one message in its current state; see `ingest.receive`."""
        message = self.pending_edits.as_it_is_now(message)
        is_quiet = agent_id in self.quiet
        return receive(tx, agent_id, info, message, self.environment, self._arrivals, is_quiet=is_quiet)

    async def _drain(self) -> None:
        try:
            await self._keeper.keep(
                self._store_all,
                key="ingest job",
                what=Note(FaultReason.STORING_STOPPED),
                meanwhile=FaultReason.MESSAGES_WAIT,
                before_again=self._wake_all,
            )
        finally:
            self._draining = False
            waiters, self._waiters = self._waiters, []
            for waiter in waiters:
                waiter.set()

    async def _store_all(self) -> None:
        while self._queue:
            await self._store_batch(list(self._queue))

    async def _wake_all(self) -> None:
        """Wake all chats with work, because the scheduler may have missed a commit."""
        now = self._clock.now()
        for chat_id, at in await self._unit.read(lambda tx: tx.tasks.chats_with_work()):
            self._on_due(chat_id, at or now, None)

    async def _store_batch(self, batch: list[_Queued]) -> None:
        """Store the first entries of the queue; they leave it once they are stored or left out."""

        def all_of_them(tx: Transaction) -> list[EngineEvent]:
            self._arrivals = Arrivals(takes_orders=self.takes_orders)
            events = [event for one in batch for event in one.work(tx)]
            self._arrivals.look_ahead(tx, self.environment)
            return events

        while True:
            try:
                await self._unit.apply(all_of_them, durability=Durability.NORMAL, wakes=False)
            except StoreWriteError as error:
                self._fault.show(note_of(error))
                await self._clock.sleep_until(self._clock.now() + timedelta(seconds=RETRY_S))
                continue
            except Exception as error:  # noqa: BLE001 - a message that cannot be stored must not block the others
                if len(batch) == 1:
                    _log.exception("A message could not be stored and was left out")
                    await self._leave_out(batch[0], error)
                    return
                for one in batch:
                    await self._store_batch([one])
                return
            for _ in batch:
                self._queue.popleft()
            self._fault.clear()
            self._tell(self._arrivals)
            return

    async def _leave_out(self, one: _Queued, error: Exception) -> None:
        """Skip a report that can't be stored; its agent's chats are compared with Telegram's, also after a restart."""
        agent_id = one.agent_id
        if agent_id is not None:
            self.must_compare.add(agent_id)
            self._gap.show(Note(FaultReason.REPORT_UNSTORED, type(error).__name__))
            try:
                await self._compare(agent_id, wanted=True)
            except StoreError as trouble:
                _log.warning("That chats are to be compared could not be stored: %s", trouble)
        self._queue.popleft()

    async def _compare(self, agent_id: AgentId, *, wanted: bool) -> None:
        await self._unit.write(lambda tx: tx.accounts.set_to_compare(agent_id, wanted=wanted))

    def _tell(self, arrivals: Arrivals) -> None:
        """Call the listeners and the scheduler after a commit."""
        if arrivals.has_orders:
            for writes in self.listeners.orders:
                writes()
        for chat_id, info in arrivals.triggered.items():
            self.listeners.triggered(chat_id, info)
        for chat_id, ids in arrivals.newer.items():
            for looks in self.listeners.newer:
                looks(chat_id, ids)
        doubtful = ((arrivals.orphans, self.listeners.orphans), (arrivals.ignored, self.listeners.ignored))
        for found, listeners in doubtful:
            for chat_id, keys in found.items():
                for asks in listeners:
                    asks(chat_id, keys)
        for chat_id, at in arrivals.due.items():
            self._on_due(chat_id, at, arrivals.plans.get(chat_id))


class AgentListener:
    """The `GatewayListener` of one agent; it only enqueues."""

    def __init__(self, ingest: Ingest, agent_id: AgentId) -> None:
        """With the agent bound, no message has to be matched with its account."""
        self._ingest = ingest
        self._agent_id = agent_id

    def _enqueue(self, work: Work) -> None:
        self._ingest.enqueue(work, self._agent_id)

    def message_arrived(self, chat: ChatInfo, message: Message) -> None:
        """Store a message."""
        self._enqueue(lambda tx: self._ingest.receive(tx, self._agent_id, chat, message))

    def message_edited(self, chat: ChatInfo, message: Message) -> None:
        """Store an edit; drafts that saw the old text are marked."""

        def edit(tx: Transaction) -> list[EngineEvent]:
            row = tx.chats.find(chat.account_id, chat.peer_id)
            if row is None or tx.messages.get(message.key) is None:
                self._ingest.pending_edits.edited(message)
                return []
            return edited(tx, row, message)

        self._enqueue(edit)

    def reactions_changed(self, key: MessageKey, reactions: tuple[Reaction, ...], *, tells_mine: bool) -> None:
        """Store the reactions to a message; drafts are not affected."""
        self._enqueue(lambda tx: reacted(tx, key, reactions, tells_mine=tells_mine))

    def messages_deleted(self, account_id: AccountId, peer_id: PeerId | None, ids: tuple[MessageId, ...]) -> None:
        """Mark messages as deleted; drafts that saw them are marked."""

        def delete(tx: Transaction) -> list[EngineEvent]:
            events, gone = deleted(tx, account_id, peer_id, ids)
            self._ingest.pending_edits.deleted(account_id, peer_id, (one for one in ids if one not in gone))
            return events

        self._enqueue(delete)

    def incoming_read(self, account_id: AccountId, peer_id: PeerId, up_to: MessageId) -> None:
        """Store that this account read a chat on another device."""
        self._enqueue(lambda tx: _mark_read(tx, account_id, peer_id, up_to, by_partner=False))

    def outgoing_read(self, account_id: AccountId, peer_id: PeerId, up_to: MessageId) -> None:
        """Store that the partner read our messages."""
        self._enqueue(lambda tx: _mark_read(tx, account_id, peer_id, up_to, by_partner=True))

    def partner_typing(self, account_id: AccountId, peer_id: PeerId) -> None:
        """Show that a partner is typing; in a DM the quiet window is extended, up to its limit."""
        ingest = self._ingest
        until = ingest.environment.now() + timedelta(seconds=TYPING_SHOWN_S)

        def extend(tx: Transaction) -> list[EngineEvent]:
            chat = tx.chats.find(account_id, peer_id)
            if chat is None:
                return []
            typing = PartnerTyping(chat.chat_id, until, tx.revision)
            received = extend_for_typing(tx, chat, ingest.environment)
            return [typing] if received is None else [typing, step_changed(tx, received)]

        ingest.enqueue(extend)

    def peer_blocked(self, account_id: AccountId, peer_id: PeerId, *, is_blocked: bool) -> None:
        """Store that an account has blocked or unblocked somebody, here or on another device."""

        def note(tx: Transaction) -> list[EngineEvent]:
            tx.accounts.note_block(account_id, peer_id, is_blocked=is_blocked)
            return []

        self._ingest.enqueue(note)
        for hears in self._ingest.listeners.blocks:
            hears(account_id)

    def group_moved(self, move: GroupMove) -> None:
        """Remember which supergroup a group became, before any of its messages is stored."""
        self._ingest.moves.add(move)

        def note(tx: Transaction) -> list[EngineEvent]:
            tx.accounts.note_move(move)
            return []

        self._enqueue(note)

    def mute_changed(self, account_id: AccountId, peer_id: PeerId | None) -> None:
        """Handle a change of the notification settings of a chat; without a peer, of all chats of a kind.

        Known mutes are dropped at once; they are not stored.
        """
        for hears in self._ingest.listeners.mutes:
            hears(account_id, peer_id)

    def left_out(self, ids: tuple[MessageId, ...]) -> None:
        """Tell the operator of messages that can't be read, once each."""
        self._ingest.left_out.tell(self._agent_id, ids)

    def updates_skipped(self) -> None:
        """Compare the chats after the next connect."""
        self._ingest.must_compare.add(self._agent_id)


def _mark_read(
    tx: Transaction, account_id: AccountId, peer_id: PeerId, up_to: MessageId, *, by_partner: bool
) -> list[EngineEvent]:
    chat = tx.chats.find(account_id, peer_id)
    if chat is None:
        return []
    if by_partner:
        tx.chats.set_partner_read_up_to(chat.chat_id, up_to)
    else:
        tx.chats.set_read_up_to(chat.chat_id, up_to)
    return [ChatChanged(tx.chats.get(chat.chat_id), tx.revision)]
