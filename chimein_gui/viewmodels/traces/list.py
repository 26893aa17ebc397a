"""The list of traces, newest first."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.events import TraceChanged, TracesRemoved
from chimein_gui.domain.traces.summaries import (
    EVERYTHING,
    NO_STANDINGS,
    Standings,
    TraceCounts,
    TraceFilter,
    TraceId,
    TraceSizes,
    TraceSummary,
)
from chimein_gui.viewmodels.paging.list import PagedListModel
from chimein_gui.viewmodels.paging.rows import Slice
from chimein_gui.viewmodels.paging.window import PAGE_ROWS
from chimein_gui.viewmodels.traces.api import TracesApi
from chimein_gui.viewmodels.traces.words import row_sentence

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Hashable, Iterable

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.traces.standing import Standing


class TraceListModel(PagedListModel[TraceSummary, TraceId, TracesApi]):
    """The traces that a filter takes. It has all rows from the beginning; a page is read when it is shown.

    Attributes:
        row_changed: A trace changed that may be open; carries its id.
        placed: The place of a trace is known; carries it and the id.
        not_placed: The filter does not take a trace that was looked for; carries its id.
        wanted: The filter.
        standing_of: What a plan waits for now, beside what its row says.
        standings_now: The same of all plans, for filters and counts.
        counts: How many there are, by what they are; of the filter without its states, group and kind.
        sizes: How much is kept.
    """

    row_changed = Signal(object)
    placed = Signal(int, object)
    not_placed = Signal(object)

    def __init__(self, feed: Feed, parent: QObject | None = None) -> None:
        super().__init__(feed, parent)
        self._touched: set[TraceId] = set()
        self.wanted = EVERYTHING
        self.standing_of: Callable[[TraceSummary], Standing | None] = lambda _row: None
        self.standings_now: Callable[[], Standings] = lambda: NO_STANDINGS
        self._standings = NO_STANDINGS
        self.counts, self.sizes = TraceCounts(), TraceSizes()

    def choose(self, wanted: TraceFilter) -> None:
        """Show other traces."""
        if wanted != self.wanted:
            self.wanted = wanted
            self.read()

    def look_at_standings(self) -> None:
        """Read again soon if plans wait for something else than when they were counted."""
        if self.standings_now() != self._standings:
            self.outdate()

    def look_for(self, trace_id: TraceId) -> None:
        """Ask for the place of a trace whose row is not in memory; `placed` tells it, if the filter takes the trace."""
        if self._api is not None and self._spawn is not None:
            self._spawn(self._look_for(self._api, trace_id, self._generation), name="find row of trace")

    async def _look_for(self, api: TracesApi, trace_id: TraceId, generation: int) -> None:
        with suppress(ChimeinError):  # the trace is open; without its place only the list stays where it is
            place = await api.traces.place(self.wanted, trace_id, self._standings)
            self._feed.bridge.deliver(lambda: self._tell_place(place, trace_id, generation))

    def _tell_place(self, place: int | None, trace_id: TraceId, generation: int) -> None:
        if generation != self._generation:
            return
        if place is None:
            self.not_placed.emit(trace_id)
        elif place < self.rowCount():
            self.placed.emit(place, trace_id)

    # --- what is read ---------------------------------------------------------------------------------------------

    def key_of(self, row: TraceSummary) -> Hashable:
        return row.trace_id

    def place_of(self, row: TraceSummary) -> TraceId:
        return row.trace_id

    def sentence_of(self, row: TraceSummary) -> str:
        return row_sentence(row, self._feed.clock, self.standing_of(row))

    def receive(self, events: Iterable[EngineEvent]) -> None:
        changed = {event.trace_id for event in events if isinstance(event, TraceChanged)}
        self._touched |= changed
        for trace_id in changed:
            self.row_changed.emit(trace_id)
        if changed or TracesRemoved in map(type, events):
            self.outdate()

    async def read_top(self, api: TracesApi) -> AsyncIterator[Callable[[], None]]:
        wanted, touched = self.wanted, self._touched
        self._touched = set()
        standings = self._standings = self.standings_now()
        page = await api.traces.page(wanted, None, limit=PAGE_ROWS, standings=standings)
        yield lambda: self.install(_slice(page))
        further = touched & {row.trace_id for row in self.rows()} - {row.trace_id for row in page}
        fresh = [row for row in [await api.traces.summary(one) for one in further] if row is not None]
        total = await api.traces.count(wanted, standings)
        counts = total if wanted == _of_all(wanted) else await api.traces.count(_of_all(wanted), standings)
        yield lambda: self._take(fresh, total, counts)
        sizes = await api.traces.size()
        yield lambda: setattr(self, "sizes", sizes)

    def _take(self, fresh: Iterable[TraceSummary], total: TraceCounts, counts: TraceCounts) -> None:
        self.counts = counts
        self.resize(total.all)
        for row in fresh:
            place = self.row_of(row.trace_id)
            if place >= 0:
                self.change(place, row)

    async def read_slice(
        self, api: TracesApi, after: TraceId | None, *, skip: int, limit: int
    ) -> Slice[TraceSummary, TraceId]:
        page = await api.traces.page(self.wanted, after, skip=skip, limit=limit, standings=self._standings)
        return _slice(page)


def _slice(page: tuple[TraceSummary, ...]) -> Slice[TraceSummary, TraceId]:
    return Slice(page, page[-1].trace_id if page else None)


def _of_all(wanted: TraceFilter) -> TraceFilter:
    """Return a filter without states, group and kind, whose counts stand beside the choices."""
    return replace(wanted, states=frozenset(), group=None, kind=None)
