"""One chat as the window reads it."""

from collections.abc import Sequence

from chimein_gui.adapters.store.hidden_steps import find_hidden_steps
from chimein_gui.adapters.store.message_columns import COLUMNS, END, IN_CHAT, message_of
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.adapters.store.words import contains, rough_pattern
from chimein_gui.domain.hidden_steps import HiddenStep
from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId
from chimein_gui.domain.messages import Message

MOST_WORDS = 8
"""Further ones are looked for only in what these find."""


class SqliteTranscriptRows:
    """Implements `engine.ports.TranscriptRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def place_of(self, chat_id: ChatId) -> tuple[AccountId, PeerId]:
        """Return whose chat it is and with whom, and nothing else; raises LookupError."""
        row = self._sql.one("SELECT account_id, peer_id FROM chats WHERE chat_id = ?", chat_id)
        if row is None:
            raise LookupError(f"no chat {chat_id}")
        return AccountId(row[0]), PeerId(row[1])

    def above(self, account_id: AccountId, peer_id: PeerId, *, above_id: MessageId, limit: int) -> tuple[Message, ...]:
        """Return up to `limit` oldest messages above `above_id`, oldest first."""
        return self._sql.made(
            message_of,
            f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} AND message_id > ? ORDER BY message_id LIMIT ?",
            account_id,
            peer_id,
            above_id,
            max(0, limit),
        )

    def of_ids(self, account_id: AccountId, peer_id: PeerId, ids: Sequence[MessageId]) -> tuple[Message, ...]:
        """Return those of `ids` that are stored, oldest first."""
        statement = f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} AND message_id = ?"
        found = (self._sql.first(message_of, statement, account_id, peer_id, one) for one in sorted(set(ids)))
        return tuple(message for message in found if message is not None)

    def matching(
        self, account_id: AccountId, peer_id: PeerId, *, words: Sequence[str], below_id: MessageId | None, among: int
    ) -> tuple[tuple[Message, ...], MessageId | None]:
        """Look for words among the `among` newest messages below `below_id` (None: from the end).

        Returns:
            The messages that hold all words, in any case, newest first; and below which id to go on, None at the end.
        """
        below = END if below_id is None else below_id
        row = self._sql.one(
            f"SELECT message_id FROM messages WHERE {IN_CHAT} AND message_id < ? ORDER BY message_id DESC"
            " LIMIT 1 OFFSET ?",
            account_id,
            peer_id,
            below,
            max(1, among) - 1,
        )
        oldest = None if row is None else MessageId(row[0])
        patterns = [rough_pattern(word) for word in words[:MOST_WORDS]]
        likes = " AND text LIKE ? ESCAPE '\\'" * len(patterns)
        rows = self._sql.all(
            f"SELECT {COLUMNS} FROM messages WHERE {IN_CHAT} AND message_id < ? AND message_id >= ?{likes}"
            " ORDER BY message_id DESC",
            account_id,
            peer_id,
            below,
            -END if oldest is None else oldest,
            *patterns,
        )
        found = (message_of(row) for row in rows)
        return tuple(message for message in found if contains(message.text, words)), oldest

    def hidden_steps(self, chat_id: ChatId, *, since_id: MessageId, limit: int) -> tuple[HiddenStep, ...]:
        """Return what plans of a chat did invisibly at or below a message, in the order of the transcript."""
        return find_hidden_steps(self._sql, chat_id, since_id=since_id, limit=limit)
