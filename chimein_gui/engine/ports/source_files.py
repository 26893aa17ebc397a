"""Port for the files that the editor of agents and prompts opens: as they are written, byte for byte."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chimein_gui.domain.agent_files.sources import Draft, SourceFile


class SourceFiles(Protocol):
    """Reads and writes the files of agents and prompts. Every method refuses paths outside the config directories."""

    async def files(self) -> tuple[SourceFile, ...]:
        """Return all agent files and prompts, those of earlier directories first, by name; archived ones last."""
        ...

    async def home(self) -> str:
        """Return the config directory for new files: the first one that can be written to.

        Raises:
            RefusedError: There is none.
        """
        ...

    async def read(self, path: str) -> str:
        """Return a file as it is written, with its byte order mark and its line ends.

        Raises:
            RefusedError: It is missing, too large, no plain file or no UTF-8; says which.
        """
        ...

    async def write(self, path: str, text: str, expected: str | None) -> str | None:
        """Replace a file if it still has the expected text.

        Args:
            path: The file.
            text: Its new text.
            expected: The text as it was read; None for a new file, which must not exist.

        Returns:
            None if it is written, or the text that is there instead of the expected one; then nothing is written.

        Raises:
            RefusedError: It can't be written; says why.
        """
        ...

    async def move(self, moves: tuple[tuple[str, str], ...]) -> None:
        """Move files and directories, in order; on an error those that were moved are moved back.

        A missing source is skipped, unless it is the first one.

        Raises:
            RefusedError: A target exists, or a move failed; says which.
        """
        ...

    async def copy(self, source: str, target: str) -> None:
        """Copy the Markdown files of a directory into a new one; a missing source is no error.

        Raises:
            RefusedError: It can't be written; says why.
        """
        ...

    async def keep_draft(self, draft: Draft) -> None:
        """Keep unsaved changes of a file, in place of those that were kept.

        Raises:
            RefusedError: They can't be kept; says why.
        """
        ...

    async def drop_draft(self, path: str) -> None:
        """Forget the unsaved changes of a file."""
        ...

    async def drafts(self) -> tuple[Draft, ...]:
        """Return the unsaved changes that an earlier run left."""
        ...
