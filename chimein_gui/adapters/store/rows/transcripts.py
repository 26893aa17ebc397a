"""Queries for one chat's transcript."""

import json
from collections.abc import Sequence
from datetime import datetime

from chimein_gui.adapters.store.columns.hidden_steps import find_hidden_steps
from chimein_gui.adapters.store.columns.message import COLUMNS, END, IN_CHAT, message_of
from chimein_gui.adapters.store.rows.values import from_micros, to_micros
from chimein_gui.adapters.store.search_index import SearchIndex
from chimein_gui.adapters.store.search_words import contains, rough_match
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId
from chimein_gui.domain.messages import FoundMessage, Message
from chimein_gui.domain.plans.hidden_steps import HiddenStep
from chimein_gui.engine.ports import IndexUse, MessageQuery

_DIGITS = 19

_BY_NEWS = """
SELECT * FROM (
    SELECT c.chat_id, c.account_id, c.peer_id, (
        SELECT sent_at FROM messages m WHERE m.account_id = c.account_id AND m.peer_id = c.peer_id
        ORDER BY message_id DESC LIMIT 1) AS newest
    FROM chats c)
WHERE newest IS NOT NULL ORDER BY newest DESC, chat_id
"""

_PLACE = "SELECT account_id, peer_id FROM chats WHERE chat_id = ?"
_NEXT = f"SELECT message_id, sent_at FROM messages WHERE {IN_CHAT} AND message_id >= ? ORDER BY message_id LIMIT 1"

_Which = tuple[str, tuple[str | int, ...]]
"""A condition for messages, and its values."""

MOST_WORDS = 8
"""Further words are only checked in the results of these."""

CANDIDATES = 200
"""Number of index candidates that are read and checked at a time."""


