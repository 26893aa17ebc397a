"""Execution of requests at the gateway, and the look-up of whether they were executed.

Blocking, unblocking and clearing are idempotent. They are ledger rows all the same, so that each happens on exactly one
decision, and never under hold.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.errors import NotConnectedError
from chimein_gui.domain.events import EngineEvent, MessageStored
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import TaskKind
from chimein_gui.engine.ports import FileRequest, SendRequest, SentReceipt, StickerRequest

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.engine.ports import LedgerRow, TelegramGateway, Transaction, UploadedFile

_PAGE = 500


async def execute(
    gateway: TelegramGateway, approval: Approval, row: LedgerRow, uploaded: UploadedFile | None = None
) -> SentReceipt:
    """Hand one request over and wait for its answer; only sends have a message in the receipt.

    Args:
        gateway: The account's gateway.
        approval: The send.
        row: Its request.
        uploaded: The uploaded file, for a file; without it nothing is handed over.

    Raises:
        GatewayError: As documented in `TelegramGateway` for changes.
    """
    peer_id = approval.peer_id
    if row.kind is TaskKind.SEND:
        return await gateway.send_text(SendRequest(peer_id, row.text, row.reply_to_id, row.random_id, row.entities))
    if row.kind is TaskKind.STICKER and row.sticker is not None:
        return await gateway.send_sticker(StickerRequest(peer_id, row.sticker, row.reply_to_id, row.random_id))
    if row.kind is TaskKind.FILE and row.file is not None:
        if uploaded is None:
            raise NotConnectedError(Note(NoteKind.UPLOADING))
        request = FileRequest(peer_id, row.file, uploaded, row.text, row.reply_to_id, row.random_id, row.entities)
        return await gateway.send_file(request)
    if row.kind is TaskKind.BLOCK:
        await gateway.block(peer_id)
    elif row.kind is TaskKind.UNBLOCK:
        await gateway.unblock(peer_id)
    elif row.kind is TaskKind.CLEAR_CONVERSATION:
        await gateway.clear_conversation(peer_id, row.up_to)
    return SentReceipt(None, None)


async def is_done(gateway: TelegramGateway, approval: Approval, row: LedgerRow) -> bool:
    """Look up whether an action without a message was executed.

    Raises:
        GatewayError: The look-up failed.
    """
    if row.kind is TaskKind.BLOCK:
        return await gateway.is_blocked(approval.peer_id)
    if row.kind is TaskKind.UNBLOCK:
        return not await gateway.is_blocked(approval.peer_id)
    if row.kind is TaskKind.CLEAR_CONVERSATION:
        left = await gateway.history(approval.peer_id, limit=1, below_id=MessageId(row.up_to + 1))
        return not left
    return row.kind is TaskKind.SHUTDOWN  # a program that has ended has stopped its agents


def forget_cleared(tx: Transaction, approval: Approval, row: LedgerRow) -> list[EngineEvent]:
    """Mark messages deleted by a `clear-conversation`, because Telegram does not report it to its own session."""
    if row.kind is not TaskKind.CLEAR_CONVERSATION:
        return []
    events: list[EngineEvent] = []
    before: MessageId = MessageId(row.up_to + 1)
    while page := tx.messages.before(approval.account_id, approval.peer_id, before_id=before, limit=_PAGE):
        gone = tuple(message.key.message_id for message in page)
        for chat_id, message in tx.messages.mark_deleted(approval.account_id, approval.peer_id, gone):
            events.append(MessageStored(chat_id, message, tx.revision))
        before = gone[0]
    return events
