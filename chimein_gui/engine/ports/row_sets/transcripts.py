"""The row sets for one chat in the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Protocol

from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId
from chimein_gui.domain.messages import FoundMessage, Message
from chimein_gui.domain.plans.hidden_steps import HiddenStep


@dataclass(frozen=True, slots=True)
class MessageQuery:
    """A search in a chat.

    Attributes:
        words: Pieces of words in any case, of which a message must contain one; longer ones count more. Empty for all.
        sender: A user id, or a part of a name in any case; empty for everybody.
        after: Sent then or later, aware UTC.
        before: Sent earlier, aware UTC.
    """

    words: tuple[str, ...]
    sender: str = ""
    after: datetime | None = None
    before: datetime | None = None


class IndexUse(Enum):
    """How a search uses the index.

    Attributes:
        USED: What the index holds is found by it.
        LEFT_OUT: What the index holds is not searched.
        IGNORED: All texts are read, which is faster for a few messages.
    """

    USED = 0
    LEFT_OUT = 1
    IGNORED = 2


class SearchRows(Protocol):
    """The search index, to which long chats are added in portions."""

    def has_work(self) -> bool:
        """Return whether some chats may be long enough for the index and are not completely in it."""
        ...

    def index_some(self, limit: int) -> None:
        """Add up to `limit` messages to the index, or mark chats as too short for it."""
        ...


class TranscriptRows(Protocol):
    """Pages of one chat's messages, searches, and the steps of plans between them; for reading only."""

    def place_of(self, chat_id: ChatId) -> tuple[AccountId, PeerId]:
        """Return the account and the peer of a chat; raises NotFoundError."""
        ...

    def places_by_news(self) -> tuple[tuple[ChatId, AccountId, PeerId, datetime], ...]:
        """Return all chats with messages, each with the time of its newest one, newest first."""
        ...

    def above(self, account_id: AccountId, peer_id: PeerId, *, above_id: MessageId, limit: int) -> tuple[Message, ...]:
        """Return up to `limit` oldest messages above `above_id`, oldest first."""
        ...

    def of_ids(self, account_id: AccountId, peer_id: PeerId, ids: Sequence[MessageId]) -> tuple[Message, ...]:
        """Return those of `ids` that are stored, oldest first."""
        ...

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
        """Search for words among the `among` newest messages below `below_id` (None: from the end).

        Args:
            account_id: The account that sees the chat.
            peer_id: The chat.
            words: All of them must be in a message.
            below_id: Where the search begins.
            among: Number of messages.
            index: How to use the search index.

        Returns:
            The messages that contain all words, in any case, newest first; and the next `below_id`, None at the end.
        """
        ...

    def few_matching(self, words: Sequence[str], *, most: int, limit: int) -> tuple[FoundMessage, ...] | None:
        """Search for words in what the search index holds of all chats.

        Returns:
            Up to `limit` messages that contain all words, newest first; None if more than `most` may do so, or if the
            index can't tell.
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
        """Search for messages that fit a query among the `among` newest below `below_id` (None: from the end).

        Of what is in the search index, the newest with all words and with each of them count instead, of any age.

        Returns:
            Up to `limit` messages, without deleted and service ones, best match first and then newest first; and the
            next `below_id`, None at the end.
        """
        ...

    def hidden_steps(
        self, chat_id: ChatId, *, since_id: MessageId, until_id: MessageId | None = None, limit: int
    ) -> tuple[HiddenStep, ...]:
        """Return the invisible steps of a chat's plans between two messages (None: to the end), in order."""
        ...
