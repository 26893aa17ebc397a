"""Effects of one reported message on the store, in one transaction; also of changes that we made on Telegram ourselves.

Telegram does not report a session's own changes to it, so they are written here. Messages that this version can't read
are reported to the operator.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.events import ChatChanged, EngineEvent, FaultReported, MessageStored
from chimein_gui.domain.ids import MessageId, Revision
from chimein_gui.domain.memory.orders.recognition import may_be_order
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.memory.orders import note_order
from chimein_gui.engine.sending.reconciliation import claim_of_update, match_late_delivery
from chimein_gui.engine.tasks.next_action import next_action, only_plan
from chimein_gui.engine.tasks.transitions import step_changed
from chimein_gui.engine.triggers.staleness import message_came, message_changed
from chimein_gui.engine.triggers.takeover import operator_wrote
from chimein_gui.engine.triggers.triggers import (
    hangs_on_block,
    hangs_on_parent,
    note_turns,
    open_window,
    triggers,
    unanswered,
)

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from chimein_gui.domain.chats import Chat, ChatInfo
    from chimein_gui.domain.ids import AccountId, AgentId, ChatId, PeerId
    from chimein_gui.domain.messages import Message, Reaction, TextEntity
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Transaction
    from chimein_gui.engine.tasks.next_action import Plan


@dataclass(slots=True)
class Arrivals:
    """What has to be done for the messages of one batch after its commit.

    Attributes:
        due: Chats that have something to do, and when, aware UTC.
        triggered: Chats with a new trigger, as Telegram tells of them; a running model call of theirs has an outdated
            prompt.
        newer: New messages of groups with drafts, whose context might include them.
        orphans: Messages that may speak to the agent, because the message they answer is not stored.
        ignored: Messages that would trigger if this account had not blocked their author.
        plans: The next action of chats with a new trigger, if it is only a plan.
        takes_orders: Orders to remember something are stored; False if there is nowhere to write them.
        has_orders: Orders were stored that are to be written to files.
    """

    due: dict[ChatId, datetime] = field(default_factory=dict)
    triggered: dict[ChatId, ChatInfo] = field(default_factory=dict)
    newer: dict[ChatId, list[MessageId]] = field(default_factory=dict)
    orphans: dict[ChatId, list[MessageKey]] = field(default_factory=dict)
    ignored: dict[ChatId, list[MessageKey]] = field(default_factory=dict)
    plans: dict[ChatId, Plan] = field(default_factory=dict)
    takes_orders: bool = False
    has_orders: bool = False

    def hear(self, tx: Transaction, chat: Chat, message: Message, environment: TransactionEnvironment) -> None:
        """Store the order that a trigger gives, if it gives one."""
        if self.takes_orders and may_be_order(message.text) and note_order(tx, chat, message, environment):
            self.has_orders = True

    def wake(self, chat_id: ChatId, at: datetime) -> None:
        """Note when a chat is due; the earlier time wins."""
        self.due[chat_id] = min(at, self.due.get(chat_id, at))

    def look_ahead(self, tx: Transaction, environment: TransactionEnvironment) -> None:
        """Note the next action of the chats with a new trigger; call it at the end of the batch."""
        for chat_id in self.triggered:
            plan = only_plan(next_action(tx, chat_id, environment)) if chat_id in self.due else None
            if plan is not None:
                self.plans[chat_id] = plan


def receive(
    tx: Transaction,
    agent_id: AgentId,
    info: ChatInfo,
    message: Message,
    environment: TransactionEnvironment,
    arrivals: Arrivals,
    *,
    is_quiet: bool = False,
) -> list[EngineEvent]:
    """Insert one message and open the window of its chat if it triggers; a known message changes nothing.

    Args:
        tx: The transaction.
        agent_id: The agent whose gateway reported it.
        info: Its chat, as Telegram reports it.
        message: The message in its current state.
        environment: Preferences, time and the state of accounts.
        arrivals: Collects the work for after the commit.
        is_quiet: Store without planning, because at a first log-in it is not yet known which messages are old.
    """
    if message.key.message_id <= tx.people.forgotten_up_to(info.account_id, info.peer_id):
        return []  # also the name of the chat stays forgotten
    chat, _ = tx.chats.ensure(agent_id, info, planned_up_to=MessageId(0))
    if not tx.messages.put(chat.chat_id, message):
        return []
    events: list[EngineEvent] = [MessageStored(chat.chat_id, message, tx.revision)]
    if message.out:
        events += _outgoing(tx, chat, message, environment, arrivals)
    elif not message.deleted:
        note_turns(tx, chat, message)
        drafts = message_came(tx, chat, message)
        events += drafts
        if drafts and chat.info.kind is ChatKind.GROUP:
            arrivals.newer.setdefault(chat.chat_id, []).append(message.key.message_id)
        if not is_quiet and triggers(tx, chat, message):
            arrivals.hear(tx, chat, message, environment)
            events += open_for(tx, chat, environment, arrivals)
        elif hangs_on_parent(tx, chat, message):
            arrivals.orphans.setdefault(chat.chat_id, []).append(message.key)
        elif hangs_on_block(tx, chat, message):
            arrivals.ignored.setdefault(chat.chat_id, []).append(message.key)
    events.append(ChatChanged(tx.chats.get(chat.chat_id), tx.revision))
    return events


def open_for(
    tx: Transaction,
    chat: Chat,
    environment: TransactionEnvironment,
    arrivals: Arrivals,
    also: Collection[MessageId] = (),
) -> list[EngineEvent]:
    """Give the unanswered triggers of a chat to its one `received` task, and open the window."""
    trigger_ids = unanswered(tx, chat, also)
    if not trigger_ids:
        return []
    received = open_window(tx, chat, trigger_ids, environment)
    arrivals.triggered[chat.chat_id] = chat.info
    if received.status is not TaskStatus.RUNNING and received.due_at is not None:
        arrivals.wake(chat.chat_id, received.due_at)
    return [step_changed(tx, received)]


def _outgoing(
    tx: Transaction, chat: Chat, message: Message, environment: TransactionEnvironment, arrivals: Arrivals
) -> list[EngineEvent]:
    """Handle an outgoing message from an update: it is one of our sends after all, or the operator's."""
    claimed = claim_of_update(tx, chat, message, environment)
    if claimed is None:
        claimed = match_late_delivery(tx, chat, message, environment)
    if claimed is not None:
        arrivals.wake(chat.chat_id, environment.now())
        return list(claimed)
    if int(chat.info.peer_id) == int(chat.info.account_id):
        return []  # Saved Messages has no partner
    events = operator_wrote(tx, chat, message, environment)
    # The chat then knows when its pause ends; what is unanswered at that time is planned.
    arrivals.wake(chat.chat_id, environment.now())
    return events


