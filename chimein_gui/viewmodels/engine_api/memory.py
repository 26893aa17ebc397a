"""What the window asks of the engine about memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.memory.edits import FileEntry, MemoryChange, MemoryPage
    from chimein_gui.domain.memory.entries import MemoryFile


class MemoriesConsole(Protocol):
    """Reads and changes memories; every change may raise a `RefusedError` with the reason."""

    async def files(self) -> tuple[MemoryFile, ...]:
        """Return the memory files that exist."""
        ...

    async def pages(self, agent_name: str, peer: PeerId | None) -> tuple[MemoryPage, ...]:
        """Return what there is about a chat; None for what the agent remembers for all chats."""
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

    async def undo(self, change: MemoryChange) -> None:
        """Take a change back."""
        ...


class MemoriesApi(Protocol):
    """The part of the engine that the Memory pane uses."""

    @property
    def memory_editor(self) -> MemoriesConsole: ...
