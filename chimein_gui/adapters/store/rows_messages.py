"""Messages in the database."""

from functools import lru_cache

from chimein_gui.adapters.store.conditions import NOT_A_CHANNEL
from chimein_gui.adapters.store.sql import Sql, Value
from chimein_gui.adapters.store.values import (
    SAME_ROWS,
    Row,
    entities_from_json,
    entities_to_json,
    from_micros,
    maybe_from_micros,
    maybe_to_micros,
    to_micros,
)
from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId, UserId
from chimein_gui.domain.messages import Message, MessageKey

END = 2**63 - 1
"""Above every message id."""

COLUMNS = (
    "account_id, peer_id, message_id, chat_id, sender_id, sender_name, out, sent_at, text, entities,"
    " reply_to_id, thread_id, is_bot, grouped_id, media_kind, is_service, edited_at, deleted, raw_json"
)
INSERT = f"""
INSERT INTO messages ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING
"""
IN_CHAT = "account_id = ? AND peer_id = ?"


class SqliteMessageRows:
    """Implements `engine.ports.MessageRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def put(self, chat_id: ChatId, message: Message) -> bool:
        """Insert by key; an existing row is left alone and False returned. Newest id and unread count follow."""
        if self._sql.run(INSERT, *_values(chat_id, message)).rowcount == 0:
            return False
        if not message.out:
            message_id = message.key.message_id
            self._sql.run(
                "UPDATE chats SET newest_in_id = max(newest_in_id, ?), unread = unread + (? > read_up_to AND ? = 0)"
                " WHERE chat_id = ?",
                message_id,
                message_id,
                message.deleted,
                chat_id,
            )
        return True

    def edit(self, message: Message) -> bool:
        """Update text, entities and edited_at of an existing row; False when there is none or nothing changed.

        Updates can arrive twice or out of order: an older edit never replaces a newer one.
        """
        key, edited_at = message.key, maybe_to_micros(message.edited_at)
        new = (message.text, entities_to_json(message.entities), edited_at)
        changed = self._sql.run(
            f"UPDATE messages SET text = ?, entities = ?, edited_at = ? WHERE {IN_CHAT} AND message_id = ?"
            " AND (text, entities, edited_at) IS NOT (?, ?, ?) AND (edited_at IS NULL OR edited_at <= ?)",
            *new,
            key.account_id,
            key.peer_id,
            key.message_id,
            *new,
            edited_at,
        )
        return changed.rowcount > 0

    def mark_deleted(
        self, account_id: AccountId, peer_id: PeerId | None, ids: tuple[MessageId, ...]
    ) -> tuple[tuple[ChatId, Message], ...]:
        """Mark rows as deleted (without a peer: over non-channel peers) and return those that changed."""
        where, peer = ("peer_id = ?", (peer_id,)) if peer_id is not None else (NOT_A_CHANNEL, ())
        index = "" if peer_id is not None else "INDEXED BY messages_without_peer"
        changed = [
            row
            for message_id in ids
            for row in self._sql.all(
                f"UPDATE messages {index} SET deleted = 1"
                f" WHERE account_id = ? AND {where} AND message_id = ? AND deleted = 0 RETURNING {COLUMNS}",
                account_id,
                *peer,
                message_id,
            )
        ]
        marked = tuple((ChatId(row[3]), _message(row)) for row in changed)
        for chat_id, message in marked:
            if not message.out:
                self._sql.run(
                    "UPDATE chats SET unread = max(0, unread - 1) WHERE chat_id = ? AND read_up_to < ?",
                    chat_id,
                    message.key.message_id,
                )
        return marked

    def get(self, key: MessageKey) -> Message | None:
        """Return one message."""
        return self._sql.first(
            _message,
            f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} AND message_id = ?",
            key.account_id,
            key.peer_id,
            key.message_id,
        )

    def before(
        self, account_id: AccountId, peer_id: PeerId, *, before_id: MessageId | None, limit: int
    ) -> tuple[Message, ...]:
        """Return up to `limit` newest messages below `before_id` (None: from the end), oldest first."""
        return self._sql.made(
            _message,
            f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} AND message_id < ? ORDER BY message_id DESC LIMIT ?",
            account_id,
            peer_id,
            END if before_id is None else before_id,
            max(0, limit),
        )[::-1]

    def incoming_above(
        self, account_id: AccountId, peer_id: PeerId, *, above_id: MessageId, limit: int
    ) -> tuple[Message, ...]:
        """Return up to `limit` newest incoming messages above `above_id`, oldest first."""
        return self._sql.made(
            _message,
            f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} AND message_id > ? AND out = 0"
            " ORDER BY message_id DESC LIMIT ?",
            account_id,
            peer_id,
            above_id,
            max(0, limit),
        )[::-1]

    def newest_ids(self, account_id: AccountId, peer_id: PeerId, *, limit: int) -> tuple[MessageId, ...]:
        """Return up to `limit` newest stored ids, in or out, newest first."""
        rows = self._sql.all(
            f"SELECT message_id FROM messages WHERE {IN_CHAT} ORDER BY message_id DESC LIMIT ?",
            account_id,
            peer_id,
            max(0, limit),
        )
        return tuple(MessageId(number) for (number,) in rows)

    def newest_id(self, account_id: AccountId, peer_id: PeerId) -> MessageId:
        """Return the newest stored id, in or out; 0 for an empty chat."""
        row = self._sql.one(
            f"SELECT message_id FROM messages WHERE {IN_CHAT} ORDER BY message_id DESC LIMIT 1", account_id, peer_id
        )
        return MessageId(0 if row is None else row[0])

    def has_outgoing(self, account_id: AccountId, peer_id: PeerId) -> bool:
        """Tell whether this account ever wrote there, from whatever device; to have joined is not to have written."""
        return (
            self._sql.one(
                f"SELECT 1 FROM messages INDEXED BY messages_out WHERE {IN_CHAT} AND out = 1"
                " AND is_service = 0 LIMIT 1",
                account_id,
                peer_id,
            )
            is not None
        )

    def count_in(self, account_id: AccountId, peer_id: PeerId, *, above_id: MessageId) -> int:
        """Count the incoming messages above an id that are not deleted ("12 newer")."""
        row = self._sql.one(
            f"SELECT count(*) FROM messages WHERE {IN_CHAT} AND message_id > ? AND out = 0 AND deleted = 0",
            account_id,
            peer_id,
            above_id,
        )
        return 0 if row is None else int(row[0])


def _values(chat_id: ChatId, message: Message) -> tuple[Value, ...]:
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
    )


@lru_cache(SAME_ROWS)
def _message(row: Row) -> Message:
    (account_id, peer_id, message_id, _chat_id, sender_id, sender_name, out, sent_at, text, entities, *rest) = row
    (reply_to_id, thread_id, is_bot, grouped_id, media_kind, is_service, edited_at, deleted, raw_json) = rest
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
    )
