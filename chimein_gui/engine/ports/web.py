"""The port for web pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.retrieval.host_lists import HostLists

if TYPE_CHECKING:
    from chimein_gui.domain.retrieval.pages import PageFetched


@dataclass(frozen=True, slots=True)
class PagesWanted:
    """What one reply of the model asks for.

    Attributes:
        addresses: As the model wrote them, at most three.
        round: The round of the plan, from 1.
        lists: The hosts that the agent may look up.
        raw: The source of the pages is wanted instead of their text.
    """

    addresses: tuple[str, ...]
    round: int
    lists: HostLists = field(default_factory=HostLists)
    raw: bool = False


class PageFetcher(Protocol):
    """Fetches web pages."""

    async def fetch(self, wanted: PagesWanted) -> tuple[PageFetched, ...]:
        """Fetch pages at the same time, in at most 10 s together; cancelling takes effect at once.

        Returns:
            What became of each, in order: it never raises because of a page or an address.
        """
        ...

    async def aclose(self) -> None:
        """Close what is open; a second call has no effect."""
        ...
