"""The lines of the decision log: read page by page, and kept up to date while they are shown."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.plans.decision_log import DecisionFilter, DecisionTotals, LoggedDecision, LogPosition
from chimein_gui.viewmodels.approvals.recent import OF_SENDS
from chimein_gui.viewmodels.decisions.words import line_sentence
from chimein_gui.viewmodels.paging.list import PagedListModel
from chimein_gui.viewmodels.paging.rows import Slice
from chimein_gui.viewmodels.paging.window import PAGE_ROWS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Hashable, Iterable

    from PySide6.QtCore import QObject

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.plans.decision_log import DecisionShare
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.decision_log import DecisionLogService

SHARES_OF_DAYS = 30
"""Days that the edit rates cover."""


class DecisionLogApi(Protocol):
    """What this model asks of the engine."""

    @property
    def decision_log(self) -> DecisionLogService:
        """The past decisions."""
        ...


class DecisionLogModel(PagedListModel[LoggedDecision, LogPosition, DecisionLogApi]):
    """The lines of a filter, newest first; older ones are read as the list is scrolled.

    Attributes:
        wanted: The filter.
        totals: The figures of the filter.
        shares: The figures of each agent in the last `SHARES_OF_DAYS` days.
    """

    def __init__(self, feed: Feed, parent: QObject | None = None) -> None:
        super().__init__(feed, parent)
        self.wanted = DecisionFilter()
        self.totals = DecisionTotals()
        self.shares: tuple[DecisionShare, ...] = ()

    def choose(self, wanted: DecisionFilter) -> None:
        """Apply another filter."""
        if wanted != self.wanted:
            self.wanted = wanted
            self.read()

    # --- what is read ---------------------------------------------------------------------------------------------

    def key_of(self, row: LoggedDecision) -> Hashable:
        return row.client_id

    def place_of(self, row: LoggedDecision) -> LogPosition:
        return row.position

    def sentence_of(self, row: LoggedDecision) -> str:
        return line_sentence(row, self._feed.clock)

    def receive(self, events: Iterable[EngineEvent]) -> None:
        if not OF_SENDS.isdisjoint(map(type, events)):
            self.outdate()

    async def read_top(self, api: DecisionLogApi) -> AsyncIterator[Callable[[], None]]:
        wanted = self.wanted
        since = self._feed.clock.now() - timedelta(days=SHARES_OF_DAYS)
        page = await api.decision_log.page(wanted, limit=PAGE_ROWS)
        yield lambda: self.install(Slice(page.rows, page.rest))
        totals = await api.decision_log.totals(wanted)
        shares = await api.decision_log.shares(DecisionFilter(since=since))

        def take() -> None:
            self.totals, self.shares = totals, shares

        yield take

    async def read_slice(
        self, api: DecisionLogApi, after: LogPosition | None, *, skip: int, limit: int
    ) -> Slice[LoggedDecision, LogPosition]:
        assert not skip  # every page was read once, from the one before
        page = await api.decision_log.page(self.wanted, after, limit=limit)
        return Slice(page.rows, page.rest)

    # --- queries --------------------------------------------------------------------------------------------------

    @property
    def is_whole(self) -> bool:
        """Whether the oldest line of the filter has been read."""
        return self._loaded and self._rest is None and not self.reading

    @property
    def is_filtered(self) -> bool:
        """Whether the filter leaves some decisions out, apart from its time span."""
        return replace(self.wanted, since=None, until=None) != DecisionFilter()
