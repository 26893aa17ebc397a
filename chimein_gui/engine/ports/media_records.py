"""Ports for descriptions of media: their files, and the one call that makes the words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Collection, Mapping, Sequence

    from chimein_gui.domain.media.records import MediaPlace, MediaRecord


class MediaRecords(Protocol):
    """The files of descriptions. Reading never raises: a file that can't be used is a record with a problem."""

    def places(self, agent_name: str) -> tuple[MediaPlace, ...]:
        """Return the directories that an agent's descriptions are looked for in, in order.

        First its own ones in all config directories, then the shared ones in all of them, then the cache.
        """
        ...

    async def find(
        self, places: Sequence[MediaPlace], unique_ids: Collection[str]
    ) -> Mapping[str, tuple[MediaRecord, ...]]:
        """Return the records of some media in the order of the places; those without any are left out."""
        ...

    async def all(self) -> tuple[MediaRecord, ...]:
        """Return the records of all places and agents."""
        ...

    async def write(self, record: MediaRecord, place: MediaPlace) -> MediaRecord:
        """Write a record, completely or not at all.

        In a file that exists only the values that differ are changed, everything else stays as it is. In the cache an
        existing record is replaced whatever it says.

        Args:
            record: If it was read from that place, its file must still be as it was then (`MediaRecord.stamp`).
            place: A writable directory, which is made if it is missing.

        Returns:
            The record as it is now in its file.

        Raises:
            RefusedError: The file was changed meanwhile, there is another record, or it can't be written. Nothing has
                changed.
        """
        ...

    async def move(self, record: MediaRecord, place: MediaPlace) -> MediaRecord:
        """Move a record and the copy of its medium to another directory; the same errors as `write`."""
        ...

    async def delete(self, record: MediaRecord) -> None:
        """Delete the file of a record; the copy of its medium stays.

        Raises:
            RefusedError: The file was changed meanwhile, or it can't be removed.
        """
        ...

    def changes(self) -> AsyncGenerator[frozenset[str], None]:
        """Yield the ids of media whose files were changed, once after each burst; whoever changed them.

        Changes between the last `all` and the first step of this generator count, too. The caller closes the generator.
        """
        ...
