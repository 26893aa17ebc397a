"""Ports for the files that hold something about one person, and for the file to which it is given out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection
    from contextlib import AbstractContextManager
    from pathlib import Path

    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.people.holdings import HoldingKind


@dataclass(frozen=True, slots=True)
class HeldFile:
    """One file with something about a person.

    Attributes:
        kind: The kind of data.
        agent_name: Whose; empty if it is of no agent.
        path: The file.
        count: Entries, lines or files in it.
        size: Their bytes, with those of former versions.
        texts: The texts, without former versions.
        former: Texts that only former versions have.
    """

    kind: HoldingKind
    agent_name: str
    path: str
    count: int
    size: int
    texts: tuple[str, ...] = ()
    former: tuple[str, ...] = ()


class PersonArchive(Protocol):
    """A file that is being written; its functions block, so call them in a thread."""

    def write(self, name: str, text: str) -> None:
        """Add a text; the same name again continues it, as long as no other one came between."""
        ...

    def copy(self, name: str, source: Path) -> None:
        """Add a file; one that is gone is left out."""
        ...


class PersonFiles(Protocol):
    """Files with something about a person. What blocks runs in a thread."""

    async def held(self, person: PeerId, names: Collection[str]) -> tuple[HeldFile, ...]:
        """Return the memories and the lines of logs about a person.

        Args:
            person: The number at Telegram.
            names: Names by which lines of logs are found.
        """
        ...

    async def media(self, files: Collection[int]) -> tuple[tuple[Path, int], ...]:
        """Return the kept files with these numbers at Telegram, with their sizes."""
        ...

    async def forget_memories(self, person: PeerId) -> None:
        """Remove the memories about a person, with all former versions.

        Raises:
            OSError: Something can't be removed; what was removed before stays removed.
        """
        ...

    async def forget_lines(self, person: PeerId, names: Collection[str]) -> None:
        """Remove the lines of logs about a person; raises as `forget_memories`."""
        ...

    async def forget_media(self, files: Collection[int]) -> None:
        """Remove kept files; raises as `forget_memories`."""
        ...

    def archive(self, target: Path) -> AbstractContextManager[PersonArchive]:
        """Write a zip file for this user alone: complete at the end, nothing after an exception.

        Raises:
            OSError: It can't be written.
        """
        ...
