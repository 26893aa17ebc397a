"""Deletes sent messages for everyone and edits them for 48 hours (docs/behaviour.md, "After sending").

Telegram does not report a session's own changes to it, so they are written into the store here.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason, with_reason
from chimein_gui.domain.errors import NotConnectedError, OutcomeUnknownError
from chimein_gui.domain.events import TaskStatusChanged
from chimein_gui.domain.messages import MAX_MESSAGE_UNITS, MessageKey, utf16_length
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.tasks import LedgerState, TaskStatus
from chimein_gui.engine.approvals.admission import text_problem
from chimein_gui.engine.ingest.receive import deleted_by_us, edited_by_us
from chimein_gui.engine.policy.hold_check import hold_note
from chimein_gui.engine.sending.claim_checks import DELETED_NOTE
from chimein_gui.engine.sending.presence import ignore_gateway_errors
from chimein_gui.engine.tasks.transitions import back_to_review
from chimein_gui.engine.text.markdown import formatted

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AccountId, ChatId, MessageId
    from chimein_gui.domain.messages import Message, TextEntity
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Clock, Spawn, Store, TelegramGateway, Transaction
    from chimein_gui.engine.sending.in_flight import InFlightRequests

EDITABLE = timedelta(hours=48)
"""How long Telegram lets a message be edited."""

ANSWER_S = 20.0
"""How long Telegram's answer is awaited; repeating the request is harmless."""

NOT_OURS = Note(Reason.NOT_OURS)


@dataclass(frozen=True, slots=True)
class _Sent:
    """The stored state of messages that are to be changed.

    Attributes:
        chat: The conversation.
        messages: Our messages among them that are stored and not deleted.
        refusal: Why nothing may be changed now; None if it may.
    """

    chat: Chat
    messages: tuple[Message, ...]
    refusal: Note | None


