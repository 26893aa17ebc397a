"""Messages in the database."""

from chimein_gui.adapters.store.cache.row_cache import Kept
from chimein_gui.adapters.store.columns.attachments import media_to_json, reactions_to_json
from chimein_gui.adapters.store.columns.conditions import NOT_A_CHANNEL
from chimein_gui.adapters.store.columns.message import COLUMNS, END, IN_CHAT, INSERT, message_of, stored_as, values_of
from chimein_gui.adapters.store.columns.previews import one_line
from chimein_gui.adapters.store.rows.values import entities_to_json, maybe_to_micros
from chimein_gui.adapters.store.search_index import SearchIndex
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId
from chimein_gui.domain.messages import Message, MessageKey, Reaction

EDITED = ("text", "entities", "edited_at", "media_kind", "media")
"""What an edit may change."""
BY_KEY = f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} AND message_id = ?"
BEFORE = f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} AND message_id < ? ORDER BY message_id DESC LIMIT ?"
INCOMING_ABOVE = (
    f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} AND message_id > ? AND out = 0 ORDER BY message_id DESC LIMIT ?"
)
NEWEST_IDS = f"SELECT message_id FROM messages WHERE {IN_CHAT} ORDER BY message_id DESC LIMIT ?"
COUNT_IN = (
    "UPDATE chats SET newest_in_id = max(newest_in_id, ?), unread = unread + (? > read_up_to AND ? = 0),"
    " unindexed = unindexed + 1"
    " WHERE chat_id = ?"
)
ANY_OUTGOING = f"SELECT 1 FROM messages INDEXED BY messages_out WHERE {IN_CHAT} AND out = 1 AND is_service = 0 LIMIT 1"


