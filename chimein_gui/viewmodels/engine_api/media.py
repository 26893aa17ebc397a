"""What the window asks of the engine about media and their descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chimein_gui.domain.media.library import MediaEntry, MediaLibrary
    from chimein_gui.domain.media.records import MediaPlace, MediaRecord
    from chimein_gui.domain.media.requests import DescribingProgress, DescriptionEstimate


class MediaService(Protocol):
    """Reads and changes descriptions; every change may raise a `RefusedError` with the reason."""

    async def load(self, known: int = ...) -> MediaLibrary | None:
        """Return all files; None if nothing changed since the version `known`."""
        ...

    async def save(self, entry: MediaEntry, text: str, place: MediaPlace | None = ...) -> MediaRecord:
        """Write the operator's description: into its curated record, else as a new one.

        Args:
            entry: The file, as it was shown.
            text: The description.
            place: The directory for a new record; None for that of the record, or the first of all agents.
        """
        ...

    async def move(self, record: MediaRecord, place: MediaPlace) -> MediaRecord:
        """Move a curated record to another directory."""
        ...

    async def delete(self, record: MediaRecord) -> None:
        """Delete a record; the file may get an AI text again."""
        ...

    async def restore(self, record: MediaRecord) -> MediaRecord:
        """Write a deleted record again."""
        ...


class DescribingService(Protocol):
    """Lets models describe what the operator chooses."""

    @property
    def budget(self) -> tuple[int, int, int]:
        """How many descriptions are left in this tick, how many a tick has, and how many files wait."""
        ...

    async def describe_again(self, entry: MediaEntry, instruction: str = ...) -> MediaRecord:
        """Let a model describe a file anew; curated words stay. May raise a `ChimeinError`."""
        ...

    def estimate(self, entries: Sequence[MediaEntry]) -> DescriptionEstimate:
        """Return what it costs to describe those of some files that have no words."""
        ...

    async def describe_all(
        self, entries: Sequence[MediaEntry], progress: Callable[[DescribingProgress], None]
    ) -> DescribingProgress:
        """Describe those of some files that have no words, within the budget of each tick, until `cancel`."""
        ...

    def cancel(self) -> None:
        """Stop describing many files."""
        ...

    async def import_set(self, typed: str) -> tuple[str, int]:
        """List the stickers of a set by its short name or link; return its name, and how many are new."""
        ...


class MediaApi(Protocol):
    """The part of the engine that the Media pane uses."""

    @property
    def media_library(self) -> MediaService: ...

    @property
    def media_requests(self) -> DescribingService: ...
