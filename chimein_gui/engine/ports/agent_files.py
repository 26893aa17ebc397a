"""The agent files of the config directories, and the agents' own state directories."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol

from chimein_gui.domain.agents import AgentSpec, FileProblem


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
