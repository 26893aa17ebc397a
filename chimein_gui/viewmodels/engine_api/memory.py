"""What the window asks of the engine about memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from chimein_gui.domain.ids import ChatId, MessageId, PeerId
    from chimein_gui.domain.memory.edits import FileEntry, MemoryChange, MemoryPage
    from chimein_gui.domain.memory.embedding import EmbeddingStatus
    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.domain.memory.merging.drafts import MemoryDraft, SavedEntry
    from chimein_gui.domain.memory.merging.three_way import MemoryConflict
    from chimein_gui.domain.memory.proposals import Proposal, ProposalId, ReviewQueue
    from chimein_gui.domain.memory.provenance import FileCount
    from chimein_gui.domain.memory.recall import Recall
    from chimein_gui.domain.memory.versions import FileRestored, MemoryVersion


class MemoriesService(Protocol):
    """Reads and changes memories; every change may raise a `RefusedError` with the reason."""

    async def counts(self) -> Mapping[MemoryFile, FileCount]:
        """Return the memory files that exist, with their numbers of entries."""
        ...

    async def pages(self, agent_name: str, peer: PeerId | None) -> tuple[MemoryPage, ...]:
        """Return what a chat knows; None for only what the agent remembers for all chats."""
        ...

    async def prompt_tokens(self, agent_name: str, peers: Iterable[PeerId]) -> Mapping[PeerId, int]:
        """Estimate how many tokens of the next prompt of some chats are memories."""
        ...

    async def add(self, file: MemoryFile, text: str) -> MemoryChange:
        """Write a new entry."""
        ...

    async def edit(self, file: MemoryFile, entry: FileEntry, text: str) -> MemoryChange:
        """Give an entry another text; an empty one removes it."""
        ...

    async def move(self, file: MemoryFile, entry: FileEntry, to: MemoryFile) -> tuple[MemoryChange, MemoryChange]:
        """Move an entry to another file."""
        ...

    async def save(self, base: str, file: MemoryFile, entry: FileEntry, text: str) -> SavedEntry | MemoryConflict:
        """Give an entry another text; if another program has changed it, too, nothing is written."""
        ...

    async def resolve(self, conflict: MemoryConflict, content: str) -> FileRestored | MemoryConflict:
        """Write what was decided about a conflict; if the file changed again, nothing is written."""
        ...

    async def keep_draft(self, draft: MemoryDraft) -> None:
        """Keep what is being typed against a crash."""
        ...

    async def drop_draft(self, file: MemoryFile) -> None:
        """Forget what was being typed."""
        ...

    async def drafts(self) -> tuple[MemoryDraft, ...]:
        """Return what an earlier run left."""
        ...

    async def merge(
        self, file: MemoryFile, entry: FileEntry, other: FileEntry, text: str
    ) -> tuple[MemoryChange, MemoryChange]:
        """Make one entry of two: the first gets the text, the other one goes."""
        ...

    async def undo(self, change: MemoryChange | FileRestored) -> None:
        """Take a change back."""
        ...

    async def versions(self, file: MemoryFile) -> tuple[MemoryVersion, ...]:
        """Return the versions of a file, newest first."""
        ...

    async def version_text(self, file: MemoryFile, version: MemoryVersion) -> str:
        """Return the content of a version."""
        ...

    async def restore(self, file: MemoryFile, version: MemoryVersion) -> FileRestored:
        """Write an earlier version."""
        ...


class RecallService(Protocol):
    """Tells what would be chosen of the memories for a message."""

    async def recalled_by(self, agent_name: str, peer: PeerId, text: str, person: PeerId | None = None) -> Recall:
        """Return what a prompt would hold if a text was the message to answer.

        Args:
            agent_name: Whose memories.
            peer: The chat.
            text: The message.
            person: Who writes it, in a group; None for who wrote there last.

        Raises:
            StoreError: The index can't be read or written.
            TimeoutError: It took too long.
        """
        ...

    async def find_anywhere(self, agent_names: Collection[str], text: str, limit: int) -> Recall:
        """Return the entries of all files of some agents that fit best; otherwise as `recalled_by`."""
        ...


class ReviewService(Protocol):
    """Decides on proposed memories; every decision may raise a `RefusedError` with the reason."""

    async def accept(
        self, proposal_id: ProposalId, version: int, *, text: str = "", file: MemoryFile | None = None
    ) -> Proposal:
        """Write a proposal into a file, perhaps with another text."""
        ...

    async def merge(
        self, proposal_id: ProposalId, version: int, *, text: str, file: MemoryFile, entry: FileEntry
    ) -> Proposal:
        """Give an entry a text that says what the proposal says, too."""
        ...

    async def reject(self, proposal_id: ProposalId, version: int) -> Proposal:
        """Do not remember a proposal."""
        ...

    async def never(self, proposal_id: ProposalId, version: int) -> Proposal:
        """Reject all about the person, for good."""
        ...

    async def never_chat(self, proposal_id: ProposalId, version: int) -> Proposal:
        """Reject all of the chat, for good."""
        ...

    async def undo(self, proposal_id: ProposalId) -> Proposal:
        """Take a decision back."""
        ...


class ReviewReader(Protocol):
    """Lists proposed memories."""

    async def load(self) -> ReviewQueue:
        """Return what waits, and what was decided today."""
        ...


class ExtractionService(Protocol):
    """Reads conversations for memories."""

    async def read_now(self) -> None:
        """Read what was said and not read yet, without waiting for rest; the limits hold."""
        ...


class MemoryIndexService(Protocol):
    """Tells how far the index of memories is; every command may raise a `StoreError`."""

    def status(self) -> EmbeddingStatus:
        """Return how far the index is; changes of it are events."""
        ...

    async def stop(self) -> None:
        """Stop making vectors; that outlives a restart."""
        ...

    async def go_on(self) -> None:
        """Let the job go on, or try again after a problem."""
        ...

    async def rebuild(self) -> None:
        """Index all memory files anew; vectors of texts that are still there are kept."""
        ...


class OrdersService(Protocol):
    """Takes back what partners ordered to remember."""

    async def undo_order(self, chat_id: ChatId, message_id: MessageId) -> bool:
        """Remove what a message ordered; False if its entry was changed meanwhile. May raise an `OSError`."""
        ...


class MemoriesApi(Protocol):
    """The part of the engine that the Memory pane uses."""

    @property
    def memory_index(self) -> MemoryIndexService | None: ...

    @property
    def memories(self) -> OrdersService | None: ...

    @property
    def extraction(self) -> ExtractionService | None: ...

    @property
    def memory_review(self) -> ReviewService: ...

    @property
    def review_list(self) -> ReviewReader: ...

    @property
    def memory_recall(self) -> RecallService | None: ...

    @property
    def memory_editor(self) -> MemoriesService: ...
