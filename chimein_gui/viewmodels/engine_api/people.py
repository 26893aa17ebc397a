"""What the window asks of the engine about everything that is held about a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.people.holdings import PersonHoldings


class PeopleService(Protocol):
    """Shows, gives out and forgets; may raise a `RefusedError` with the reason."""

    async def look(self, person: PeerId) -> PersonHoldings:
        """Return all that is held about a person."""
        ...

    async def export(self, person: PeerId, target: Path, progress: Callable[[int], object]) -> bool:
        """Write all of it to a zip file; False if that was stopped."""
        ...

    def stop_export(self) -> None:
        """Stop an export; its file is removed."""
        ...

    async def forget(self, person: PeerId, *, never: bool = False) -> None:
        """Forget a person, and perhaps let no memories of them be proposed any more."""
        ...


class PeopleApi(Protocol):
    """The part of the engine that the page about a person uses."""

    @property
    def people(self) -> PeopleService: ...
