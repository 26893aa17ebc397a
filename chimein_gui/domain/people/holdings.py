"""What is held about one person: which kinds of data there are, and how much of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.chats import ChatKind
    from chimein_gui.domain.ids import AccountId, AgentId, ChatId, PeerId


class HoldingKind(StrEnum):
    """A kind of data; the operator sees them in this order."""

    MESSAGES = "messages"
    """Of direct chats, of both sides."""
    GROUP_MESSAGES = "group messages"
    """What the person wrote in groups."""
    MEDIA = "media"
    """Files of these messages that were fetched to be shown, and their descriptions."""
    NOTES = "notes"
    """The operator's notes on the direct chat."""
    MEMORIES = "memories"
    """What agents remember about the person, with the former versions of the file."""
    SHARED_MEMORIES = "shared memories"
    """Entries that agents remember for all chats, learned from the person."""
    MEMORY_RECORDS = "memory records"
    """The records of what replies asked to remember."""
    ORDERS = "orders"
    """What the person asked agents to remember."""
    PROPOSALS = "proposals"
    """Memories that were proposed from conversations, and what was decided about them."""
    TRACES = "traces"
    """How plans came about, with replies and pages of the web; also those of groups in which the person wrote."""
    DRAFTS = "drafts"
    """Plans with their drafts and edits."""
    SAVED_EDITS = "saved edits"
    UNSENT = "unsent"
    """What the operator has typed and not sent."""
    PINS = "pins"
    """Messages pinned in or out of the context."""
    PROMPTS = "prompts"
    """Stored prompts that hold the person's words."""
    DECISIONS = "decisions"
    SEARCH = "search"
    """The search index over messages."""
    LOGS = "logs"
    """Lines of logs that name the person."""
    CHAT = "chat"
    """Name and user name of the chat, and what was set for it."""
    REQUESTS = "requests"
    """The ledger of what was sent; it prevents double sends."""
    COSTS = "costs"


class Effect(StrEnum):
    """What forgetting does with a kind of data."""

    GOES = "goes"
    EMPTIED = "emptied"
    """Its texts go; numbers and times stay."""
    STAYS = "stays"


EFFECTS = {
    HoldingKind.GROUP_MESSAGES: Effect.EMPTIED,
    HoldingKind.CHAT: Effect.EMPTIED,
    HoldingKind.REQUESTS: Effect.EMPTIED,
    HoldingKind.COSTS: Effect.STAYS,
}
"""Kinds that do not go completely."""


@dataclass(frozen=True, slots=True)
class PersonChat:
    """One chat in which there may be something of a person.

    Attributes:
        chat_id: The chat.
        account_id: Its account, which may not be in use any more.
        peer_id: The person or the group.
        kind: What sort of chat.
        agent_id: The agent.
        agent_name: Its name.
        title: Name of the chat, foreign text.
    """

    chat_id: ChatId
    account_id: AccountId
    peer_id: PeerId
    kind: ChatKind
    agent_id: AgentId
    agent_name: str
    title: str


@dataclass(frozen=True, slots=True)
class Tally:
    """How much there is of something.

    Attributes:
        count: Number of items.
        theirs: How many of them the person wrote.
        size: Bytes or characters.
        first: Time of the oldest, aware UTC; None if unknown.
        last: Time of the newest.
        cost_usd: What they cost.
    """

    count: int = 0
    theirs: int = 0
    size: int = 0
    first: datetime | None = None
    last: datetime | None = None
    cost_usd: float = 0.0

    def plus(self, other: Tally) -> Tally:
        """Return both together."""
        times = [at for at in (self.first, self.last, other.first, other.last) if at is not None]
        return Tally(
            self.count + other.count,
            self.theirs + other.theirs,
            self.size + other.size,
            min(times, default=None),
            max(times, default=None),
            self.cost_usd + other.cost_usd,
        )


@dataclass(frozen=True, slots=True)
class Held:
    """One row of what is held: so much of one kind in one place.

    Attributes:
        kind: The kind of data.
        agent_name: Whose it is; empty if it is of no agent.
        place: Name of the chat or path of the file, foreign text; empty if there is no better place than the program.
        tally: How much.
    """

    kind: HoldingKind
    agent_name: str
    place: str
    tally: Tally

    @property
    def effect(self) -> Effect:
        """Return what forgetting does with it."""
        return EFFECTS.get(self.kind, Effect.GOES)


@dataclass(frozen=True, slots=True)
class PersonHoldings:
    """All that is held about a person.

    Attributes:
        person: The person, by the number at Telegram.
        name: The name of the newest direct chat or message; foreign text, empty if unknown.
        held: The rows, by kind.
        forgetting: Whether an order to forget is stored and not carried out yet.
    """

    person: PeerId
    name: str = ""
    held: tuple[Held, ...] = ()
    forgetting: bool = False


@dataclass(frozen=True, slots=True)
class Person:
    """A person, and the chats to look at.

    Attributes:
        person: The number at Telegram.
        direct: Direct chats with the person, of all accounts.
        groups: Other chats in which the person wrote.
        names: Names under which the person is known.
    """

    person: PeerId
    direct: tuple[PersonChat, ...] = ()
    groups: tuple[PersonChat, ...] = ()
    names: tuple[str, ...] = ()

    def with_groups(self, groups: tuple[PersonChat, ...], names: tuple[str, ...]) -> Person:
        """Return the person with the groups that were found."""
        return replace(self, groups=groups, names=tuple(dict.fromkeys((*self.names, *names))))