def edited(tx: Transaction, chat: Chat, message: Message) -> list[EngineEvent]:
    """Store a new text of a message; drafts that saw the old one are stale. Edits never trigger."""
    before = tx.messages.get(message.key)
    if before is None:
        return []
    if not tx.messages.edit(message):
        if before.edited_at is not None and message.edited_at is not None and message.edited_at < before.edited_at:
            return []  # a later edit is stored already, and newer reactions with it
        return reacted(tx, message.key, message.reactions)
    tx.messages.set_reactions(message.key, message.reactions)
    stored = tx.messages.get(message.key) or message
    # Telegram also reports reactions and previews as edits, and returns other entities for our own sends.
    other_text = stored.text.strip() != before.text.strip()
    rewritten = other_text or (not message.out and stored.entities != before.entities)
    changed = message_changed(tx, chat, stored) if rewritten else []
    return [
        MessageStored(chat.chat_id, stored, tx.revision),
        *changed,
        ChatChanged(tx.chats.get(chat.chat_id), tx.revision),
    ]


def reacted(
    tx: Transaction, key: MessageKey, reactions: tuple[Reaction, ...], *, tells_mine: bool = True
) -> list[EngineEvent]:
    """Store the reactions to a message. They are no edit and trigger nothing.

    Args:
        tx: The transaction.
        key: The message. If it is not stored, nothing is done, because it will come with its reactions.
        reactions: All current reactions.
        tells_mine: They say which are the account's own; otherwise its earlier ones stay its own.
    """
    chat, stored = tx.chats.find(key.account_id, key.peer_id), tx.messages.get(key)
    if chat is None or stored is None:
        return []
    if not tells_mine:
        given = {one.emoji for one in stored.reactions if one.mine}
        reactions = tuple(replace(one, mine=one.emoji in given) for one in reactions)
    if not tx.messages.set_reactions(key, reactions):
        return []
    return [MessageStored(chat.chat_id, replace(stored, reactions=reactions), tx.revision)]


def deleted(
    tx: Transaction, account_id: AccountId, peer_id: PeerId | None, ids: tuple[MessageId, ...]
) -> tuple[list[EngineEvent], frozenset[MessageId]]:
    """Mark messages as deleted; drafts that saw them are stale.

    Returns:
        The events to publish, and the ids that changed.
    """
    events: list[EngineEvent] = []
    marked = tx.messages.mark_deleted(account_id, peer_id, ids)
    for chat_id, message in marked:
        events.append(MessageStored(chat_id, message, tx.revision))
        events += message_changed(tx, tx.chats.get(chat_id), message)
    for chat_id in dict.fromkeys(chat_id for chat_id, _ in marked):
        events.append(ChatChanged(tx.chats.get(chat_id), tx.revision))
    return events, frozenset(message.key.message_id for _, message in marked)


_REMEDY = Note(FaultReason.OTHERS_TAKEN_IN)


class LeftOut:
    """Reports unreadable messages once each while the program runs, however often they are fetched."""

    def __init__(self, bus: EventBus) -> None:
        self._bus = bus
        self._reported: dict[AgentId, set[MessageId]] = {}

    def tell(self, agent_id: AgentId, ids: tuple[MessageId, ...]) -> None:
        """Report messages of an agent's account by their raw ids; without ids it is something other than a message."""
        reported = self._reported.setdefault(agent_id, set())
        if ids and reported.issuperset(ids):
            return
        reported.update(ids)
        cause = Note(FaultReason.MESSAGE_UNREADABLE if ids else FaultReason.UPDATE_UNREADABLE)
        self._bus.publish(FaultReported(f"account of {agent_id}: left out", cause, _REMEDY, Revision(0)))


def edited_by_us(
    tx: Transaction,
    chat: Chat,
    message_id: MessageId,
    text: str,
    entities: tuple[TextEntity, ...],
    at: datetime,
) -> list[EngineEvent]:
    """Store an edit that we made of one of our messages; drafts that saw the old text are stale.

    Args:
        tx: The transaction.
        chat: The conversation.
        message_id: Our message.
        text: The text on Telegram now.
        entities: Its formatting.
        at: The time of the edit, aware UTC.
    """
    before = tx.messages.get(MessageKey(chat.info.account_id, chat.info.peer_id, message_id))
    if before is None:
        return []
    return edited(tx, chat, replace(before, text=text, entities=entities, edited_at=at))


def deleted_by_us(tx: Transaction, chat: Chat, ids: tuple[MessageId, ...]) -> list[EngineEvent]:
    """Mark messages as deleted that we deleted for everyone; drafts that saw them are stale."""
    return deleted(tx, chat.info.account_id, chat.info.peer_id, ids)[0]
