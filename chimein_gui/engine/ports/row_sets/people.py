"""The row set of what is held about one person."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId
from chimein_gui.domain.people.holdings import HoldingKind, PersonChat, Tally
from chimein_gui.domain.prompt.sent import CallId


class MessagePortion(NamedTuple):
    """What a portion of a chat holds of a person.

    Attributes:
        tally: How much; characters as size.
        files: Numbers of the files of these messages.
        names: Names of the person in them.
        up_to: The last message of the portion; None at the end of the chat.
    """

    tally: Tally
    files: frozenset[int]
    names: frozenset[str]
    up_to: MessageId | None


class PackedPrompt(NamedTuple):
    """A stored prompt, still compressed."""

    call_id: CallId
    chat_id: ChatId
    body: bytes


class ForgetRequest(NamedTuple):
    """A stored order to forget a person.

    Attributes:
        person: Who.
        held: The chats that were held for it, to be released at its end.
        names: Names by which lines of logs are found.
    """

    person: PeerId
    held: tuple[ChatId, ...] = ()
    names: tuple[str, ...] = ()


class PeopleRows(Protocol):
    """Counts, gives out and forgets what is held about a person; what is long goes in portions."""

    def all_chats(self) -> tuple[PersonChat, ...]:
        """Return all chats of all accounts, also of those that are not in use any more."""
        ...

    def portion(self, chat_id: ChatId, person: PeerId, *, above_id: MessageId, limit: int) -> MessagePortion:
        """Look at the next messages of a chat; in a direct chat all count, in others those of the person."""
        ...

    def tally(self, kind: HoldingKind, chat_id: ChatId) -> Tally:
        """Return how much a direct chat holds of a kind; nothing for kinds that no table holds."""
        ...

    def listed(self, kind: HoldingKind, chat_id: ChatId) -> tuple[dict[str, object], ...]:
        """Return the rows of a kind as they are given out: times as text, columns by name."""
        ...

    def messages_of(
        self, chat_id: ChatId, person: PeerId, *, above_id: MessageId, limit: int
    ) -> tuple[tuple[dict[str, object], ...], MessageId | None]:
        """Return the messages of the next portion as they are given out, and where it ends; None at the end."""
        ...

    def prompts_above(self, call_id: CallId, *, limit: int) -> tuple[PackedPrompt, ...]:
        """Return the next stored prompts of all chats."""
        ...

    def is_on_its_way(self, chat_id: ChatId) -> bool:
        """Tell whether something of a chat is being sent, or its outcome is unknown."""
        ...

    def requests(self) -> tuple[ForgetRequest, ...]:
        """Return the orders that are not carried out yet."""
        ...

    def request(self, order: ForgetRequest) -> None:
        """Store an order; the names of an earlier one of the same person are kept."""
        ...

    def forget_names(self, person: PeerId) -> None:
        """Remove the names from an order, which are not needed any more."""
        ...

    def end_request(self, person: PeerId) -> None:
        """Remove an order that is carried out."""
        ...

    def copied_files(self, chat_id: ChatId) -> tuple[str, ...]:
        """Return the names of the copies of files that were or are to be sent in a chat."""
        ...

    def note_forgotten(self, chat_id: ChatId, person: PeerId) -> None:
        """Keep what a chat has of a person up to now from being stored again."""
        ...

    def forgotten_up_to(self, account_id: AccountId, peer_id: PeerId) -> MessageId:
        """Return up to which message a direct chat was forgotten; 0 if it never was."""
        ...

    def forget_messages(self, chat_id: ChatId, person: PeerId, *, limit: int) -> bool:
        """Remove some forgotten messages, in groups their contents; returns whether there may be more."""
        ...

    def forget_chat(self, chat_id: ChatId) -> None:
        """Remove everything else of a direct chat, but what the ledger needs."""
        ...

    def forget_person(self, person: PeerId) -> None:
        """Remove what is about a person in any chat: memories that were proposed, and checksums of deleted ones."""
        ...

    def forget_memories(self, chat_id: ChatId, person: PeerId) -> None:
        """Remove the records of what was remembered in a group about a person, and what rests on their messages."""
        ...

    def clear_search(self, chats: tuple[ChatId, ...]) -> None:
        """Empty the search index if it holds one of these chats; the others are indexed again in the background."""
        ...
