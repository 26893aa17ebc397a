"""Takeover: the agent pauses in a chat where the operator writes himself, here or on another device.

See docs/behaviour.md, "Takeover".

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.events import ChatChanged, EngineEvent
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.tasks.transitions import back_to_review, changed, move_task, step_changed
from chimein_gui.engine.triggers.staleness import conversation_changed
from chimein_gui.engine.triggers.triggers import open_window, unanswered

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import ChatId, MessageId
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Transaction

LIVE = timedelta(seconds=60)
"""A message of the operator younger than this counts as written now, because clocks differ."""

ANSWERED = Note(NoteKind.ANSWERED_BY_OPERATOR)

TOOK_OVER = Note(NoteKind.TOOK_OVER)


def begin_takeover(tx: Transaction, chat: Chat, now: datetime, preferences: Preferences) -> list[EngineEvent]:
    """Pause the agent in a chat because the operator writes there; open drafts become *conversation changed*.

    Args:
        tx: The transaction that stores his message.
        chat: The conversation.
        now: When he wrote, aware UTC; a pause that lasts longer stays.
        preferences: The length of the pause (`takeover_s`).
    """
    until = now + timedelta(seconds=preferences.takeover_s)
    if preferences.takeover_s > 0 and (chat.takeover_until is None or chat.takeover_until < until):
        tx.chats.set_takeover(chat.chat_id, until)
    events = conversation_changed(tx, chat)
    return [*events, ChatChanged(tx.chats.get(chat.chat_id), tx.revision)]


def operator_wrote(
    tx: Transaction, chat: Chat, message: Message, environment: TransactionEnvironment
) -> list[EngineEvent]:
    """Handle an outgoing message that is not from a request of ours: the operator wrote on another device.

    Messages before it count as answered. Service, scheduled and bot-made messages are no takeover and answer nothing,
    though the drafts have not seen them either. The pause begins when the message was written, even if it is reported
    late.
    """
    if message.is_service:
        return []
    if message.is_automatic:
        return conversation_changed(tx, chat)
    now = environment.now()
    wrote_at = now if now - message.sent_at <= LIVE else message.sent_at
    events = answered_up_to(tx, chat, message.key.message_id)
    if wrote_at + timedelta(seconds=environment.preferences.takeover_s) <= now:
        return [*events, *conversation_changed(tx, chat)]
    return [*events, *begin_takeover(tx, chat, wrote_at, environment.preferences)]


def answered_up_to(tx: Transaction, chat: Chat, message_id: MessageId) -> list[EngineEvent]:
    """Mark everything up to a message as answered by the operator, and cancel the planning for it."""
    tx.chats.set_planned_up_to(chat.chat_id, message_id)
    received = tx.tasks.open_received(chat.chat_id)
    if received is None or received.status is TaskStatus.RUNNING:
        return []  # a plan that is being made checks this at its end
    left = unanswered(tx, tx.chats.get(chat.chat_id))
    if left:
        tx.tasks.save(replace(received, trigger_ids=left))
        return []
    tx.chats.set_planning_problem(chat.chat_id, None)
    return [step_changed(tx, move_task(tx, received, TaskStatus.CANCELLED, reason=ANSWERED, due_at=None))]


def take_over(tx: Transaction, chat: Chat, environment: TransactionEnvironment) -> list[EngineEvent]:
    """Pause the agent in a chat at the operator's command; without a new message no draft becomes stale."""
    seconds = environment.preferences.takeover_s
    if seconds <= 0:
        return []
    until = environment.now() + timedelta(seconds=seconds)
    if chat.takeover_until is None or chat.takeover_until < until:
        tx.chats.set_takeover(chat.chat_id, until)
    events: list[EngineEvent] = []
    for approval in tx.approvals.of_chat(chat.chat_id):
        if approval.task_status is TaskStatus.APPROVED and approval.by_rule:
            events += changed(tx, back_to_review(tx, approval, AskReason.TAKEOVER, TOOK_OVER))
    return [*events, ChatChanged(tx.chats.get(chat.chat_id), tx.revision)]


def end_takeover(tx: Transaction, chat: Chat, environment: TransactionEnvironment) -> list[EngineEvent]:
    """End the pause of a chat; only unanswered messages are planned."""
    tx.chats.set_takeover(chat.chat_id, None)
    chat = tx.chats.get(chat.chat_id)
    trigger_ids = unanswered(tx, chat)
    graph = tx.graphs.current_of(chat.chat_id)
    planned = graph is not None and graph.trigger_ids[-1:] == trigger_ids[-1:]
    received = tx.tasks.open_received(chat.chat_id)
    if trigger_ids and (received is not None or not (planned and _has_open_drafts(tx, chat))):
        open_window(tx, chat, trigger_ids, environment)
    return [ChatChanged(tx.chats.get(chat.chat_id), tx.revision)]


def _has_open_drafts(tx: Transaction, chat: Chat) -> bool:
    return any(approval.task_status is not TaskStatus.PARKED for approval in tx.approvals.of_chat(chat.chat_id))


class Takeovers:
    """Begins and ends takeovers at the operator's command."""

    def __init__(
        self,
        unit: UnitOfWork,
        environment: TransactionEnvironment,
    ) -> None:
        self._unit = unit
        self._environment = environment

    async def begin(self, chat_id: ChatId) -> None:
        """Take a chat over before a message is written: unsent approvals of rules wait for the operator.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: Nothing has changed.
        """
        environment = self._environment
        await self._unit.apply(lambda tx: take_over(tx, tx.chats.get(chat_id), environment))

    async def resume(self, chat_id: ChatId) -> None:
        """End the pause of a chat now.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: Nothing has changed.
        """
        environment = self._environment
        await self._unit.apply(lambda tx: end_takeover(tx, tx.chats.get(chat_id), environment))
