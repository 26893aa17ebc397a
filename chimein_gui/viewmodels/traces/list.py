"""The list of traces, newest first; older ones are read as it is scrolled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt, QTimer, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.events import TraceChanged, TracesRemoved
from chimein_gui.domain.traces.summaries import EVERYTHING, TraceCounts, TraceFilter, TraceSizes
from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole
from chimein_gui.viewmodels.traces.words import row_sentence
from chimein_gui.viewmodels.words.errors import error_words

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.traces.summaries import TraceId, TraceSummary
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.traces.api import TracesApi

PAGE_ROWS = 100
"""Rows of one page: several screens."""

SETTLE_MS = 400
"""Milliseconds after a change before the list is read again: a busy chat causes one read."""


class TraceListModel(QAbstractListModel):
    """The traces that a filter takes.

    Attributes:
        changed: Rows, counts, the filter, the state of reading or `problem` changed.
        row_changed: A trace changed that may be open; carries its id.
        wanted: The filter.
        counts: How many there are, by what they are; of the filter without its states and kind.
        sizes: How much is kept.
        reading: A read is in progress.
        problem: Why the last read failed, in words; else empty.
    """

    changed = Signal()
    row_changed = Signal(object)

    def __init__(self, feed: Feed, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._feed = feed
        self._api: TracesApi | None = None
        self._spawn: Spawn | None = None
        self._rows: list[TraceSummary] = []
        self._touched: set[TraceId] = set()
        self._generation = 0
        self._watched = self._stale = self._is_whole = self._loaded = False
        self.wanted = EVERYTHING
        self.counts, self.sizes = TraceCounts(), TraceSizes()
        self.reading, self.problem = False, ""
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SETTLE_MS)
        self._soon.timeout.connect(self._read_again)
        feed.bridge.batch_ready.connect(self._receive)

    def attach(self, api: TracesApi, spawn: Spawn) -> None:
        """Read the first page, now or once the list is shown."""
        self._api, self._spawn, self._stale = api, spawn, True
        self.watch(watched=self._watched)

    def detach(self) -> None:
        """Stop reading."""
        self._soon.stop()
        self._generation += 1
        self._api = self._spawn = None

    # --- reading --------------------------------------------------------------------------------------------------

    def watch(self, *, watched: bool) -> None:
        """Follow new traces while the list is shown; those missed before are read now."""
        self._watched = watched
        if watched and self._stale:
            self._read_again()

    def choose(self, wanted: TraceFilter) -> None:
        """Show other traces."""
        if wanted != self.wanted:
            self.wanted = wanted
            self.read()

    def read(self) -> None:
        """Clear the rows and read the newest page of the filter."""
        self._generation += 1
        self.reading = self._loaded = False
        self._reset(())
        self._begin(self._fetch(self._generation), "read traces")

    def _read_again(self) -> None:
        if self.reading:
            self._soon.start()
        else:
            self._stale = False
            self._begin(self._fetch(self._generation), "follow traces")

    def _begin(self, job: Coroutine[Any, Any, None], name: str) -> None:
        if self._spawn is None:
            job.close()
            return
        self.reading, self.problem = True, ""
        self._spawn(job, name=name)
        self.changed.emit()

    async def _fetch(self, generation: int) -> None:
        """Read the newest page, the figures, and rows further down that have changed."""
        api, wanted, touched = self._api, self.wanted, self._touched
        self._touched = set()
        if api is None:
            return
        try:
            page = await api.traces.page(wanted, None, limit=PAGE_ROWS)
            counts = await api.traces.count(_of_all(wanted))
            sizes = await api.traces.size()
            fresh = {row.trace_id for row in page}
            known = {row.trace_id for row in self._rows}
            others = [await api.traces.summary(one) for one in touched & known - fresh]
        except ChimeinError as error:
            self._fail(generation, error)
            return
        further = {row.trace_id: row for row in others if row is not None}

        def take() -> None:
            self.counts, self.sizes, self._loaded = counts, sizes, True
            self._install(page, further)

        self._deliver(generation, take)

    async def _read_on(self, generation: int, before: TraceId) -> None:
        if self._api is None:
            return
        try:
            page = await self._api.traces.page(self.wanted, before, limit=PAGE_ROWS)
        except ChimeinError as error:
            self._fail(generation, error)
            return
        self._deliver(generation, lambda: self._append(page))

    def _deliver(self, generation: int, take: Any) -> None:  # noqa: ANN401 - any callback
        def receive() -> None:
            if generation == self._generation:
                self.reading = False
                take()
                self.changed.emit()

        self._feed.bridge.deliver(receive)

    def _fail(self, generation: int, error: ChimeinError) -> None:
        words = error_words(error)
        self._deliver(generation, lambda: setattr(self, "problem", words))

    # --- events and results ---------------------------------------------------------------------------------------

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        changed = [event.trace_id for event in events if isinstance(event, TraceChanged)]
        removed = any(isinstance(event, TracesRemoved) for event in events)
        if not changed and not removed:
            return
        self._touched.update(changed)
        self._stale = True
        for trace_id in changed:
            self.row_changed.emit(trace_id)
        if removed and self._watched and not self.reading:
            self.read()
        elif self._watched and not self._soon.isActive():
            self._soon.start()

    def _install(self, page: tuple[TraceSummary, ...], further: dict[TraceId, TraceSummary]) -> None:
        """Put new rows at the top and changed ones in their places; read anew where that does not fit."""
        known = {row.trace_id: place for place, row in enumerate(self._rows)}
        new = [row for row in page if row.trace_id not in known]
        rest = page[len(new) :]
        expected = tuple(row.trace_id for row in self._rows[: len(rest)])
        if not known or tuple(new) != page[: len(new)] or tuple(row.trace_id for row in rest) != expected:
            self._is_whole = len(page) < PAGE_ROWS
            self._reset(page)
            return
        for row in (*rest, *further.values()):
            place = known[row.trace_id]
            if self._rows[place] != row:
                self._rows[place] = row
                self.dataChanged.emit(self.index(place, 0), self.index(place, 0))
        if new:
            self.beginInsertRows(QModelIndex(), 0, len(new) - 1)
            self._rows[:0] = new
            self.endInsertRows()

    def _append(self, page: tuple[TraceSummary, ...]) -> None:
        self._is_whole = len(page) < PAGE_ROWS
        if page:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(page) - 1)
            self._rows += page
            self.endInsertRows()

    def _reset(self, rows: tuple[TraceSummary, ...]) -> None:
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    # --- queries --------------------------------------------------------------------------------------------------

    @property
    def is_loaded(self) -> bool:
        """Whether the newest page of the filter has been read."""
        return self._loaded

    def row_of(self, trace_id: TraceId) -> int:
        """Return the row of a trace among those that were read, or -1."""
        return next((place for place, row in enumerate(self._rows) if row.trace_id == trace_id), -1)

    def item_at(self, row: int) -> TraceSummary | None:
        """Return a row; None if there is none."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def rows(self) -> tuple[TraceSummary, ...]:
        """Return the rows that were read."""
        return tuple(self._rows)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._loaded and not self._is_whole and not self.reading and not self.problem

    def fetchMore(self, parent: Index) -> None:
        if self._rows and self.canFetchMore(parent):
            self._begin(self._read_on(self._generation, self._rows[-1].trace_id), "read more traces")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.item_at(index.row()) if index.isValid() else None
        if row is None:
            return None
        if role == ItemRole:
            return row
        if role == KeyRole:
            return row.trace_id
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row_sentence(row, self._feed.clock)
        return None


def _of_all(wanted: TraceFilter) -> TraceFilter:
    """Return a filter without states and kind, whose counts stand beside the choices."""
    from dataclasses import replace

    return replace(wanted, states=frozenset(), kind=None)
