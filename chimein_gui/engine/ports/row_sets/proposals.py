"""Row set of proposed memories: the review queue, what was deleted, and how far each chat was read."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.ids import AgentId, ChatId, MessageId, PeerId

if TYPE_CHECKING:
    from chimein_gui.domain.memory.entries import MemoryKind
    from chimein_gui.domain.memory.proposals import NewProposal, Proposal, ProposalId


class ProposalRows(Protocol):
    """Proposed memories. Every row names agent, chat and person."""

    def add(self, new: NewProposal) -> Proposal:
        """Insert one that waits."""
        ...

    def get(self, proposal_id: ProposalId) -> Proposal:
        """Return one; raises NotFoundError."""
        ...

    def save(self, proposal: Proposal) -> None:
        """Store state, version, effect and decision; raises NotFoundError."""
        ...

    def open(self) -> tuple[Proposal, ...]:
        """Return those that wait or are stale, oldest first."""
        ...

    def open_of_chat(self, chat_id: ChatId) -> tuple[Proposal, ...]:
        """Return those of a chat that wait or are stale, oldest first."""
        ...

    def open_of_person(self, agent_id: AgentId, person_id: PeerId) -> tuple[Proposal, ...]:
        """Return those about a person that wait or are stale, oldest first."""
        ...

    def decided(self, since: datetime) -> tuple[Proposal, ...]:
        """Return those that were decided since then, newest first."""
        ...

    def with_effect(self) -> tuple[Proposal, ...]:
        """Return those whose decision is not yet done to the file, oldest decision first."""
        ...

    def is_known(self, agent_id: AgentId, person_id: PeerId, text_hash: str) -> bool:
        """Return whether the same text about the same person waits, or was rejected."""
        ...

    def forget_before(self, decided_before: datetime) -> None:
        """Delete what was decided before then."""
        ...

    # --- what the operator does not want ----------------------------------------------------------------------

    def set_tombstone(
        self, agent_id: AgentId, kind: MemoryKind, peer: PeerId | None, text_hash: str, at: datetime | None
    ) -> None:
        """Store that a text was deleted from a file; None as the time removes that."""
        ...

    def has_tombstone(self, agent_id: AgentId, kind: MemoryKind, peer: PeerId | None, text_hash: str) -> bool:
        """Return whether a text was deleted from a file."""
        ...

    def set_never(self, agent_id: AgentId, person_id: PeerId, at: datetime | None) -> None:
        """Store that nothing is proposed about a person; None removes that."""
        ...

    def is_never(self, agent_id: AgentId, person_id: PeerId) -> bool:
        """Return whether nothing is to be proposed about a person."""
        ...

    # --- how far chats were read ------------------------------------------------------------------------------

    def read_up_to(self, chat_id: ChatId) -> MessageId | None:
        """Return the newest message that was read for memories; None if the chat was never read."""
        ...

    def set_read_up_to(self, chat_id: ChatId, message_id: MessageId, at: datetime) -> None:
        """Store how far a chat was read."""
        ...
