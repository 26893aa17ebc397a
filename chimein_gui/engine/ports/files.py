"""Files that people read and edit, or give away, as the engine sees them: agents, memories, settings, diagnostics."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from chimein_gui.domain.agents import AgentSpec, FileProblem
from chimein_gui.domain.ids import PeerId


class MemoryFiles(Protocol):
    """What agents remembered: Markdown entries in the state directory; writes are atomic."""

    async def append(
        self, agent_name: str, text: str, *, at: datetime, provenance: str, key: str, partner: PeerId | None = ...
    ) -> None:
        """Append one entry to ``<agent>/memory.md``, or to the partner's file.

        Args:
            agent_name: Whose memory.
            text: What to remember; lines that would begin an entry or a block are escaped.
            at: Aware UTC, written into the entry's heading.
            provenance: Chat, message and source, in an HTML comment.
            key: Plan and index; an entry with this key that is there already is left alone, so a crash writes once.
            partner: For the scope ``per-partner``: whose file.

        Raises:
            OSError: Nothing was written.
        """
        ...

    async def remove(self, agent_name: str, *, key: str, partner: PeerId | None = ...) -> bool:
        """Take one entry out again; False when the operator removed or changed it already.

        Raises:
            OSError: Nothing was changed.
        """
        ...


class PreferenceFile(Protocol):
    """Writes single preferences; people write the file, too."""

    async def write(self, changes: Mapping[str, object]) -> Mapping[str, object]:
        """Write some values and leave everything else as it is: comments, order, what nobody knows.

        Args:
            changes: Values by name, as `Preferences` has them, or as this returned them; None takes one out.

        Returns:
            What stood there before under the same names; None where nothing did.

        Raises:
            ConfigError: Nothing has changed; the words say what to do.
        """
        ...


@dataclass(frozen=True, slots=True)
class AgentFolder:
    """What the config directories hold at one moment.

    Attributes:
        agents: The agents that can be used, earlier directories first.
        problems: What is wrong with the other files, with line and reason.
        model_prompt: The model-specific prompt, or empty.
        last_good: Sources of files that are broken now but were not before; their agents run on as they were.
        role_prompts: Names of the shared role prompts that there are, sorted.
    """

    agents: tuple[AgentSpec, ...]
    problems: tuple[FileProblem, ...]
    model_prompt: str = ""
    last_good: tuple[str, ...] = ()
    role_prompts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NewAgent:
    """A persona to be written to a file.

    Attributes:
        name: As `domain.agent_names` allows it.
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
    """Reads, watches and, where the operator asks for it, writes agent files."""

    async def load(self) -> AgentFolder:
        """Read everything anew; never raises: what can't be read is a problem in the list."""
        ...

    def changes(self) -> AsyncGenerator[None, None]:
        """Yield once after each burst of changes that leaves the files other than they were loaded last.

        A directory that appears later is noticed, a file that an editor replaces is not lost, and what was changed
        between the last `load` and the first step of this generator counts, too. Whoever asks closes it.
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
        """Let prompts be links to a file outside the config directories, from the next `load` on and for ever.

        Raises:
            ConfigError: It could not be noted.
        """
        ...

    async def move_state(self, old_name: str, new_name: str) -> None:
        """Move an agent's state directory (session, memories) to its new name; the account must be down.

        Harmless where there is none, and when it was cut off half-way and is repeated.

        Raises:
            ConfigError: There is another agent's state in the way, or the disk refuses.
        """
        ...


class DiagnosticsFile(Protocol):
    """Writes the file, and adds what the engine does not know: versions, counts, logs, reports of crashes."""

    async def write(self, target: Path, facts: Mapping[str, object]) -> None:
        """Write it whole, or leave no trace of it.

        Args:
            target: The file; one that is there is replaced.
            facts: By name; each becomes a JSON file.

        Raises:
            DiagnosticsError: It can't be written; its words say what to do.
        """
        ...
