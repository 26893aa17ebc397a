"""Messages in the database."""

from chimein_gui.adapters.store.columns.attachments import media_to_json, reactions_to_json
from chimein_gui.adapters.store.columns.conditions import NOT_A_CHANNEL
from chimein_gui.adapters.store.columns.message import COLUMNS, END, IN_CHAT, INSERT, message_of, values_of
from chimein_gui.adapters.store.columns.newest import NEWEST, ids_of, know_found, know_newest, known_newest
from chimein_gui.adapters.store.columns.previews import PREVIEW, know_preview, known_preview
from chimein_gui.adapters.store.memo import NOTHING, Scope, peer_scope
from chimein_gui.adapters.store.people.forgotten import ForgottenMessages
from chimein_gui.adapters.store.rows.chats import count_incoming
from chimein_gui.adapters.store.rows.values import Row, entities_to_json, maybe_to_micros, well_formed
from chimein_gui.adapters.store.search_index import SearchIndex
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId
from chimein_gui.domain.messages import Message, MessageKey, Reaction

EDITED = ("text", "entities", "edited_at", "media_kind", "media")
"""Columns that an edit may change."""
BY_KEY = f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} AND message_id = ?"
BEFORE = f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} AND message_id < ? ORDER BY message_id DESC LIMIT ?"
INCOMING_ABOVE = (
    f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} AND message_id > ? AND out = 0 ORDER BY message_id DESC LIMIT ?"
)
NEWEST_IDS = f"SELECT message_id FROM messages WHERE {IN_CHAT} ORDER BY message_id DESC LIMIT ?"
ANY_OUTGOING = f"SELECT 1 FROM messages INDEXED BY messages_out WHERE {IN_CHAT} AND out = 1 AND is_service = 0 LIMIT 1"
AFTER_PUT = frozenset({NEWEST, PREVIEW, ANY_OUTGOING})
"""Queries whose results are known after a message was put that is not deleted, if the account ever wrote there."""


