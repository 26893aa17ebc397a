"""Proposed memories: what was found in a conversation, and what the operator decided about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.ids import AgentId, ChatId, MessageId, PeerId, Revision
    from chimein_gui.domain.memory.edits import FileEntry
    from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
    from chimein_gui.domain.messages import Message

ProposalId = NewType("ProposalId", int)
"""Row id of a proposed memory."""


class ProposalState(StrEnum):
    """Where a proposal stands."""

    WAITING = "waiting"
    STALE = "stale"
    """It still waits, but what it rests on has changed; it can't be accepted as it is."""
    ACCEPTED = "accepted"
    MERGED = "merged"
    REJECTED = "rejected"

    @property
    def is_open(self) -> bool:
        """Return whether the operator has not decided yet."""
        return self in (ProposalState.WAITING, ProposalState.STALE)


class StaleReason(StrEnum):
    """Why a proposal is stale."""

    EVIDENCE_EDITED = "evidence edited"
    """The words that it rests on stand in the message no more."""
    EVIDENCE_DELETED = "evidence deleted"
    MEMORY_DELETED = "memory deleted"
    """The operator has deleted or corrected the same memory."""


class Choice(StrEnum):
    """What the operator decided."""

    ACCEPT = "accept"
    MERGE = "merge"
    REJECT = "reject"
    NEVER = "never"
    """Reject it, and propose nothing about this person any more."""
    NEVER_CHAT = "never chat"
    """Reject it, and read nothing of this chat any more."""


class Effect(StrEnum):
    """What of a decision is not yet done to the file; with the key it is done once, also over a crash."""

    NONE = "none"
    WRITE = "write"
    REMOVE = "remove"


class Flag(StrEnum):
    """Why a proposal asks for a closer look; *accept all* leaves it out."""

    ORDER = "order"
    """It reads like an order to the agent."""
    SENSITIVE = "sensitive"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One message that a proposal rests on.

    Attributes:
        message_id: The message, in the proposal's chat.
        words: What of its text was read for it.
    """

    message_id: MessageId
    words: str


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """What a model found in a conversation, checked.

    Attributes:
        text: What to remember.
        evidence: At least one message of somebody else.
        flags: Why it asks for a closer look.
        confidence: How sure the model is, 0 to 1; None if it did not say.
    """

    text: str
    evidence: tuple[Evidence, ...]
    flags: frozenset[Flag] = frozenset()
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class NewProposal:
    """A proposal that has no row yet; the fields are those of `Proposal`."""

    found: FoundMemory
    agent_id: AgentId
    chat_id: ChatId
    person_id: PeerId
    person_name: str
    created_at: datetime
    model: str
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that is stored, with all that writing and undoing it need.

    Attributes:
        choice: What was decided.
        at: When, aware UTC.
        text: The text that was written; empty if nothing was.
        kind: The kind of the file that was written; None if none was.
        peer: Its peer; None for what is remembered for all chats.
        before: The block of the entry into which it was merged; else empty.
    """

    choice: Choice
    at: datetime
    text: str = ""
    kind: MemoryKind | None = None
    peer: PeerId | None = None
    before: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed memory.

    Attributes:
        proposal_id: Its id.
        agent_id: Whose memory it would be.
        chat_id: The chat in which it was said.
        person_id: Whom it is about: who said it.
        person_name: The name at the time, foreign text.
        text: What to remember, by the model.
        evidence: The messages that it rests on.
        flags: Why it asks for a closer look.
        confidence: How sure the model was, 0 to 1; None if it did not say.
        state: Where it stands.
        stale: Why it is stale, or None.
        created_at: Aware UTC.
        model: The model that found it.
        cost_usd: What the call cost, shared by its proposals; None if unknown.
        version: Grows with each decision and undo; part of the key in the file.
        effect: What is not yet done to the file.
        decision: What was decided, or None.
    """

    proposal_id: ProposalId
    agent_id: AgentId
    chat_id: ChatId
    person_id: PeerId
    person_name: str
    text: str
    evidence: tuple[Evidence, ...]
    flags: frozenset[Flag]
    confidence: float | None
    state: ProposalState
    stale: StaleReason | None
    created_at: datetime
    model: str
    cost_usd: float | None
    version: int = 0
    effect: Effect = Effect.NONE
    decision: Decision | None = None

    @property
    def key(self) -> str:
        """Return the permanent key of its entry: a new database counts proposals anew, so the time is part of it."""
        version = self.version - (self.effect is Effect.REMOVE)
        return f"proposal {self.proposal_id}.{version}@{self.created_at:%Y%m%dT%H%M%S.%f}"


@dataclass(frozen=True, slots=True)
class ProposalDetails:
    """A proposal with what the operator needs to decide.

    Attributes:
        proposal: The proposal.
        chat_title: The title of its chat, foreign text.
        messages: The evidence as it is now with a message before it, oldest first; deleted ones are left out.
        nearest: The entry that is about the same, or None.
        nearest_file: The file of that entry.
        nearest_number: Its place in the file, from 1; 0 without one.
        score: How like it is, 0 to 1.
        merged: A text that says both.
        files: The files into which it can be written; the first is the usual one.
        is_group: It was said in a group.
        other_chats: Number of other chats of the account, which read what is remembered for all.
        is_by_meaning: Its meaning is nearer than its words.
        members: Number of members of its group; 0 if unknown.
    """

    proposal: Proposal
    chat_title: str = ""
    messages: tuple[Message, ...] = ()
    nearest: FileEntry | None = None
    nearest_file: MemoryFile | None = None
    nearest_number: int = 0
    score: float = 0.0
    merged: str = ""
    files: tuple[MemoryFile, ...] = ()
    is_group: bool = False
    other_chats: int = 0
    is_by_meaning: bool = False
    members: int = 0

    @property
    def is_new(self) -> bool:
        """Return whether nothing speaks against accepting it unseen: no flag, nothing alike, nothing stale."""
        proposal = self.proposal
        return self.nearest is None and not proposal.flags and proposal.state is ProposalState.WAITING


@dataclass(frozen=True, slots=True)
class ReviewQueue:
    """What waits for the operator, and what he decided today.

    Attributes:
        open: Oldest first.
        decided: Newest first.
        revision: Of the database, when it was read.
    """

    open: tuple[ProposalDetails, ...]
    decided: tuple[Proposal, ...]
    revision: Revision
