"""The newest message of a chat that is not deleted, for the chat list."""

from chimein_gui.adapters.store.memo import peer_scope
from chimein_gui.adapters.store.rows.values import Row, to_micros, well_formed
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.ids import AccountId, PeerId
from chimein_gui.domain.messages import Message, MessageKey

PREVIEW_LOOKS_BACK = 20
"""Messages a preview examines: it skips deleted ones, but never reads all of a cleared chat."""

PREVIEW = f"""
SELECT message_id, text, media_kind, out, sent_at FROM (
    SELECT message_id, text, media_kind, out, sent_at, deleted FROM messages
    WHERE account_id = ? AND peer_id = ? ORDER BY message_id DESC LIMIT {PREVIEW_LOOKS_BACK})
WHERE deleted = 0 LIMIT 1
"""
_NOTHING: Row = (None, None, None, None)


def _preview(row: Row) -> Row:
    return row


def preview_of(sql: Sql, account_id: AccountId, peer_id: PeerId) -> Row:
    """Return text, media kind, direction and time of a chat's newest message; four times None without one."""
    found = sql.first(_preview, PREVIEW, account_id, peer_id, scope=peer_scope(account_id, peer_id))
    return _NOTHING if found is None else found[1:]


def known_preview(sql: Sql, key: MessageKey) -> tuple[Row, ...] | None:
    """Return what is known of a chat's newest message, before another is written; None if unknown."""
    return sql.known(_preview, PREVIEW, key.account_id, key.peer_id)


def know_preview(sql: Sql, before: tuple[Row, ...] | None, message: Message) -> None:
    """Cache the newest message after one was added; `before` is what was known until then."""
    key = message.key
    if before is None:
        return
    if not before or before[0][0] < key.message_id:
        if message.deleted:
            return  # it may push the preview out of those that are examined
        text, kind = well_formed(message.text), well_formed(message.media_kind)
        before = ((key.message_id, text, kind, message.out, to_micros(message.sent_at)),)
    peer = key.account_id, key.peer_id
    sql.know(before, _preview, PREVIEW, *peer, scope=peer_scope(*peer))
