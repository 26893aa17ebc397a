"""The row set by which the window reads one chat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId
from chimein_gui.domain.messages import Message
from chimein_gui.domain.plans.hidden_steps import HiddenStep


@dataclass(frozen=True, slots=True)
class MessageQuery:
    """What is searched for in a chat.

    Attributes:
        words: Pieces of words in any case, one of which a message must hold; longer ones count more. Empty for all.
        sender: A user id, or a part of a name in any case; empty for everybody.
        after: Sent then or later, aware UTC.
        before: Sent earlier.
    """

    words: tuple[str, ...]
    sender: str = ""
    after: datetime | None = None
    before: datetime | None = None


class SearchRows(Protocol):
    """The search index, in which long chats come bit by bit."""

    def has_work(self) -> bool:
        """Tell whether there may be chats that are long enough for the index and not all in it."""
        ...

    def index_some(self, limit: int) -> None:
        """Put up to `limit` more messages into the index, or find out that some chats are too short for it."""
        ...


class TranscriptRows(Protocol):
    """Messages of one chat in windows, searched, and what plans did between them; for reading only."""

    def place_of(self, chat_id: ChatId) -> tuple[AccountId, PeerId]:
        """Return whose chat it is and with whom, and nothing else; raises NotFoundError."""
        ...

    def places_by_news(self) -> tuple[tuple[ChatId, AccountId, PeerId, datetime], ...]:
        """Return every chat that has messages, with the time of its newest; the newest first."""
        ...

    def above(self, account_id: AccountId, peer_id: PeerId, *, above_id: MessageId, limit: int) -> tuple[Message, ...]:
        """Return up to `limit` oldest messages above `above_id`, oldest first."""
        ...

    def of_ids(self, account_id: AccountId, peer_id: PeerId, ids: Sequence[MessageId]) -> tuple[Message, ...]:
        """Return those of `ids` that are stored, oldest first."""
        ...

    def matching(
        self, account_id: AccountId, peer_id: PeerId, *, words: Sequence[str], below_id: MessageId | None, among: int
    ) -> tuple[tuple[Message, ...], MessageId | None]:
        """Look for words among the `among` newest messages below `below_id` (None: from the end).

        Returns:
            The messages that hold all words, in any case, newest first; and below which id to go on, None at the end.
        """
        ...

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
        """Look for what fits a query among the `among` newest messages below `below_id` (None: from the end).

        Returns:
            Up to `limit` messages, without deleted and service ones, those with the most in common first and the
            newest of equal ones; and below which id to go on, None at the end.
        """
        ...

    def hidden_steps(
        self, chat_id: ChatId, *, since_id: MessageId, until_id: MessageId | None = None, limit: int
    ) -> tuple[HiddenStep, ...]:
        """Return what plans of a chat did invisibly between two messages (None: to the end), in their order."""
        ...
