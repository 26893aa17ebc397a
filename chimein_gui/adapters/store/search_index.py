"""The search index: which messages of long chats contain which pieces of words.

It is an FTS5 index without the texts, used only as a filter: its results are checked against the texts. So single
entries are never removed; an edited message is added again. A chat is indexed when it is long (`ENOUGH`), from the
oldest message, in small steps in the background; messages newer than the chat's mark are searched text by text.
Functions here run on the writer thread if they change the index, else on either store thread.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from typing import NamedTuple

from chimein_gui.adapters.store.columns.conditions import ENOUGH_TO_INDEX, LONG_ENOUGH
from chimein_gui.adapters.store.columns.message import IN_CHAT
from chimein_gui.adapters.store.rows.values import Row
from chimein_gui.adapters.store.search_words import PIECE, as_indexed, pieces_of
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId

CREATE = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS search_index USING fts5"
    "(text, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1')",
    "CREATE VIRTUAL TABLE IF NOT EXISTS search_terms USING fts5vocab(search_index, row)",
)
WITHOUT_MODULE = f"DELETE FROM search_marks; UPDATE chats SET unindexed = {ENOUGH_TO_INDEX}"
"""Run where SQLite has no FTS5: what it stores is not indexed, so the index must be rebuilt later."""

_ID_BITS = 36
_ID_MASK = (1 << _ID_BITS) - 1
_MOST_CHATS = 1 << (63 - _ID_BITS)
_PADDING = "  "
"""Padding at the end of a text, so that its last two letters also begin a piece."""

MOST_TERMS = 200
"""A short word is searched as all pieces that begin with it; with more pieces than this the index is not used for it,
nor for a single Latin letter or digit.
"""

_SURVEYED = 50
"""Chats that are examined in one step; most are too short."""

_ADD = "INSERT INTO search_index (rowid, text) VALUES (?, ?)"
_MARK = "INSERT INTO search_marks (chat_id, up_to) VALUES (?, ?) ON CONFLICT DO UPDATE SET up_to = excluded.up_to"
_COUNTED = "UPDATE chats SET unindexed = ? WHERE account_id = ? AND peer_id = ?"
_LONG = f"""
SELECT c.chat_id, c.account_id, c.peer_id FROM chats c INDEXED BY chats_to_index WHERE {LONG_ENOUGH} LIMIT ?
"""
_FIND = """
SELECT rowid FROM search_index WHERE search_index MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?
"""
_TERMS = "SELECT term FROM search_terms WHERE term >= ? AND term < ? LIMIT ?"
_SOME = "SELECT rowid FROM search_index WHERE search_index MATCH ? LIMIT ?"
_NEWEST = f"""
SELECT search_index.rowid FROM search_index
CROSS JOIN chats c ON c.chat_id = search_index.rowid >> {_ID_BITS}
CROSS JOIN messages m
ON m.account_id = c.account_id AND m.peer_id = c.peer_id AND m.message_id = search_index.rowid & {_ID_MASK}
WHERE search_index MATCH ? ORDER BY m.sent_at DESC, m.message_id DESC
"""


@cache
def has_trigrams() -> bool:
    """Return whether this SQLite supports the index."""
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute(CREATE[0])
        except sqlite3.OperationalError:
            return False
    return True


class Indexed(NamedTuple):
    """A chat in the index.

    Attributes:
        chat_id: The chat.
        up_to: Newest indexed message; all older ones are indexed, too.
    """

    chat_id: ChatId
    up_to: MessageId


class SearchIndex:
    """The index as the row sets of messages and transcripts use it."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql
        self._version: Row | None = None
        self._starts: dict[str, tuple[str, ...]] = {}

    def of_peer(self, account_id: AccountId, peer_id: PeerId) -> Indexed | None:
        """Return how far a chat is indexed; None if not at all."""
        row = self._sql.one(
            "SELECT s.chat_id, s.up_to FROM chats c CROSS JOIN search_marks s ON s.chat_id = c.chat_id"
            " WHERE c.account_id = ? AND c.peer_id = ?",
            account_id,
            peer_id,
        )
        return None if row is None else Indexed(ChatId(row[0]), MessageId(row[1]))

    def came(self, chat_id: ChatId, message_id: MessageId, text: str) -> None:
        """Index a stored message, if it is below the mark of an indexed chat."""
        mark = self.mark_of(chat_id)
        if mark is not None and 0 < message_id <= mark:
            self.add(chat_id, message_id, text)

    def changed(self, account_id: AccountId, peer_id: PeerId, message_id: MessageId, text: str) -> None:
        """Index the new text of an edited message."""
        indexed = self.of_peer(account_id, peer_id)
        if indexed is not None and 0 < message_id <= indexed.up_to:
            self.add(indexed.chat_id, message_id, text)

    def question(self, words: Sequence[str]) -> str | None:
        """Return the FTS5 query for texts with all words.

        Returns:
            The query; None if the index can't filter by any of them; empty if no text contains them all.
        """
        asked = []
        for word in words:
            pieces: Sequence[str] = pieces_of(word)
            if pieces:
                asked.append(" AND ".join(map(_quoted, pieces)))
                continue
            if len(word) == 1 and word.isascii() and word.isalnum():
                continue
            pieces = self._beginning_with(as_indexed(word))
            if not pieces:
                return ""
            if len(pieces) <= MOST_TERMS:
                asked.append(f"({' OR '.join(map(_quoted, pieces))})")
        return " AND ".join(asked) or None

    def find(
        self, indexed: Indexed, question: str, *, below_id: int, limit: int, from_id: int = 0
    ) -> tuple[MessageId, ...]:
        """Return the newest candidates from one id to below another, newest first."""
        first = indexed.chat_id << _ID_BITS
        begin, end = first | max(0, min(from_id, indexed.up_to + 1)), first | max(0, min(below_id, indexed.up_to + 1))
        rows = self._sql.all(_FIND, question, begin, end, limit)
        return tuple(MessageId(row_id - first) for (row_id,) in rows)

    def newest_of_all(self, question: str, *, most: int) -> tuple[tuple[ChatId, MessageId], ...] | None:
        """Return the candidates of all chats, newest first; None if they are more than `most`."""
        if len(self._sql.all(_SOME, question, most + 1)) > most:
            return None
        rows = self._sql.all(_NEWEST, question)
        return tuple((ChatId(row_id >> _ID_BITS), MessageId(row_id & _ID_MASK)) for (row_id,) in rows)

    def is_empty(self) -> bool:
        """Return whether no chat is indexed."""
        return self._sql.one("SELECT max(chat_id) FROM search_marks") in {None, (None,)}

    def add(self, chat_id: ChatId, message_id: MessageId, text: str) -> None:
        """Add a text to the index; a message may have several."""
        if text:
            self._starts.clear()
            self._sql.run(_ADD, (chat_id << _ID_BITS) | message_id, as_indexed(text) + _PADDING)

    def clear(self) -> None:
        """Empty the index: single texts can't be taken out of it. All chats are indexed again in the background."""
        self._starts.clear()
        self._sql.run(
            f"UPDATE chats SET unindexed = {ENOUGH_TO_INDEX} WHERE chat_id IN (SELECT chat_id FROM search_marks)"
        )
        self._sql.run("DELETE FROM search_marks")
        if has_trigrams():
            self._sql.run("INSERT INTO search_index (search_index) VALUES ('delete-all')")

    def mark_of(self, chat_id: int) -> MessageId | None:
        """Return up to which message a chat is indexed; None if not at all."""
        row = self._sql.one("SELECT up_to FROM search_marks WHERE chat_id = ?", chat_id)
        return None if row is None else MessageId(row[0])

    def _beginning_with(self, start: str) -> tuple[str, ...]:
        """Return pieces of the index that begin with a shorter text, at most one more than are searched.

        They are kept until the file changes, because SQLite counts the messages of each, which takes 10 ms and more.
        """
        if not start or len(start) >= PIECE:
            return ()
        version = self._sql.one("PRAGMA data_version")
        if version != self._version:
            self._version = version
            self._starts.clear()
        if start not in self._starts:
            end = start[:-1] + chr(ord(start[-1]) + 1)
            rows = self._sql.all(_TERMS, start, end, MOST_TERMS + 1)
            self._starts[start] = tuple(term for (term,) in rows)
        return self._starts[start]


