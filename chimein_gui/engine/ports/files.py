"""Ports for files that people read and edit: agents, memories, preferences, diagnostics."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from chimein_gui.domain.agents import AgentSpec, FileProblem
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.entries import MemoryFile, MemoryScope, MemoryText
from chimein_gui.domain.memory.merging.drafts import MemoryDraft
from chimein_gui.domain.memory.provenance import FileCount
from chimein_gui.domain.memory.versions import Author, MemoryVersion, OutsideChange


class MemoryFiles(Protocol):
    """Memories of agents: Markdown entries in the state directory, and the operator's notes. Writes are atomic."""

    async def texts(self, scope: MemoryScope) -> tuple[MemoryText, ...]:
        """Read the memory files that a chat may see, as they are now; those that do not exist are left out.

        It never raises: a file that can't be read has a problem.
        """
        ...

    async def files(self, agent_names: Collection[str]) -> tuple[MemoryFile, ...]:
        """Return the memory files that exist of some agents."""
        ...

    async def counts(self, agent_names: Collection[str]) -> Mapping[MemoryFile, FileCount]:
        """Return the memory files that exist of some agents, with their numbers of entries; 0 for unreadable ones."""
        ...

    async def text(self, file: MemoryFile) -> MemoryText:
        """Read one file; one that does not exist is empty. It never raises."""
        ...

    async def write(self, file: MemoryFile, content: str, expected: str, author: Author = ...) -> bool:
        """Write a file if it still is as expected, and keep the new version; returns False if it is not.

        Args:
            file: Which file.
            content: What to write.
            expected: What it held when the change was made.
            author: Who changes it, for the history; the operator if nothing is said.

        Raises:
            OSError: Nothing was changed.
        """
        ...

    async def notice(self, file: MemoryFile, only: str | None = None) -> None:
        """Keep a version of what another program wrote to a file. It never raises.

        Args:
            file: Which file.
            only: Keep it only if the file holds this; None keeps whatever it holds.
        """
        ...

    async def outside_change(self, file: MemoryFile) -> OutsideChange | None:
        """Return what another program made of a file since its newest version. It never raises.

        Returns:
            None if nothing is changed, the file can't be read, or no version is known. A time at which the file was
            missing does not count: `before` is what it held then.
        """
        ...

    async def versions(self, file: MemoryFile) -> tuple[MemoryVersion, ...]:
        """Return the versions of a file, newest first; the oldest of very many are gone."""
        ...

    async def version_text(self, file: MemoryFile, name: str) -> str:
        """Return the content of a version.

        Raises:
            NotFoundError: There is no such version any more.
            OSError: It can't be read.
        """
        ...

    async def keep_draft(self, draft: MemoryDraft) -> None:
        """Keep what is being typed against a crash; an earlier draft of the file is replaced.

        Raises:
            OSError: It is not kept.
        """
        ...

    async def drop_draft(self, file: MemoryFile) -> None:
        """Forget the draft of a file."""
        ...

    async def drafts(self) -> tuple[MemoryDraft, ...]:
        """Return the drafts that an earlier run left. It never raises."""
        ...

    async def append(
        self, agent_name: str, text: str, *, at: datetime, provenance: str, key: str, partner: PeerId | None = ...
    ) -> None:
        """Append one entry to ``<agent>/memory.md``, or to the partner's file.

        Args:
            agent_name: Name of the agent with the memory.
            text: What to remember; lines that would begin an entry or a block are escaped.
            at: Aware UTC, written into the entry's heading.
            provenance: Chat, message and source, in an HTML comment.
            key: Plan and index. If an entry with this key exists, nothing is written, so repeating after a crash is
                safe.
            partner: For the scope ``per-partner``: the partner whose file is used.

        Raises:
            OSError: Nothing was written.
        """
        ...

    async def remove(self, agent_name: str, *, key: str, partner: PeerId | None = ...) -> bool:
        """Remove one entry; returns False if the operator has already removed or changed it.

        Raises:
            OSError: Nothing was changed.
        """
        ...