class SqliteMessageRows:
    """Implements `engine.ports.MessageRows`."""

    def __init__(self, sql: Sql, search: SearchIndex) -> None:
        self._sql = sql
        self._search = search
        self._forgotten = ForgottenMessages(sql)

    def put(self, chat_id: ChatId, message: Message) -> bool:
        if self._forgotten.holds(message):
            return False
        peer = message.key.account_id, message.key.peer_id
        values, before = values_of(chat_id, message), known_preview(self._sql, message.key)
        newest = known_newest(self._sql, *peer)
        wrote = self._sql.known(_found, ANY_OUTGOING, *peer)
        words = "\n".join([value for value in values if type(value) is str])
        is_as_given = well_formed(words) is words  # else other words are stored
        known = AFTER_PUT if is_as_given and wrote and not message.deleted else NOTHING
        if self._sql.run(INSERT, *values, scope=Scope(chat_id, peer), known=known).rowcount == 0:
            return False
        know_preview(self._sql, before, message)
        if wrote:  # another message does not change that
            self._sql.know(wrote, _found, ANY_OUTGOING, *peer, scope=peer_scope(*peer))
        if is_as_given:
            stored = message_of(values)
            self._sql.know((stored,), message_of, BY_KEY, *peer, message.key.message_id, scope=peer_scope(*peer))
            if newest is not None:
                know_newest(self._sql, *peer, newest.with_new(stored))
        if not message.out:
            count_incoming(self._sql, chat_id, message)
        self._search.came(chat_id, message.key.message_id, message.text)
        return True

    def edit(self, message: Message) -> bool:
        """Update text, entities, media and edited_at of an existing row; False if there is none or nothing changed.

        Updates can arrive twice or out of order: an older edit never replaces a newer one.
        """
        if self._forgotten.holds(message):
            return False
        key, edited_at = message.key, maybe_to_micros(message.edited_at)
        media = (message.media_kind, media_to_json(message.media))
        new = (message.text, entities_to_json(message.entities), edited_at, *media)
        changed = self._sql.run(
            f"UPDATE messages SET {', '.join(f'{one} = ?' for one in EDITED)} WHERE {IN_CHAT} AND message_id = ?"
            f" AND ({', '.join(EDITED)}) IS NOT (?, ?, ?, ?, ?) AND (edited_at IS NULL OR edited_at <= ?)",
            *new,
            key.account_id,
            key.peer_id,
            key.message_id,
            *new,
            edited_at,
        )
        if changed.rowcount == 0:
            return False
        self._search.changed(key.account_id, key.peer_id, key.message_id, message.text)
        return True

    def set_reactions(self, key: MessageKey, reactions: tuple[Reaction, ...]) -> bool:
        stored = reactions_to_json(reactions)
        changed = self._sql.run(
            f"UPDATE messages SET reactions = ? WHERE {IN_CHAT} AND message_id = ? AND reactions <> ?",
            stored,
            key.account_id,
            key.peer_id,
            key.message_id,
            stored,
        )
        return changed.rowcount > 0

    def mark_deleted(
        self, account_id: AccountId, peer_id: PeerId | None, ids: tuple[MessageId, ...]
    ) -> tuple[tuple[ChatId, Message], ...]:
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

    def get(self, key: MessageKey) -> Message | None:
        peer = key.account_id, key.peer_id
        return self._sql.first(message_of, BY_KEY, *peer, key.message_id, scope=peer_scope(*peer))

    def before(
        self, account_id: AccountId, peer_id: PeerId, *, before_id: MessageId | None, limit: int
    ) -> tuple[Message, ...]:
        end, limit = END if before_id is None else before_id, max(0, limit)
        newest = known_newest(self._sql, account_id, peer_id)
        found = newest.before(end, limit) if newest is not None else None
        if found is None:
            scope = peer_scope(account_id, peer_id)
            found = self._sql.made(message_of, BEFORE, account_id, peer_id, end, limit, scope=scope)
            know_found(self._sql, account_id, peer_id, end, limit, found)
        return found[::-1]

    def incoming_above(
        self, account_id: AccountId, peer_id: PeerId, *, above_id: MessageId, limit: int
    ) -> tuple[Message, ...]:
        limit, newest = max(0, limit), known_newest(self._sql, account_id, peer_id)
        found = newest.incoming_above(above_id, limit) if newest is not None else None
        if found is None:
            values, scope = (account_id, peer_id, above_id, limit), peer_scope(account_id, peer_id)
            found = self._sql.made(message_of, INCOMING_ABOVE, *values, scope=scope)
        return found[::-1]

    def newest_ids(self, account_id: AccountId, peer_id: PeerId, *, limit: int) -> tuple[MessageId, ...]:
        limit, newest = max(0, limit), known_newest(self._sql, account_id, peer_id)
        found = ids_of(newest, limit) if newest is not None else None
        if found is not None:
            return found
        rows = self._sql.all(NEWEST_IDS, account_id, peer_id, limit, scope=peer_scope(account_id, peer_id))
        return tuple(MessageId(number) for (number,) in rows)

    def newest_id(self, account_id: AccountId, peer_id: PeerId) -> MessageId:
        return next(iter(self.newest_ids(account_id, peer_id, limit=1)), MessageId(0))

    def has_outgoing(self, account_id: AccountId, peer_id: PeerId) -> bool:
        """Return whether this account ever wrote there, from any device; joining does not count."""
        scope = peer_scope(account_id, peer_id)
        return self._sql.first(_found, ANY_OUTGOING, account_id, peer_id, scope=scope) is not None

    def count_in(self, account_id: AccountId, peer_id: PeerId, *, above_id: MessageId) -> int:
        row = self._sql.one(
            f"SELECT count(*) FROM messages WHERE {IN_CHAT} AND message_id > ? AND out = 0 AND deleted = 0",
            account_id,
            peer_id,
            above_id,
        )
        return 0 if row is None else int(row[0])


def _found(_row: Row) -> bool:
    return True
