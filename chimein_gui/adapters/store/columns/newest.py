"""The newest messages of a chat, which are known further on while others arrive."""

from typing import NamedTuple

from chimein_gui.adapters.store.columns.message import COLUMNS, END, IN_CHAT
from chimein_gui.adapters.store.memo import MOST_ROWS, peer_scope
from chimein_gui.adapters.store.rows.values import Row
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from chimein_gui.domain.messages import Message

NEWEST = f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} ORDER BY message_id DESC"
"""Never run like this: under it stands what is known, until a statement changes one of its columns."""


class Newest(NamedTuple):
    """The newest messages of a chat.

    Attributes:
        messages: The newest first; at most `MOST_ROWS`, and no message lies between them that is not here.
        is_whole: Whether there are no older ones.
    """

    messages: tuple[Message, ...]
    is_whole: bool

    def before(self, end: int, limit: int) -> tuple[Message, ...] | None:
        """Return the newest below an id, newest first; None if the database must be asked."""
        found = self.messages
        if found and found[0].key.message_id >= end:
            found = tuple([one for one in found if one.key.message_id < end])
        return found[:limit] if self.is_whole or len(found) >= limit else None

    def incoming_above(self, above_id: int, limit: int) -> tuple[Message, ...] | None:
        """Return the newest incoming ones above an id, newest first; None if the database must be asked."""
        found = [one for one in self.messages if one.key.message_id > above_id and not one.out]
        is_covered = self.is_whole or self.messages[-1].key.message_id <= above_id
        return tuple(found[:limit]) if is_covered or len(found) >= limit else None

    def with_new(self, message: Message) -> "Newest":
        """Return the same with another message."""
        now, number = self.messages, message.key.message_id
        if not now or now[0].key.message_id < number:
            now = (message, *now)
        elif self.is_whole or now[-1].key.message_id < number:
            now = tuple(sorted([*now, message], key=lambda one: -one.key.message_id))
        return Newest(now, self.is_whole) if len(now) <= MOST_ROWS else Newest(now[:MOST_ROWS], is_whole=False)


def _newest(row: Row) -> Newest:
    return Newest(*row)


def known_newest(sql: Sql, account_id: AccountId, peer_id: PeerId) -> Newest | None:
    """Return what is known of a chat's newest messages; None if nothing."""
    found = sql.known(_newest, NEWEST, account_id, peer_id)
    return found[0] if found else None


def know_newest(sql: Sql, account_id: AccountId, peer_id: PeerId, newest: Newest) -> None:
    """Keep a chat's newest messages."""
    sql.know((newest,), _newest, NEWEST, account_id, peer_id, scope=peer_scope(account_id, peer_id))


def know_found(
    sql: Sql, account_id: AccountId, peer_id: PeerId, end: int, limit: int, found: tuple[Message, ...]
) -> None:
    """Keep what was found by a query for the newest messages below an id, newest first, if that is the end."""
    if end < END or not limit:
        return
    is_whole = len(found) < limit and len(found) <= MOST_ROWS
    know_newest(sql, account_id, peer_id, Newest(found[:MOST_ROWS], is_whole))


def ids_of(newest: Newest, limit: int) -> tuple[MessageId, ...] | None:
    """Return the newest ids, newest first; None if the database must be asked."""
    found = newest.before(END, limit)
    return None if found is None else tuple([one.key.message_id for one in found])