class SentMessages:
    """Edits and deletes sent messages."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        spawn: Spawn,
        environment: TransactionEnvironment,
        unit: UnitOfWork,
        in_flight: InFlightRequests,
        gateway_of: Callable[[AccountId], TelegramGateway | None],
    ) -> None:
        """`in_flight` are the unanswered requests that a hold awaits."""
        self._store = store
        self._clock = clock
        self._environment = environment
        self._spawn = spawn
        self._unit = unit
        self._in_flight = in_flight
        self._gateway_of = gateway_of

    async def edit(self, chat_id: ChatId, message_id: MessageId, text: str) -> Note | None:
        """Give a message of ours another text.

        Args:
            chat_id: The conversation.
            message_id: The message.
            text: Markdown.

        Returns:
            Why it was not done; None if it was.

        Raises:
            NotFoundError: There is no such chat.
            GatewayError: Telegram refused, or gave no answer: doing it again is harmless.
            TimeoutError: No answer came within 20 s.
        """
        sent = await self._store.read(partial(self._look, chat_id=chat_id, ids=(message_id,)))
        plain, entities = formatted(text)
        refusal = sent.refusal or self._against_editing(sent.messages, text, plain)
        if refusal:
            return refusal
        held = await self._ask(
            sent.chat, lambda gateway: gateway.edit_text(sent.chat.info.peer_id, message_id, plain, entities)
        )
        if held:
            return held
        await self._unit.record(
            partial(self._edited, chat_id=chat_id, message_id=message_id, text=plain, entities=entities)
        )
        return None

    async def delete(self, chat_id: ChatId, message_id: MessageId) -> Note | None:
        """Delete a message of ours for everyone; a split message is deleted with all its parts.

        Args:
            chat_id: The conversation.
            message_id: The message, or any part of it.

        Returns:
            Why it was not done; None if it was.

        Raises:
            NotFoundError: There is no such chat.
            GatewayError: Telegram refused, or gave no answer: doing it again is harmless.
            TimeoutError: No answer came within 20 s.
        """
        ids = await self._store.read(partial(_all_parts, chat_id=chat_id, message_id=message_id))
        sent = await self._store.read(partial(self._look, chat_id=chat_id, ids=ids))
        refusal = sent.refusal or (None if sent.messages else NOT_OURS)
        if refusal:
            return refusal
        held = await self._ask(sent.chat, lambda gateway: gateway.delete_messages(sent.chat.info.peer_id, ids))
        if held:
            return held
        await self._unit.record(partial(_deleted, chat_id=chat_id, ids=ids))
        return None

    async def _ask(self, chat: Chat, request: Callable[[TelegramGateway], Awaitable[None]]) -> Note | None:
        """Make one request; returns why it is held, None if Telegram has carried it out.

        The hold is checked again once the request counts as in flight: a later hold waits for the request and then
        drops it. An unanswered request is still queued in this client and must not leave later.
        """
        gateway = self._gateway(chat)
        with self._in_flight.track(chat.info.account_id, chat.chat_id, gateway):
            held = await self._store.read(partial(self._held, chat=chat))
            if held:
                return held
            try:
                async with self._clock.timeout(ANSWER_S):
                    await request(gateway)
            except (OutcomeUnknownError, TimeoutError):
                self._drop(gateway)
                raise
            except asyncio.CancelledError as error:
                self._drop(gateway)
                job = asyncio.current_task()
                if job is None or not job.cancelling():
                    raise OutcomeUnknownError(Note(Reason.CHANGE_UNANSWERED)) from error
                raise
        return None

    def _drop(self, gateway: TelegramGateway) -> None:
        self._spawn(ignore_gateway_errors(gateway.disconnect), name="drop the connection of an unanswered change")

    def _held(self, tx: Transaction, *, chat: Chat) -> Note | None:
        return hold_note(tx, self._environment, chat.info.account_id, chat.chat_id)

    def _gateway(self, chat: Chat) -> TelegramGateway:
        gateway = self._gateway_of(chat.info.account_id)
        if gateway is None or not gateway.is_up():
            raise NotConnectedError(Note(Reason.NOTHING_CHANGED))
        return gateway

    def _look(self, tx: Transaction, *, chat_id: ChatId, ids: Iterable[MessageId]) -> _Sent:
        chat = tx.chats.get(chat_id)
        account, peer = chat.info.account_id, chat.info.peer_id
        found = (tx.messages.get(MessageKey(account, peer, number)) for number in ids)
        mine = tuple(message for message in found if message is not None and message.out and not message.deleted)
        return _Sent(chat, mine, self._held(tx, chat=chat))

    def _against_editing(self, messages: tuple[Message, ...], text: str, plain: str) -> Note | None:
        if not messages:
            return NOT_OURS
        message = messages[0]
        if message.media_kind not in {"", "webpage"} or message.is_service:
            return Note(Reason.ONLY_TEXT)
        if self._environment.now() - message.sent_at >= EDITABLE:
            return Note(Reason.TOO_OLD_TO_EDIT)
        too_long = Note(Reason.LONGER_THAN_ONE) if utf16_length(plain) > MAX_MESSAGE_UNITS else None
        return text_problem(text) or too_long

    def _edited(
        self,
        tx: Transaction,
        *,
        chat_id: ChatId,
        message_id: MessageId,
        text: str,
        entities: tuple[TextEntity, ...],
    ) -> tuple[list[EngineEvent], None]:
        chat, now = tx.chats.get(chat_id), self._environment.now()
        return edited_by_us(tx, chat, message_id, text, entities, now), None


def _deleted(tx: Transaction, *, chat_id: ChatId, ids: tuple[MessageId, ...]) -> tuple[list[EngineEvent], None]:
    events = deleted_by_us(tx, tx.chats.get(chat_id), ids)
    owner = _owner(tx, chat_id, ids[0])
    if owner is not None:
        _keep_back(tx, owner)
        events.append(TaskStatusChanged(tx.approvals.get(owner.approval_id), tx.revision))
    return events, None


def _keep_back(tx: Transaction, owner: Approval) -> None:
    """Mark the card of a deleted message; its unsent parts are not sent automatically."""
    if owner.task_status is TaskStatus.APPROVED:
        back_to_review(tx, owner, None, DELETED_NOTE)
        return
    if owner.task_status in {TaskStatus.SENDING, TaskStatus.UNKNOWN}:
        owner = replace(owner, reasons=with_reason(owner.reasons, AskReason.CHANGED), changed_at=tx.revision)
    tx.approvals.save(replace(owner, note=DELETED_NOTE))


def _all_parts(tx: Transaction, *, chat_id: ChatId, message_id: MessageId) -> tuple[MessageId, ...]:
    """Return all messages of the send that contains a message; only the message itself if no send contains it."""
    owner = _owner(tx, chat_id, message_id)
    if owner is None:
        return (message_id,)
    rows = tx.ledger.of_approval(owner.approval_id)
    return tuple(row.message_id for row in rows if row.state is LedgerState.SENT and row.message_id is not None)


def _owner(tx: Transaction, chat_id: ChatId, message_id: MessageId) -> Approval | None:
    """Return the send that contains a message.

    A message of a request that was given up and arrived late is ours, but not part of the send that replaced it.
    """
    info = tx.chats.get(chat_id).info
    row = tx.ledger.owner_of(info.account_id, info.peer_id, message_id)
    return tx.approvals.get(row.approval_id) if row is not None and row.state is LedgerState.SENT else None
