"""The operator's changes of memories. The files are the truth: another program's changes are never overwritten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.errors import RefusedError, note_of
from chimein_gui.domain.memory.edits import (
    FileEntry,
    MemoryChange,
    MemoryPage,
    file_entries,
    new_block,
    replaced,
    with_block,
    with_entry,
    with_text,
)
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.configs import ConfigReason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.ids import PeerId
    from chimein_gui.engine.ports import Clock, MemoryFiles

ATTEMPTS = 5
"""Times that a change is made anew because the file changed meanwhile."""


class MemoryEditor:
    """Lists memory files, and changes them entry by entry."""

    def __init__(self, files: MemoryFiles | None, clock: Clock, specs: Callable[[], Iterable[AgentSpec]]) -> None:
        """`specs` returns the agents in use."""
        self._given, self._clock, self._specs = files, clock, specs

    async def files(self) -> tuple[MemoryFile, ...]:
        """Return the memory files that exist of all agents."""
        if self._given is None:
            return ()
        return await self._given.files(tuple(dict.fromkeys(spec.name for spec in self._specs())))

    async def pages(self, agent_name: str, peer: PeerId | None) -> tuple[MemoryPage, ...]:
        """Return what there is about a chat: the operator's notes, and what the agent remembers about its partner.

        Args:
            agent_name: Whose memories.
            peer: The chat; None for what the agent remembers for all chats.
        """
        if self._given is None:
            return ()
        kinds = (MemoryKind.REMEMBERED,) if peer is None else (MemoryKind.CURATED, MemoryKind.ABOUT_PARTNER)
        made = []
        for kind in kinds:
            file = MemoryFile(kind, agent_name, peer)
            found = await self._given.text(file)
            made.append(MemoryPage(file, found.path, file_entries(kind, found.text), found.problem))
        return tuple(made)

    async def add(self, file: MemoryFile, text: str) -> MemoryChange:
        """Write a new entry at the end of a file.

        Raises:
            RefusedError: The file can't be written; says why.
        """
        at = self._clock.now()
        key, written = f"operator@{at:%Y%m%dT%H%M%S.%f}", ""

        def add(content: str) -> str:
            nonlocal written
            written = new_block(file, content, text, at=at, key=key)
            return with_entry(content, written)

        await self._change(file, add)
        return MemoryChange(file, "", written, 0)

    async def edit(self, file: MemoryFile, entry: FileEntry, text: str) -> MemoryChange:
        """Give an entry another text; an empty one removes it.

        Raises:
            RefusedError: Another program has changed or removed it meanwhile, or the file can't be written; says which.
        """
        after = with_text(entry.block, text) if text.strip() else ""
        await self._change(file, lambda content: replaced(file.kind, content, entry.block, after))
        return MemoryChange(file, entry.block, after, entry.start)

    async def move(self, file: MemoryFile, entry: FileEntry, to: MemoryFile) -> tuple[MemoryChange, MemoryChange]:
        """Move an entry to another file: first it is written there, so that a crash leaves it in both.

        Raises:
            RefusedError: As `add` and `edit`.
        """
        added = await self.add(to, entry.entry.text)
        return added, await self.edit(file, entry, "")

    async def undo(self, change: MemoryChange) -> None:
        """Take a change back.

        Raises:
            RefusedError: Another program has changed the entry since, or the file can't be written; says which.
        """
        kind = change.file.kind
        if not change.after:
            await self._change(change.file, lambda content: with_block(kind, content, change.before, change.place))
        else:
            await self._change(change.file, lambda content: replaced(kind, content, change.after, change.before))

    async def _change(self, file: MemoryFile, change: Callable[[str], str | None]) -> None:
        """Change a file as it is now; what another program writes meanwhile is not overwritten."""
        if self._given is None:
            raise RefusedError(Note(ConfigReason.NO_CONFIG_DIRECTORY))
        for _ in range(ATTEMPTS):
            found = await self._given.text(file)
            if found.problem is not None:
                raise RefusedError(found.problem)
            content = change(found.text)
            if content is None:
                break
            try:
                if await self._given.write(file, content, found.text):
                    return
            except OSError as error:
                raise RefusedError(note_of(error)) from error
        raise RefusedError(Note(ConfigReason.FILE_CHANGED, file.agent_name))
