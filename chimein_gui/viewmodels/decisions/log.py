"""The lines of the decision log: read page by page, and kept up to date while they are shown."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt, QTimer, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.events import ApprovalRequested, ApprovalResolved, TaskStatusChanged
from chimein_gui.domain.plans.decision_log import DecisionFilter, DecisionTotals
from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole
from chimein_gui.viewmodels.decisions.page_window import KEPT_PAGES, PageWindow
from chimein_gui.viewmodels.decisions.words import line_sentence
from chimein_gui.viewmodels.words.errors import error_words

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.plans.decision_log import DecisionShare, LoggedDecision, LogPage, LogPosition
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.decisions.page_window import Page
    from chimein_gui.viewmodels.engine_api.engine import EngineApi

PAGE_ROWS = 100
"""Lines of one page: two or three screens."""

SETTLE_MS = 400
"""Milliseconds after a decision before the log is read again: a batch of decisions causes one read."""

SHARES_OF_DAYS = 30
"""Days that the edit rates cover."""


class DecisionLogModel(QAbstractListModel):
    """The lines of a filter, newest first; older ones are read as the list is scrolled.

    Attributes:
        changed: Lines, figures, the filter or `problem` changed.
        reading: A read is in progress.
        wanted: The filter.
        totals: The figures of the filter.
        shares: The figures of each agent in the last `SHARES_OF_DAYS` days.
        problem: Why the last read failed, in words; else empty.
    """

    changed = Signal()

    def __init__(self, feed: Feed, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._feed = feed
        self._api: EngineApi | None = None
        self._spawn: Spawn | None = None
        self._window = PageWindow()
        self._rest: LogPosition | None = None
        self._generation = 0
        self._watched = self._stale = self._loaded = False
        self.reading = False
        self.wanted = DecisionFilter()
        self.totals = DecisionTotals()
        self.shares: tuple[DecisionShare, ...] = ()
        self.problem = ""
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SETTLE_MS)
        self._soon.timeout.connect(self._read_again)
        feed.bridge.batch_ready.connect(self._receive)

    def attach(self, api: EngineApi, spawn: Spawn) -> None:
        """Read the first page, now or once the list is shown."""
        self._api, self._spawn, self._stale = api, spawn, True
        self.watch(watched=self._watched)

    def detach(self) -> None:
        """Stop reading."""
        self._soon.stop()
        self._generation += 1
        self._api = self._spawn = None

    # --- reading --------------------------------------------------------------------------------------------------

    def choose(self, wanted: DecisionFilter) -> None:
        """Apply another filter."""
        if wanted != self.wanted:
            self.wanted = wanted
            self.read()

    def watch(self, *, watched: bool) -> None:
        """Follow new decisions while the list is shown; those missed before are read now."""
        self._watched = watched
        if watched and self._stale:
            self._read_again()

    def read(self) -> None:
        """Clear the lines and read the newest page of the filter."""
        self._generation += 1
        self._loaded = False
        self._put([], None)
        self._begin(self._read_first(self._generation), "read decisions")

    def _read_again(self) -> None:
        self._stale = False
        if not self.reading:
            self._begin(self._read_first(self._generation), "follow decisions")
        else:
            self._soon.start()

    def _begin(self, job: Coroutine[Any, Any, None], name: str) -> None:
        if self._spawn is None:
            job.close()
            return
        self.reading, self.problem = True, ""
        self._spawn(job, name=name)
        self.changed.emit()

    async def _read_first(self, generation: int) -> None:
        api, wanted = self._api, self.wanted
        if api is None:
            return
        since = self._feed.clock.now() - timedelta(days=SHARES_OF_DAYS)
        try:
            page = await api.decision_log.page(wanted, limit=PAGE_ROWS)
            totals = await api.decision_log.totals(wanted)
            shares = await api.decision_log.shares(DecisionFilter(since=since))
        except ChimeinError as error:
            self._fail(generation, error)
            return
        self._deliver(generation, lambda: self._install(page, totals, shares))

    async def _read_on(self, generation: int, after: LogPosition) -> None:
        if self._api is None:
            return
        try:
            page = await self._api.decision_log.page(self.wanted, after, limit=PAGE_ROWS)
        except ChimeinError as error:
            self._fail(generation, error)
            return
        self._deliver(generation, lambda: self._append(page, after))

    def _deliver(self, generation: int, take: Callable[[], None]) -> None:
        def receive() -> None:
            if generation == self._generation:
                self.reading = False
                take()
                self.changed.emit()

        self._feed.bridge.deliver(receive)

    def _fail(self, generation: int, error: ChimeinError) -> None:
        self._deliver(generation, lambda: setattr(self, "problem", error_words(error)))

    # --- events and results ---------------------------------------------------------------------------------------

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        if any(isinstance(event, ApprovalResolved | ApprovalRequested | TaskStatusChanged) for event in events):
            self._stale = True
            if self._watched and not self._soon.isActive():
                self._soon.start()

    def _install(self, page: LogPage, totals: DecisionTotals, shares: tuple[DecisionShare, ...]) -> None:
        self.totals, self.shares, self._loaded = totals, shares, True
        known = {one.client_id: place for place, one in enumerate(self._window.rows) if one is not None}
        new = [one for one in page.rows if one.client_id not in known]
        are_many = self._window.inserted + len(new) > KEPT_PAGES * PAGE_ROWS
        if not known or len(new) == len(page.rows) or tuple(new) != page.rows[: len(new)] or are_many:
            self._put(list(page.rows), page.rest)
            return
        for one in page.rows[len(new) :]:
            place = known[one.client_id]
            if self._window.rows[place] != one:
                self._window.rows[place] = one
                self.dataChanged.emit(self.index(place, 0), self.index(place, 0))
        if new:
            self.beginInsertRows(QModelIndex(), 0, len(new) - 1)
            self._window.insert(new)
            self.endInsertRows()

    def _append(self, page: LogPage, cursor: LogPosition) -> None:
        self._rest = page.rest
        if page.rows:
            self.beginInsertRows(QModelIndex(), len(self._window.rows), len(self._window.rows) + len(page.rows) - 1)
            self._window.append(page.rows, cursor)
            self.endInsertRows()

    async def _read_back(self, generation: int, page: Page) -> None:
        if self._api is None:
            return
        again: LogPage | None
        try:
            again = await self._api.decision_log.page(self.wanted, page.cursor, limit=page.count)
        except ChimeinError as error:
            why, again = error_words(error), None
        else:
            why = ""
        self._feed.bridge.deliver(lambda: self._take_page(generation, page, again, why))

    def _take_page(self, generation: int, page: Page, again: LogPage | None, why: str) -> None:
        if generation != self._generation:
            return
        if again is None:
            self.problem = why
            self.changed.emit()
            return
        if len(again.rows) != page.count:  # the log has been shortened meanwhile
            self.read()
            return
        self._window.fill(page, again.rows)
        first = self._window.first_row(page)
        self.dataChanged.emit(self.index(first, 0), self.index(first + page.count - 1, 0))

    def _put(self, rows: list[LoggedDecision], rest: LogPosition | None) -> None:
        self.beginResetModel()
        self._window, self._rest = PageWindow(rows), rest
        self.endResetModel()

    # --- queries --------------------------------------------------------------------------------------------------

    @property
    def is_whole(self) -> bool:
        """Whether the oldest line of the filter has been read."""
        return self._loaded and self._rest is None and not self.reading

    @property
    def is_filtered(self) -> bool:
        """Whether the filter leaves some decisions out, apart from its time span."""
        return replace(self.wanted, since=None, until=None) != DecisionFilter()

    def item_at(self, row: int) -> LoggedDecision | None:
        """Return a line; None if there is none, or if it has to be read again: `dataChanged` tells when it is there."""
        if not 0 <= row < len(self._window.rows):
            return None
        page = self._window.use(row)
        if page is not None and self._spawn is not None:
            self._spawn(self._read_back(self._generation, page), name="read decisions again")
        return self._window.rows[row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._window.rows)

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._rest is not None and not self.reading and not self.problem

    def fetchMore(self, parent: Index) -> None:
        if self._rest is not None and self.canFetchMore(parent):
            self._begin(self._read_on(self._generation, self._rest), "read more decisions")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        one = self.item_at(index.row()) if index.isValid() else None
        if one is None:
            return None
        if role == ItemRole:
            return one
        if role == KeyRole:
            return one.client_id
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return line_sentence(one, self._feed.clock)
        return None