class SqliteTranscriptRows:
    """Implements `engine.ports.TranscriptRows`."""

    def __init__(self, sql: Sql, search: SearchIndex) -> None:
        self._sql = sql
        self._search = search

    def place_of(self, chat_id: ChatId) -> tuple[AccountId, PeerId]:
        row = self._sql.one(_PLACE, chat_id)
        if row is None:
            raise NotFoundError(f"no chat {chat_id}")
        return AccountId(row[0]), PeerId(row[1])

    def places_by_news(self) -> tuple[tuple[ChatId, AccountId, PeerId, datetime], ...]:
        rows = self._sql.all(_BY_NEWS)
        return tuple((ChatId(row[0]), AccountId(row[1]), PeerId(row[2]), from_micros(row[3])) for row in rows)

    def above(self, account_id: AccountId, peer_id: PeerId, *, above_id: MessageId, limit: int) -> tuple[Message, ...]:
        return self._sql.made(
            message_of,
            f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} AND message_id > ? ORDER BY message_id LIMIT ?",
            account_id,
            peer_id,
            above_id,
            max(0, limit),
        )

    def of_ids(self, account_id: AccountId, peer_id: PeerId, ids: Sequence[MessageId]) -> tuple[Message, ...]:
        statement = f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} AND message_id = ?"
        found = (self._sql.first(message_of, statement, account_id, peer_id, one) for one in sorted(set(ids)))
        return tuple(message for message in found if message is not None)

    def matching(
        self,
        account_id: AccountId,
        peer_id: PeerId,
        *,
        words: Sequence[str],
        below_id: MessageId | None,
        among: int,
        index: IndexUse = IndexUse.USED,
    ) -> tuple[tuple[Message, ...], MessageId | None]:
        below = END if below_id is None else below_id
        indexed = None if index is IndexUse.IGNORED else self._search.of_peer(account_id, peer_id)
        question: str | None = ""
        if indexed is not None and index is IndexUse.USED:
            question = self._search.question(words[:MOST_WORDS])
        if indexed is None or question is None:
            return self._looked_through(account_id, peer_id, words, below, among)
        found: tuple[Message, ...] = ()
        if below > indexed.up_to + 1:
            found, go_on = self._looked_through(account_id, peer_id, words, below, among, above=indexed.up_to)
            if go_on is not None:
                return found, go_on
            below = indexed.up_to + 1
        most = min(CANDIDATES, among)
        ids = self._search.find(indexed, question, below_id=below, limit=most) if question else ()
        candidates = reversed(self.of_ids(account_id, peer_id, ids))
        found += tuple(message for message in candidates if contains(message.text, words))
        return found, ids[-1] if len(ids) == most else None

    def few_matching(self, words: Sequence[str], *, most: int, limit: int) -> tuple[FoundMessage, ...] | None:
        question = None if self._search.is_empty() else self._search.question(words[:MOST_WORDS])
        if question is None:
            return None
        ids = self._search.newest_of_all(question, most=most) if question else ()
        if ids is None:
            return None
        found: list[FoundMessage] = []
        for chat_id, number in dict.fromkeys(ids):
            (message,) = self.of_ids(*self.place_of(chat_id), (number,))
            if contains(message.text, words):
                found.append(FoundMessage(chat_id, message))
                if len(found) >= limit:
                    break
        return tuple(found)

    def _looked_through(
        self, account_id: AccountId, peer_id: PeerId, words: Sequence[str], below: int, among: int, *, above: int = -END
    ) -> tuple[tuple[Message, ...], MessageId | None]:
        """Search the texts of the `among` newest messages between two ids; returns the same as `matching`."""
        oldest = self._nth_below(account_id, peer_id, below, among, above=above)
        matches = [rough_match("text", word) for word in words[:MOST_WORDS]]
        conditions = "".join(f" AND {condition}" for condition, _ in matches)
        rows = self._sql.all(
            f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} AND message_id < ? AND message_id >= ?{conditions}"
            " ORDER BY message_id DESC",
            account_id,
            peer_id,
            below,
            above + 1 if oldest is None else oldest,
            *(value for _, value in matches),
        )
        found = (message_of(row) for row in rows)
        return tuple(message for message in found if contains(message.text, words)), oldest

    def resembling(
        self,
        account_id: AccountId,
        peer_id: PeerId,
        query: MessageQuery,
        *,
        below_id: MessageId | None,
        among: int,
        limit: int,
    ) -> tuple[tuple[Message, ...], MessageId | None]:
        """Find messages that fit a query among the `among` newest below `below_id` (None: from the end).

        In a chat with an index, these are the newest with all words and with each of them, however old they are.
        """
        below, wanted = END if below_id is None else below_id, query.words[:MOST_WORDS]
        indexed = self._search.of_peer(account_id, peer_id)
        questions = None if indexed is None else self._questions(wanted)
        above = -END if indexed is None or questions is None else indexed.up_to
        oldest = self._nth_below(account_id, peer_id, below, among, above=above)
        newest = ("message_id < ? AND message_id >= ?", (below, above + 1 if oldest is None else oldest))
        found = self._best(account_id, peer_id, query, newest, limit)
        if indexed is None or questions is None or oldest is not None:
            return found, oldest
        first, end = (self._first_since(account_id, peer_id, at, indexed.up_to) for at in (query.after, query.before))
        below, ids = below if end is None else min(below, end), set[MessageId]()
        for question in questions:
            most = max(CANDIDATES, among // len(questions))
            ids.update(self._search.find(indexed, question, from_id=first or 0, below_id=below, limit=most))
        older = ("message_id IN (SELECT value FROM json_each(?))", (json.dumps(sorted(ids)),))
        return (*found, *self._best(account_id, peer_id, query, older, limit)), None

    def _best(
        self, account_id: AccountId, peer_id: PeerId, query: MessageQuery, which: _Which, limit: int
    ) -> tuple[Message, ...]:
        """Return those of some messages that fit a query, best match first."""
        wanted = query.words[:MOST_WORDS]
        matches = [rough_match("text", word) for word in wanted]
        by, named = _by(query.sender)
        any_word = f" AND ({' OR '.join(match for match, _ in matches)})" if matches else ""
        best_first = f"{' + '.join(f'({match}) * ?' for match, _ in matches)} DESC, " if matches else ""
        rows = self._sql.all(
            f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} AND {which[0]}"
            f" AND deleted = 0 AND is_service = 0 AND sent_at >= ? AND sent_at < ?{by}{any_word}"
            f" ORDER BY {best_first}message_id DESC LIMIT ?",
            account_id,
            peer_id,
            *which[1],
            -END if query.after is None else to_micros(query.after),
            END if query.before is None else to_micros(query.before),
            *named,
            *(pattern for _, pattern in matches),
            *(value for (_, pattern), word in zip(matches, wanted, strict=True) for value in (pattern, len(word))),
            max(0, limit),
        )
        found = (message_of(row) for row in rows)
        return tuple(one for one in found if _resembles(one, wanted, query.sender))

    def _questions(self, words: Sequence[str]) -> tuple[str, ...] | None:
        """Return what the index is asked for texts with all words, and with each; None if it can't tell."""
        each = [self._search.question((word,)) for word in words]
        if all(question is None for question in each):
            return None
        return tuple(dict.fromkeys(question for question in (self._search.question(words), *each) if question))

    def _first_since(
        self, account_id: AccountId, peer_id: PeerId, at: datetime | None, newest: MessageId
    ) -> int | None:
        """Return the first id up to the newest that is not older than a time; times of a chat ascend with its ids."""
        if at is None:
            return None
        wanted, low, high = to_micros(at), 0, newest + 1
        while low < high:
            middle = (low + high) // 2
            row = self._sql.one(_NEXT, account_id, peer_id, middle)
            if row is None or row[1] >= wanted:
                high = middle
            else:
                low = row[0] + 1
        return low

    def _nth_below(
        self, account_id: AccountId, peer_id: PeerId, below_id: int, number: int, *, above: int = -END
    ) -> MessageId | None:
        """Return the id of the n-th message below an id; None if there are fewer above `above`."""
        row = self._sql.one(
            f"SELECT message_id FROM messages WHERE {IN_CHAT} AND message_id < ? AND message_id > ?"
            " ORDER BY message_id DESC LIMIT 1 OFFSET ?",
            account_id,
            peer_id,
            below_id,
            above,
            max(1, number) - 1,
        )
        return None if row is None else MessageId(row[0])

    def hidden_steps(
        self, chat_id: ChatId, *, since_id: MessageId, until_id: MessageId | None = None, limit: int
    ) -> tuple[HiddenStep, ...]:
        return find_hidden_steps(self._sql, chat_id, since_id=since_id, until_id=until_id, limit=limit)


def _by(sender: str) -> tuple[str, tuple[str | int, ...]]:
    """Return the condition for a sender, and its values."""
    if not sender:
        return "", ()
    number = int(sender) if sender.isascii() and sender.isdecimal() and len(sender) < _DIGITS else None
    if number is not None:
        return " AND sender_id = ?", (number,)
    condition, pattern = rough_match("sender_name", sender)
    return f" AND {condition}", (pattern,)


def _resembles(message: Message, words: Sequence[str], sender: str) -> bool:
    """Check a message exactly, because LIKE is only a rough filter."""
    if sender and str(message.sender_id) != sender and not contains(message.sender_name, (sender,)):
        return False
    return not words or any(contains(message.text, (word,)) for word in words)
