"""What the window asks of the engine about the files of agents and prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chimein_gui.domain.agent_files.fixed_part import FixedPart
    from chimein_gui.domain.agent_files.sources import Draft, SourceFile


class SaveResultLike(Protocol):
    """What became of a save."""

    @property
    def text(self) -> str:
        """The text of the file now."""
        ...

    @property
    def is_merged(self) -> bool:
        """Whether it holds other lines that another program had changed."""
        ...

    @property
    def is_conflict(self) -> bool:
        """Whether another program has changed the same lines, so that nothing is written."""
        ...


class SourcesService(Protocol):
    """Reads and edits the files of agents and prompts; every method may raise a `RefusedError` with the reason."""

    async def files(self) -> tuple[SourceFile, ...]:
        """Return all agent files and prompts; archived ones last."""
        ...

    async def read(self, path: str) -> str:
        """Return a file as it is written."""
        ...

    def used_by(self, path: str) -> tuple[str, ...]:
        """Return the names of the agents that use a prompt."""
        ...

    async def fixed_part(self, text: str, prompts: Mapping[str, str]) -> FixedPart:
        """Estimate the part of an agent's prompts that is the same in all its calls; `prompts` are paths by name."""
        ...

    async def save(self, path: str, base: str, text: str) -> SaveResultLike:
        """Write a changed file; what another program changed since `base` was read is kept, or nothing is written."""
        ...

    async def create_prompt(self, name: str, text: str, agent: str = "") -> str:
        """Write a new prompt, and return its path."""
        ...

    async def rename(self, path: str, name: str) -> str:
        """Rename an agent or a prompt, and return the new path."""
        ...

    async def duplicate(self, path: str, name: str) -> str:
        """Copy an agent or a prompt under another name, and return the path of the copy."""
        ...

    async def archive(self, path: str) -> str:
        """Move a file to the archive, which is not loaded, and return its new path."""
        ...

    async def restore(self, path: str) -> str:
        """Move a file from the archive back, and return its path."""
        ...

    async def keep_draft(self, draft: Draft) -> None:
        """Keep unsaved changes against a crash."""
        ...

    async def drop_draft(self, path: str) -> None:
        """Forget unsaved changes."""
        ...

    async def drafts(self) -> tuple[Draft, ...]:
        """Return the unsaved changes that an earlier run left."""
        ...


class SourcesApi(Protocol):
    """The part of the engine that the editor uses."""

    @property
    def sources(self) -> SourcesService: ...
