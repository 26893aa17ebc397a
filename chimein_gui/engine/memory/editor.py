"""The operator's changes of memories. The files are the truth: another program's changes are never overwritten."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from chimein_gui.domain.errors import NotFoundError, RefusedError, note_of
from chimein_gui.domain.memory.edits import (
    FileEntry,
    MemoryChange,
    MemoryPage,
    file_entries,
    moved_block,
    new_block,
    replaced,
    texts_of,
    with_block,
    with_entry,
    with_text,
)
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind, MemoryScope, MemoryView
from chimein_gui.domain.memory.files import entry_of, is_untouched, place_of_key
from chimein_gui.domain.memory.merging.drafts import SavedEntry
from chimein_gui.domain.memory.merging.three_way import MemoryConflict
from chimein_gui.domain.memory.versions import Author, FileRestored, MemoryVersion
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.configs import ConfigReason
from chimein_gui.domain.prompt.memories import memory_sections
from chimein_gui.domain.text.tokens import tokens_of
from chimein_gui.engine.memory.outside import OutsideChanges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.memory.merging.drafts import MemoryDraft
    from chimein_gui.domain.memory.provenance import FileCount
    from chimein_gui.engine.memory.tombstones import Noted, Tombstones
    from chimein_gui.engine.ports import Clock, MemoryFiles

T = TypeVar("T")

LONG = 40_000
"""Characters of a file from which it is looked at in a thread: it may hold thousands of entries."""

ATTEMPTS = 5
"""Times that a change is made anew because the file changed meanwhile."""


class MemoryEditor:
    """Lists memory files, and changes them entry by entry."""

    def __init__(
        self,
        files: MemoryFiles | None,
        clock: Clock,
        specs: Callable[[], Iterable[AgentSpec]],
        tombstones: Tombstones | None = None,
        on_changed: Callable[[MemoryFile], object] = lambda _file: None,
    ) -> None:
        """Create the service.

        Args:
            files: The memory files; None if there are none.
            clock: Time.
            specs: Returns the agents in use.
            tombstones: Store what is deleted or corrected; without them extraction may propose it again.
            on_changed: Called with each file that was written.
        """
        self._given, self._clock, self._specs = files, clock, specs
        self._tombstones, self._on_changed = tombstones, on_changed
        self._outside = OutsideChanges(files, tombstones) if files is not None else None

    @property
    def _files(self) -> MemoryFiles:
        if self._given is None:
            raise RefusedError(Note(ConfigReason.NO_CONFIG_DIRECTORY))
        return self._given

    async def counts(self) -> Mapping[MemoryFile, FileCount]:
        """Return the memory files that exist of all agents, with their numbers of entries."""
        if self._given is None:
            return {}
        return await self._given.counts(tuple(dict.fromkeys(spec.name for spec in self._specs())))

    async def pages(self, agent_name: str, peer: PeerId | None) -> tuple[MemoryPage, ...]:
        """Return what a chat knows: the operator's notes, what the agent remembers about its partner, and for all.

        Args:
            agent_name: Whose memories.
            peer: The chat; None for only what the agent remembers for all chats.
        """
        if self._given is None or self._outside is None:
            return ()
        about = (MemoryKind.CURATED, MemoryKind.ABOUT_PARTNER) if peer is not None else ()
        made = []
        for kind in (*about, MemoryKind.REMEMBERED):
            file = MemoryFile(kind, agent_name, None if kind is MemoryKind.REMEMBERED else peer)
            await self._outside.see(file)
            found = await self._given.text(file)
            if kind is MemoryKind.ABOUT_PARTNER and int(peer or 0) < 0 and not found.text and found.problem is None:
                continue  # a group is nobody: no prompt reads entries about it
            entries = await _aside(found.text, partial(file_entries, kind, found.text))
            made.append(MemoryPage(file, found.path, entries, found.problem, found.text))
        return tuple(made)

    async def prompt_tokens(self, agent_name: str, peers: Iterable[PeerId]) -> Mapping[PeerId, int]:
        """Estimate how many tokens of the next prompt of some chats are memories, without what is recalled.

        In groups the entries about whoever will write are not counted, because nobody knows who that is.
        """
        made = {}
        for peer in peers if self._given is not None else ():
            scope = MemoryScope(agent_name, peer, peer if int(peer) > 0 else None)
            sections = memory_sections(MemoryView(scope, await self._files.texts(scope))).sections
            made[peer] = tokens_of(one.text for one in sections)
        return made

    async def add(self, file: MemoryFile, text: str, moved: FileEntry | None = None) -> MemoryChange:
        """Write a new entry at the end of a file.

        Args:
            file: Which file.
            text: What it says.
            moved: The entry with this text in another file, whose time and origin it gets.

        Raises:
            RefusedError: The file can't be written; says why.
        """
        at = self._clock.now()
        key, written = f"operator@{at:%Y%m%dT%H%M%S.%f}", ""

        def add(content: str) -> str:
            nonlocal written
            if moved is None:
                written = new_block(file, content, text, at=at, key=key)
            else:
                written = moved_block(file, content, moved, at=at, key=key)
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

    async def save(self, base: str, file: MemoryFile, entry: FileEntry, text: str) -> SavedEntry | MemoryConflict:
        """Give an entry another text, as `edit`; if another program has changed it, say how instead of writing.

        Args:
            base: What the file held when the operator began.
            file: Which file.
            entry: The entry as it was.
            text: Its text; an empty one removes it.

        Raises:
            RefusedError: The file can't be written; says why.
        """
        after = with_text(entry.block, text) if text.strip() else ""
        seen = [base]

        def save(content: str) -> str | None:
            seen[:] = [content]
            return replaced(file.kind, content, entry.block, after)

        if await self._was_changed(file, save):
            return SavedEntry(MemoryChange(file, entry.block, after, entry.start), is_merged=seen[0] != base)
        mine = replaced(file.kind, base, entry.block, after)
        if mine is None:
            raise RefusedError(Note(ConfigReason.FILE_CHANGED, file.agent_name))
        path = (await self._files.text(file)).path
        return MemoryConflict(file, path, base, mine, seen[0], entry.block, text)

    async def resolve(self, conflict: MemoryConflict, content: str) -> FileRestored | MemoryConflict:
        """Write what was decided about a conflict; if the file changed again, return the conflict as it is now.

        Raises:
            RefusedError: The file can't be written; says why.
        """
        seen = [conflict.theirs]

        def write(now: str) -> str | None:
            seen[:] = [now]
            return content if now == conflict.theirs else None

        if await self._was_changed(conflict.file, write):
            return FileRestored(conflict.file, conflict.theirs, content)
        return replace(conflict, theirs=seen[0])

    async def keep_draft(self, draft: MemoryDraft) -> None:
        """Keep what is being typed against a crash.

        Raises:
            RefusedError: It can't be kept; says why.
        """
        try:
            await self._files.keep_draft(draft)
        except OSError as error:
            raise RefusedError(note_of(error)) from error

    async def drop_draft(self, file: MemoryFile) -> None:
        """Forget what was being typed."""
        await self._files.drop_draft(file)

    async def drafts(self) -> tuple[MemoryDraft, ...]:
        """Return what an earlier run left."""
        return await self._given.drafts() if self._given is not None else ()

    async def move(self, file: MemoryFile, entry: FileEntry, to: MemoryFile) -> tuple[MemoryChange, MemoryChange]:
        """Move an entry to another file: first it is written there, so that a crash leaves it in both.

        What is known of its origin moves with it, because marks and the forgetting of people need it.

        Raises:
            RefusedError: As `add` and `edit`.
        """
        added = await self.add(to, entry.entry.text, entry)
        await self._change(file, lambda content: replaced(file.kind, content, entry.block, ""), leaves=False)
        return added, MemoryChange(file, entry.block, "", entry.start)

    async def merge(
        self, file: MemoryFile, entry: FileEntry, other: FileEntry, text: str
    ) -> tuple[MemoryChange, MemoryChange]:
        """Make one entry of two, in one write: the first gets the text, the other one goes.

        Raises:
            RefusedError: As `edit`.
        """
        kind, after = file.kind, with_text(entry.block, text)

        def merge(content: str) -> str | None:
            first = replaced(kind, content, entry.block, after)
            return replaced(kind, first, other.block, "") if first is not None else None

        await self._change(file, merge)
        moved = len(after) - len(entry.block) if other.start > entry.start else 0
        return (
            MemoryChange(file, entry.block, after, entry.start),
            MemoryChange(file, other.block, "", other.start + moved),
        )

    async def undo(self, change: MemoryChange | FileRestored) -> None:
        """Take a change back.

        Raises:
            RefusedError: Another program has changed the entry since, or the file can't be written; says which.
        """
        if isinstance(change, FileRestored):
            back = change
            await self._change(back.file, lambda now: back.before if now == back.after else None, Author.UNDO)
            return
        kind, one = change.file.kind, change
        if not one.after:
            await self._change(one.file, lambda content: with_block(kind, content, one.before, one.place), Author.UNDO)
        else:
            await self._change(one.file, lambda content: replaced(kind, content, one.after, one.before), Author.UNDO)

    # --- versions -------------------------------------------------------------------------------------------------

    async def versions(self, file: MemoryFile) -> tuple[MemoryVersion, ...]:
        """Return the versions of a file, newest first; what another program wrote last is one of them."""
        if self._given is None or self._outside is None:
            return ()
        await self._outside.see(file)
        return await self._given.versions(file)

    async def version_text(self, file: MemoryFile, version: MemoryVersion) -> str:
        """Return the content of a version.

        Raises:
            RefusedError: It is not there any more, or can't be read.
        """
        try:
            return await self._files.version_text(file, version.name)
        except (OSError, NotFoundError) as error:
            raise RefusedError(note_of(error)) from error

    async def restore(self, file: MemoryFile, version: MemoryVersion) -> FileRestored:
        """Write an earlier version; what the file holds now stays among its versions.

        Raises:
            RefusedError: As `version_text`; or the file can't be written.
        """
        content, before = await self.version_text(file, version), ""

        def restore(now: str) -> str:
            nonlocal before
            before = now
            return content

        await self._change(file, restore, Author.RESTORE)
        return FileRestored(file, before, content)

    # --- proposed memories ----------------------------------------------------------------------------------------

    async def add_keyed(self, file: MemoryFile, text: str, *, at: datetime, provenance: str, key: str) -> None:
        """Write an accepted proposal at the end of a file; an entry with the key is left as it is.

        Raises:
            RefusedError: The file can't be written; says why.
        """
        block = entry_of(text, at=at, provenance=provenance, key=key)

        def add(content: str) -> str:
            return content if place_of_key(content, key) is not None else with_entry(content, block)

        await self._change(file, add, Author.EXTRACTION)

    async def remove_keyed(self, file: MemoryFile, key: str) -> None:
        """Remove the entry with a key; nothing happens if there is none.

        Raises:
            RefusedError: The operator has changed it since, or the file can't be written; says which.
        """

        def remove(content: str) -> str | None:
            place = place_of_key(content, key)
            if place is None:
                return content
            start, end = place
            return content[:start] + content[end:] if is_untouched(content[start:end]) else None

        await self._change(file, remove, Author.UNDO, leaves=False)

    async def exchange(self, file: MemoryFile, before: str, after: str, author: Author) -> None:
        """Replace the block of an entry; nothing happens if that was done before.

        Raises:
            RefusedError: Another program has changed it since, or the file can't be written; says which.
        """

        def change(content: str) -> str | None:
            fresh = replaced(file.kind, content, before, after)
            is_done = any(one.block == after for one in file_entries(file.kind, content))
            return content if fresh is None and is_done else fresh

        await self._change(file, change, author)

    async def _change(
        self,
        file: MemoryFile,
        change: Callable[[str], str | None],
        author: Author = Author.OPERATOR,
        *,
        leaves: bool = True,
    ) -> None:
        """Change a file as `_was_changed` does; that the file has changed is refused."""
        if not await self._was_changed(file, change, author, leaves=leaves):
            raise RefusedError(Note(ConfigReason.FILE_CHANGED, file.agent_name))

    async def _was_changed(
        self,
        file: MemoryFile,
        change: Callable[[str], str | None],
        author: Author = Author.OPERATOR,
        *,
        leaves: bool = True,
    ) -> bool:
        """Change a file as it is now; what another program writes meanwhile is not overwritten.

        Args:
            file: Which file.
            change: Returns the new content; None if that is impossible, because the file has changed.
            author: Who changes it.
            leaves: Texts that are gone leave tombstones; never by an undo.

        Returns:
            Whether the file has the change now; False if `change` returned None.
        """
        for _ in range(ATTEMPTS):
            if self._outside is not None:
                await self._outside.see(file, is_written=True)
            found = await self._files.text(file)
            if found.problem is not None:
                raise RefusedError(found.problem)
            content = await _aside(found.text, partial(change, found.text))
            if content is None:
                return False
            if content == found.text:
                return True
            noted = await self._noted(file, found.text, content, leaves=leaves and author is not Author.UNDO)
            try:
                if await self._files.write(file, content, found.text, author):
                    self._on_changed(file)
                    return True
                await self._reverted(noted)
            except OSError as error:
                await self._reverted(noted)
                raise RefusedError(note_of(error)) from error
        return False

    async def _noted(self, file: MemoryFile, before: str, after: str, *, leaves: bool) -> Noted | None:
        """Store which texts go and which come, before the file is written."""
        if self._tombstones is None:
            return None
        old, new = await _aside(before, lambda: (texts_of(file.kind, before), texts_of(file.kind, after)))
        return await self._tombstones.note(file, old - new if leaves else frozenset(), new - old)

    async def _reverted(self, noted: Noted | None) -> None:
        if self._tombstones is not None and noted is not None:
            await self._tombstones.revert(noted)


async def _aside(content: str, work: Callable[[], T]) -> T:
    """Do something with the content of a file; with a long one in a thread."""
    return await asyncio.to_thread(work) if len(content) > LONG else work()