class PreferenceFile(Protocol):
    """Writes single preferences to the file, which people edit, too."""

    async def write(self, changes: Mapping[str, object]) -> Mapping[str, object]:
        """Write some values; comments, order and unknown keys stay as they are.

        Args:
            changes: Values by name, as in `Preferences` or as returned by this method; None removes a value.

        Returns:
            The previous values of the same names; None for a missing one.

        Raises:
            ConfigError: Nothing has changed; the text says what to do.
        """
        ...


@dataclass(frozen=True, slots=True)
class AgentFolder:
    """Content of the config directories at one moment.

    Attributes:
        agents: The usable agents, earlier directories first.
        problems: Problems of the other files, with line and reason.
        model_prompt: The model-specific prompt, or empty.
        model_prompt_source: Its file.
        last_good: Sources of files that are broken now but were valid before; their agents keep the previous content.
        role_prompts: Names of the existing shared role prompts, sorted.
    """

    agents: tuple[AgentSpec, ...]
    problems: tuple[FileProblem, ...]
    model_prompt: str = ""
    last_good: tuple[str, ...] = ()
    role_prompts: tuple[str, ...] = ()
    model_prompt_source: str = ""


@dataclass(frozen=True, slots=True)
class NewAgent:
    """A new persona, to be written to a file.

    Attributes:
        name: Valid by `domain.input.names`.
        phone: International number.
        instructions: Markdown; headings of level 1 are made level 2.
        role_prompts: Names of prompt files.
        timezone: IANA name; empty for none.
    """

    name: str
    phone: str
    instructions: str
    role_prompts: tuple[str, ...]
    timezone: str = ""


class AgentFiles(Protocol):
    """Reads, watches and writes agent files."""

    async def load(self) -> AgentFolder:
        """Read all files; never raises: a file that can't be read is listed in the problems."""
        ...

    def changes(self) -> AsyncGenerator[None, None]:
        """Yield once after each burst of changes that makes the files differ from the last `load`.

        New directories and files replaced by an editor are noticed. Changes between the last `load` and the first step
        of this generator count, too. The caller closes the generator.
        """
        ...

    async def create(self, new: NewAgent) -> str:
        """Write an agent file into the first config directory (made if missing).

        Returns:
            Its path.

        Raises:
            ConfigError: The name or number can't be used or is taken, or the directory is not writable; says which.
        """
        ...

    async def set_phone(self, source: str, phone: str) -> None:
        """Change the number in an agent's file, and nothing else in it.

        Raises:
            ConfigError: The file can't be written, or changed meanwhile in a way that leaves no such field.
        """
        ...

    async def allow_link(self, target: str) -> None:
        """Allow prompts to be links to a file outside the config directories, permanently from the next `load` on.

        Raises:
            ConfigError: The permission could not be stored.
        """
        ...

    async def move_state(self, old_name: str, new_name: str) -> None:
        """Move an agent's state directory (session, memories) to its new name; the account must be disconnected.

        Without a directory nothing happens. An interrupted move can be repeated.

        Raises:
            ConfigError: The state of another agent is in the way, or the disk write fails.
        """
        ...


class CharacterCardFiles(Protocol):
    """Files of character cards, and the copies that are kept of those that became agents."""

    async def read(self, path: Path, most: int) -> bytes:
        """Return the first bytes of a file, at most `most`.

        Raises:
            RefusedError: It can't be read; says why.
        """
        ...

    async def write(self, path: Path, data: bytes) -> None:
        """Write the complete file, or nothing; an existing one is replaced.

        Raises:
            RefusedError: It can't be written; says why.
        """
        ...

    async def keep(self, data: bytes) -> str:
        """Keep a copy for good, and return its name; the same content has the same name.

        Raises:
            RefusedError: It can't be written; says why.
        """
        ...

    async def kept(self, name: str) -> bytes | None:
        """Return a kept copy; None if it is gone or was changed."""
        ...


class DiagnosticsFile(Protocol):
    """Writes the diagnostics file, adding what the engine does not know: versions, counts, logs, crash reports."""

    async def write(self, target: Path, facts: Mapping[str, object]) -> None:
        """Write the complete file, or nothing.

        Args:
            target: The file; an existing one is replaced.
            facts: By name; each becomes a JSON file.

        Raises:
            DiagnosticsError: It can't be written; its text says what to do.
        """
        ...
