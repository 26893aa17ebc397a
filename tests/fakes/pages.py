"""A fetcher of pages without a web."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime

from chimein_gui.domain.retrieval import texts
from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.domain.retrieval.refusals import FetchFault
from chimein_gui.engine.ports import PagesWanted


class FakePages:
    """Implements `engine.ports.PageFetcher`."""

    def __init__(self, pages: Mapping[str, str] | None = None, finals: Mapping[str, str] | None = None) -> None:
        """`pages` gives texts by address, all others fail; `finals` the addresses to which some redirect."""
        self.pages, self.finals = dict(pages or {}), dict(finals or {})
        self.wanted: list[PagesWanted] = []
        self.gate: asyncio.Event | None = None
        """When set, answers wait for it."""
        self.cancelled = 0

    async def fetch(self, wanted: PagesWanted) -> tuple[PageFetched, ...]:
        self.wanted.append(wanted)
        try:
            if self.gate is not None:
                await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return tuple(self._page(one, wanted) for one in wanted.addresses)

    async def aclose(self) -> None:
        return

    def _page(self, address: str, wanted: PagesWanted) -> PageFetched:
        text = self.pages.get(address)
        error = None if text is not None else FetchFault.NO_SUCH_HOST
        shown = text if text is not None else texts.failed(FetchFault.NO_SUCH_HOST)
        final = self.finals.get(address, address)
        at = datetime(2026, 11, 29, tzinfo=UTC)
        return PageFetched(
            address, final, at, 0.1, wanted.round, 200 if error is None else None, text=shown, error=error
        )
