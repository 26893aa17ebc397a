"""A list model over a store: pages are read as they are shown, and what is in sight is kept up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.viewmodels.core.roles import Index
from chimein_gui.viewmodels.paging.rows import PagedRows, Slice
from chimein_gui.viewmodels.paging.window import PAGE_ROWS
from chimein_gui.viewmodels.words.errors import error_words

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
    from typing import Any

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.paging.window import Page

SETTLE_MS = 400
"""Milliseconds after a change before the list is read again: a busy time causes one read."""

MOST_WANTED = 4
"""Pages that wait to be read; of more, those that were passed first are left out until they are shown again."""

RETRY_MS = 2_000
"""Milliseconds until a page that could not be read may be asked for again: a list in sight asks at each paint."""

Row = TypeVar("Row")
Cursor = TypeVar("Cursor")
Api = TypeVar("Api")


class PagedListModel(PagedRows[Row, Cursor], Generic[Row, Cursor, Api]):
    """A subclass says what is read.

    Attributes:
        changed: Rows, figures, the state of reading or `problem` changed.
        reading: A read is in progress.
        problem: Why the last read failed, in words; else empty.
    """

    changed = Signal()

    def __init__(self, feed: Feed, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._feed = feed
        self._api: Api | None = None
        self._spawn: Spawn | None = None
        self._generation = 0
        self._wanted_pages: list[Page[Cursor]] = []
        self._in_work: Page[Cursor] | None = None
        self._unread: list[Page[Cursor]] = []
        self._watched = self._stale = self._loaded = self._is_turning = False
        self.reading, self.problem = False, ""
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SETTLE_MS)
        self._soon.timeout.connect(self._read_again)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(RETRY_MS)
        self._later.timeout.connect(self._unask)
        feed.bridge.batch_ready.connect(self.receive)

    # --- of the subclass ------------------------------------------------------------------------------------------

    def receive(self, events: Iterable[EngineEvent]) -> None:
        """Call `outdate` if one of these events changes the list."""
        raise NotImplementedError

    def read_top(self, api: Api) -> AsyncIterator[Callable[[], None]]:
        """Read the newest page, and then the figures; yield what installs each. May raise ChimeinError."""
        raise NotImplementedError

    async def read_slice(self, api: Api, after: Cursor | None, *, skip: int, limit: int) -> Slice[Row, Cursor]:
        """Read the rows after a place, without the first `skip` of them. May raise ChimeinError."""
        raise NotImplementedError

    # --- reading --------------------------------------------------------------------------------------------------

    def attach(self, api: Api, spawn: Spawn) -> None:
        """Read the first page, now or once the list is shown."""
        self._api, self._spawn, self._stale = api, spawn, True
        self.watch(watched=self._watched)

    def detach(self) -> None:
        """Stop reading."""
        self._soon.stop()
        self._later.stop()
        self._begin_anew()
        self._api = self._spawn = None

    def watch(self, *, watched: bool) -> None:
        """Follow changes while the list is shown; those missed before are read now."""
        self._watched = watched
        if watched and self._stale:
            self._read_again()

    def read(self) -> None:
        """Clear the rows and read the newest page."""
        self._begin_anew()
        self._loaded = False
        self._put((), None)
        self._begin(self._read_top, "read list")

    def outdate(self) -> None:
        """Read again soon, or once the list is shown."""
        self._stale = True
        if self._watched and not self._soon.isActive():
            self._soon.start()

    @property
    def is_loaded(self) -> bool:
        """Whether the newest page has been read."""
        return self._loaded

    def forget_turns(self) -> None:
        self._in_work = None
        self._wanted_pages.clear()
        self._unread.clear()

    def _begin_anew(self) -> None:
        self._generation += 1
        self.reading = self._is_turning = False
        self._give_up()

    def _give_up(self) -> None:
        """Leave out the pages that wait to be read, until something is read again."""
        self._unread += [*self._wanted_pages, *((self._in_work,) if self._in_work is not None else ())]
        self._in_work = None
        self._wanted_pages.clear()

    def _unask(self) -> list[Page[Cursor]]:
        """Let the pages that were left out be asked for again, and return them."""
        unread, self._unread = self._unread, []
        for page in unread:
            self._window.unask(page)
        return unread

    def _read_again(self) -> None:
        if self.reading:
            self._soon.start()
        else:
            self._stale = False
            self._begin(self._read_top, "follow list")

    def _begin(self, job: Callable[[Api, int], Coroutine[Any, Any, None]], name: str) -> None:
        if self._spawn is None or self._api is None:
            return
        self.reading, self.problem = True, ""
        self._spawn(job(self._api, self._generation), name=name)
        for page in self._unask():
            self._tell(page)
        self.changed.emit()

    async def _read_top(self, api: Api, generation: int) -> None:
        try:
            async for install in self.read_top(api):
                if generation != self._generation:  # the figures would keep the rows that are asked for now waiting
                    return
                self._deliver(generation, install, is_last=False)
        except ChimeinError as error:
            self._fail(generation, error)
        else:
            self._deliver(generation, lambda: None)

    async def _read_on(self, api: Api, generation: int) -> None:
        after = self._rest
        try:
            found = await self.read_slice(api, after, skip=0, limit=PAGE_ROWS)
        except ChimeinError as error:
            self._fail(generation, error)
        else:
            self._deliver(generation, lambda: self._append(found, after))

    def _deliver(self, generation: int, install: Callable[[], None], *, is_last: bool = True) -> None:
        def take() -> None:
            if generation == self._generation:
                self.reading = not is_last
                self._loaded = True
                install()
                self.changed.emit()

        self._feed.bridge.deliver(take)

    def _fail(self, generation: int, error: ChimeinError) -> None:
        words = error_words(error)

        def take() -> None:
            if generation == self._generation:
                self.reading, self.problem = False, words
                self.changed.emit()

        self._feed.bridge.deliver(take)

    # --- pages that are shown -------------------------------------------------------------------------------------

    def turn_to(self, page: Page[Cursor]) -> None:
        """Read a page; the one that was asked for last comes first."""
        if self._api is None:
            self._unread.append(page)
            return
        self._wanted_pages.append(page)
        if len(self._wanted_pages) > MOST_WANTED:
            self._window.unask(self._wanted_pages.pop(0))
        if not self._is_turning and self._spawn is not None and self._api is not None:
            self._is_turning = True
            self._spawn(self._read_pages(self._api, self._generation), name="read pages")

    async def _read_pages(self, api: Api, generation: int) -> None:
        try:
            while generation == self._generation and self._wanted_pages:
                page = self._in_work = self._wanted_pages.pop()
                after, skip = self._window.way_to(page)
                found = await self.read_slice(api, after, skip=skip, limit=page.count)
                if generation == self._generation:
                    self._in_work = None
                    self._feed.bridge.deliver(
                        lambda page=page, found=found: self._take_page(generation, page, found.rows)  # type: ignore[misc]
                    )
        except ChimeinError as error:
            self._fail(generation, error)
        finally:
            if generation == self._generation:
                self._is_turning = False
                self._give_up()
                if self._unread:
                    self._later.start()

    def _take_page(self, generation: int, page: Page[Cursor], rows: Sequence[Row]) -> None:
        if generation != self._generation or not self._window.awaits(page):
            return
        if len(rows) != page.count:  # rows have been deleted meanwhile
            self.read()
            return
        self._window.fill(page, rows)
        self._tell(page)

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._rest is not None and not self.reading and not self.problem

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._begin(self._read_on, "read more")
