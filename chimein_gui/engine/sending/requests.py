"""What a request does at the gateway, and how it is found out afterwards whether it did.

Blocking, unblocking and clearing may be repeated: twice is as good as once. They are ledger rows all the same, so that
each happens on exactly one decision, and never under hold.
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
    """Hand one request over and wait for its answer; a deed's receipt names no message.

    Args:
        gateway: Where to.
        approval: The send.
        row: Its request.
        uploaded: For a file: its bytes; without them nothing is handed over.

    Raises:
        GatewayError: As `TelegramGateway` says for what changes something.
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
    """Look up whether a deed without an answer was carried out.

    Raises:
        GatewayError: It cannot be looked up now.
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
    """Mark as deleted what a `clear-conversation` took away: Telegram tells its own session nothing of it."""
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
