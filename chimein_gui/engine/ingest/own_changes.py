"""What we changed on Telegram ourselves: it tells its own session nothing of that, so we write it into the store.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.messages import MessageKey
from chimein_gui.engine.ingest.receive import deleted, edited

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import MessageId
    from chimein_gui.domain.messages import TextEntity
    from chimein_gui.engine.ports import Transaction


def edited_by_us(
    tx: Transaction,
    chat: Chat,
    message_id: MessageId,
    text: str,
    entities: tuple[TextEntity, ...],
    at: datetime,
) -> list[EngineEvent]:
    """Store the text we gave one of our messages; drafts that saw the old one are stale.

    Args:
        tx: The transaction.
        chat: The conversation.
        message_id: Our message.
        text: As it is on Telegram now.
        entities: Its formatting.
        at: When, aware UTC.
    """
    before = tx.messages.get(MessageKey(chat.info.account_id, chat.info.peer_id, message_id))
    if before is None:
        return []
    return edited(tx, chat, replace(before, text=text, entities=entities, edited_at=at))


def deleted_by_us(tx: Transaction, chat: Chat, ids: tuple[MessageId, ...]) -> list[EngineEvent]:
    """Mark as deleted what we deleted for everyone; drafts that saw it are stale."""
    return deleted(tx, chat.info.account_id, chat.info.peer_id, ids)[0]