class SqliteSearchRows:
    """Implements `engine.ports.SearchRows`."""

    def __init__(self, sql: Sql, index: SearchIndex) -> None:
        self._sql = sql
        self._search = index

    def has_work(self) -> bool:
        return has_trigrams() and bool(self._sql.all(_LONG, 1))

    def index_some(self, limit: int) -> None:
        for chat_id, account_id, peer_id in self._sql.all(_LONG, _SURVEYED):
            mark = self._search.mark_of(chat_id)
            if mark is not None or self._count(account_id, peer_id) >= ENOUGH_TO_INDEX:
                self._index(ChatId(chat_id), account_id, peer_id, mark or MessageId(0), limit)
                return

    def _index(self, chat_id: ChatId, account_id: AccountId, peer_id: PeerId, mark: MessageId, limit: int) -> None:
        rows = self._sql.all(
            f"SELECT message_id, text FROM messages WHERE {IN_CHAT} AND message_id > ? AND message_id < ?"
            " ORDER BY message_id LIMIT ?",
            account_id,
            peer_id,
            mark,
            1 << _ID_BITS,
            limit,
        )
        for message_id, text in rows if chat_id < _MOST_CHATS else ():
            self._search.add(chat_id, message_id, text)
            mark = message_id
        if mark:
            self._sql.run(_MARK, chat_id, mark)
        if len(rows) < limit or not mark:
            self._sql.run(_COUNTED, 0, account_id, peer_id)

    def _count(self, account_id: AccountId, peer_id: PeerId) -> int:
        """Count a chat's messages up to the threshold. A shorter chat is not examined again before it has grown."""
        row = self._sql.one(
            f"SELECT count(*) FROM (SELECT 1 FROM messages WHERE {IN_CHAT} LIMIT ?)",
            account_id,
            peer_id,
            ENOUGH_TO_INDEX,
        )
        count = 0 if row is None else int(row[0])
        if count < ENOUGH_TO_INDEX:
            self._sql.run(_COUNTED, count, account_id, peer_id)
        return count


def _quoted(piece: str) -> str:
    return '"' + piece.replace('"', '""') + '"'
