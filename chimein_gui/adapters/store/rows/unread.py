"""How much of a chat is unread, counted by messages, but never by many."""

from chimein_gui.adapters.store.columns.message import END
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.ids import MessageId

COUNTED_AT_FIRST = 500

_COUNT = """
SELECT count(*), coalesce(sum(out = 0 AND deleted = 0), 0) FROM (
    SELECT out, deleted FROM messages WHERE account_id = ? AND peer_id = ? AND message_id > ? AND message_id <= ?
    ORDER BY message_id LIMIT ?)
"""


def count_unread(sql: Sql, chat: Chat, read_up_to: MessageId) -> int:
    """Return how much of a chat is unread once it was read up to a message, higher than the one before.

    Either few messages are left above it, or few were read now: the shorter side is counted.
    """
    most = COUNTED_AT_FIRST
    while True:
        left, unread = _count(sql, chat, read_up_to, MessageId(END), most)
        if left < most:
            return unread
        passed, read = _count(sql, chat, chat.read_up_to, read_up_to, most)
        if passed < most:
            return max(0, chat.unread - read)
        most *= 4


def _count(sql: Sql, chat: Chat, above: MessageId, up_to: MessageId, most: int) -> tuple[int, int]:
    """Count messages of a chat between two, up to so many; also those of them that others wrote and nobody deleted."""
    row = sql.one(_COUNT, chat.info.account_id, chat.info.peer_id, above, up_to, most)
    assert row is not None  # an aggregate has one row
    return row[0], row[1]