class SqliteMessageRows:
    """Implements `engine.ports.MessageRows`."""

    def __init__(self, sql: Sql, kept: Kept, search: SearchIndex) -> None:
        self._sql = sql
        self._kept = kept
        self._search = search

    def put(self, chat_id: ChatId, message: Message) -> bool:
        """Insert by key; an existing row is left alone and False returned. Newest id and unread count follow."""
        values = values_of(chat_id, message)
        if self._sql.run(INSERT, *values, teller=self._kept).rowcount == 0:
            return False
        if not message.out:
            message_id = message.key.message_id
            self._sql.run(COUNT_IN, message_id, message_id, message.deleted, chat_id, teller=self._kept)
        self._note(chat_id, stored_as(values))
        self._search.came(chat_id, message.key.message_id, message.text)
        return True

    def _note(self, chat_id: ChatId, message: Message) -> None:
        """Know what a new message changes: as a rule it is the newest of its chat."""
        key, kept = message.key, self._kept
        chat, tail = kept.chats.known(chat_id), kept.messages.tail(key.account_id, key.peer_id)
        number = key.message_id
        is_newest = tail is not None and number > tail.newest_id and (tail.is_whole or bool(tail.messages))
        kept.messages.added(message)
        if chat is None or not is_newest or message.deleted or chat.info.peer_id != key.peer_id:
            kept.chats.touch(chat_id)
            kept.chats.touch_peer(key.account_id, key.peer_id)
            return
        preview = {
            "last_text": one_line(message.text),
            "last_media": message.media_kind,
            "last_out": message.out,
            "last_at": message.sent_at,
        }
        if message.out:
            kept.chats.changed(chat_id, **preview)
        else:
            newest, unread = max(chat.newest_in_id, number), chat.unread + (number > chat.read_up_to)
            kept.chats.changed(chat_id, newest_in_id=newest, unread=unread, **preview)

    def edit(self, message: Message) -> bool:
        """Update text, entities, media and edited_at of an existing row; False when there is none or nothing changed.

        Updates can arrive twice or out of order: an older edit never replaces a newer one.
        """
        key, edited_at = message.key, maybe_to_micros(message.edited_at)
        media = (message.media_kind, media_to_json(message.media))
        new = (message.text, entities_to_json(message.entities), edited_at, *media)
        self._forget(key)
        changed = self._sql.run(
            f"UPDATE messages SET {', '.join(f'{one} = ?' for one in EDITED)} WHERE {IN_CHAT} AND message_id = ?"
            f" AND ({', '.join(EDITED)}) IS NOT (?, ?, ?, ?, ?) AND (edited_at IS NULL OR edited_at <= ?)",
            *new,
            key.account_id,
            key.peer_id,
            key.message_id,
            *new,
            edited_at,
            teller=self._kept,
        )
        if changed.rowcount == 0:
            return False
        self._search.changed(key.account_id, key.peer_id, key.message_id, message.text)
        return True

    def set_reactions(self, key: MessageKey, reactions: tuple[Reaction, ...]) -> bool:
        """Replace the reactions to a message; False when there is no such row or nothing changed."""
        stored = reactions_to_json(reactions)
        self._forget(key)
        changed = self._sql.run(
            f"UPDATE messages SET reactions = ? WHERE {IN_CHAT} AND message_id = ? AND reactions <> ?",
            stored,
            key.account_id,
            key.peer_id,
            key.message_id,
            stored,
            teller=self._kept,
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
        marked = tuple((ChatId(row[3]), message_of(row)) for row in changed)
        for chat_id, message in marked:
            if not message.out:
                self._sql.run(
                    "UPDATE chats SET unread = max(0, unread - 1) WHERE chat_id = ? AND read_up_to < ?",
                    chat_id,
                    message.key.message_id,
                )
        return marked

    def _forget(self, key: MessageKey) -> None:
        self._kept.messages.drop(key.account_id, key.peer_id)
        self._kept.chats.touch_peer(key.account_id, key.peer_id)

    def get(self, key: MessageKey) -> Message | None:
        """Return one message."""
        known = self._kept.messages.find(key)
        if known is not None:
            return known
        return self._sql.first(
            message_of,
            BY_KEY,
            key.account_id,
            key.peer_id,
            key.message_id,
        )

    def before(
        self, account_id: AccountId, peer_id: PeerId, *, before_id: MessageId | None, limit: int
    ) -> tuple[Message, ...]:
        """Return up to `limit` newest messages below `before_id` (None: from the end), oldest first."""
        tail, limit = self._kept.messages.tail(account_id, peer_id), max(0, limit)
        known = None if tail is None else tail.below(before_id, limit)
        if known is not None:
            return known
        end = END if before_id is None else before_id
        found = self._sql.made(message_of, BEFORE, account_id, peer_id, end, limit)[::-1]
        if before_id is None and limit:
            self._kept.messages.keep(account_id, peer_id, found, is_whole=len(found) < limit)
        return found

    def incoming_above(
        self, account_id: AccountId, peer_id: PeerId, *, above_id: MessageId, limit: int
    ) -> tuple[Message, ...]:
        """Return up to `limit` newest incoming messages above `above_id`, oldest first."""
        tail, limit = self._kept.messages.tail(account_id, peer_id), max(0, limit)
        if tail is not None and tail.reaches(above_id):
            found = tuple(message for message in tail.above(above_id) if not message.out)
            return found[-limit:] if limit else ()
        return self._sql.made(message_of, INCOMING_ABOVE, account_id, peer_id, above_id, limit)[::-1]

    def newest_ids(self, account_id: AccountId, peer_id: PeerId, *, limit: int) -> tuple[MessageId, ...]:
        """Return up to `limit` newest stored ids, in or out, newest first."""
        tail, limit = self._kept.messages.tail(account_id, peer_id), max(0, limit)
        known = None if tail is None else tail.below(None, limit)
        if known is not None:
            return tuple(message.key.message_id for message in reversed(known))
        rows = self._sql.all(NEWEST_IDS, account_id, peer_id, limit)
        return tuple(MessageId(number) for (number,) in rows)

    def newest_id(self, account_id: AccountId, peer_id: PeerId) -> MessageId:
        """Return the newest stored id, in or out; 0 for an empty chat."""
        return next(iter(self.newest_ids(account_id, peer_id, limit=1)), MessageId(0))

    def has_outgoing(self, account_id: AccountId, peer_id: PeerId) -> bool:
        """Tell whether this account ever wrote there, from whatever device; to have joined is not to have written."""
        if self._kept.messages.has_written(account_id, peer_id):
            return True
        if self._sql.one(ANY_OUTGOING, account_id, peer_id) is None:
            return False
        self._kept.messages.wrote(account_id, peer_id)
        return True

    def count_in(self, account_id: AccountId, peer_id: PeerId, *, above_id: MessageId) -> int:
        """Count the incoming messages above an id that are not deleted ("12 newer")."""
        row = self._sql.one(
            f"SELECT count(*) FROM messages WHERE {IN_CHAT} AND message_id > ? AND out = 0 AND deleted = 0",
            account_id,
            peer_id,
            above_id,
        )
        return 0 if row is None else int(row[0])
