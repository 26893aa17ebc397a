"""Columns of messages."""

from functools import lru_cache

from chimein_gui.adapters.store.columns.attachments import (
    forward_from_json,
    forward_to_json,
    media_from_json,
    media_to_json,
    reactions_from_json,
    reactions_to_json,
)
from chimein_gui.adapters.store.rows.values import (
    SAME_ROWS,
    Row,
    entities_from_json,
    entities_to_json,
    from_micros,
    maybe_from_micros,
    maybe_to_micros,
    to_micros,
)
from chimein_gui.adapters.store.sql import Value
from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId, UserId
from chimein_gui.domain.messages import Message, MessageKey

END = 2**63 - 1
"""Larger than every message id."""

COLUMNS = (
    "account_id, peer_id, message_id, chat_id, sender_id, sender_name, out, sent_at, text, entities,"
    " reply_to_id, thread_id, is_bot, grouped_id, media_kind, is_service, edited_at, deleted, raw_json,"
    " media, forward, reactions, mentioned"
)
INSERT = f"""
INSERT INTO messages ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING
"""
IN_CHAT = "account_id = ? AND peer_id = ?"
"""Parameters: the account and the peer, in this order."""


def values_of(chat_id: ChatId, message: Message) -> tuple[Value, ...]:
    """Return the values of `COLUMNS`."""
    key = message.key
    return (
        key.account_id,
        key.peer_id,
        key.message_id,
        chat_id,
        message.sender_id,
        message.sender_name,
        message.out,
        to_micros(message.sent_at),
        message.text,
        entities_to_json(message.entities),
        message.reply_to_id,
        message.thread_id,
        message.is_bot,
        message.grouped_id,
        message.media_kind,
        message.is_service,
        maybe_to_micros(message.edited_at),
        message.deleted,
        message.raw_json,
        media_to_json(message.media),
        forward_to_json(message.forward),
        reactions_to_json(message.reactions),
        message.mentioned,
    )


@lru_cache(SAME_ROWS)
def message_of(row: Row) -> Message:
    """Return the message of a row of `COLUMNS`."""
    (account_id, peer_id, message_id, _chat_id, sender_id, sender_name, out, sent_at, text, entities, *rest) = row
    (reply_to_id, thread_id, is_bot, grouped_id, media_kind, is_service, edited_at, deleted, raw_json, *attached) = rest
    media, forward, reactions, mentioned = attached
    return Message(
        key=MessageKey(AccountId(account_id), PeerId(peer_id), MessageId(message_id)),
        sender_id=None if sender_id is None else UserId(sender_id),
        sender_name=sender_name,
        out=bool(out),
        sent_at=from_micros(sent_at),
        text=text,
        entities=entities_from_json(entities),
        reply_to_id=None if reply_to_id is None else MessageId(reply_to_id),
        thread_id=thread_id,
        is_bot=bool(is_bot),
        grouped_id=grouped_id,
        media_kind=media_kind,
        is_service=bool(is_service),
        edited_at=maybe_from_micros(edited_at),
        deleted=bool(deleted),
        raw_json=raw_json,
        media=media_from_json(media),
        forward=forward_from_json(forward),
        reactions=reactions_from_json(reactions),
        mentioned=bool(mentioned),
    )
