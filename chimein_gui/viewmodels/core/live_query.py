"""Keeps rows live: subscribe, fetch (rows, revision), then apply later events."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.viewmodels.words.errors import error_words

if TYPE_CHECKING:
    from asyncio import Event

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.loaded import Loaded
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge

T = TypeVar("T")

AGAIN_S = 5
"""Seconds after a failure before rows are fetched again."""

Prepare = Callable[[tuple[T, ...]], Iterator[None]]
"""Sorts fetched rows, some in each step of the iterator, one step a turn of the loop; shows nothing yet."""


class LiveQuery(QObject):
    """Keeps one model in step with the engine.

    Events at the fetched revision itself are applied too: for stored rows they repeat what was fetched, and state that
    is never stored (an agent's health) changes without a new revision.

    Attributes:
        failed: The rows could not be read; the reason in words.
    """

    failed = Signal(str)

    def __init__(
        self,
        bridge: EngineBridge,
        apply: Callable[[EngineEvent], None],
        parent: QObject,
        settled: Callable[[], None] | None = None,
        kinds: frozenset[type[Any]] | None = None,
    ) -> None:
        """Subscribe to the bridge.

        Args:
            bridge: Delivers events and answers.
            apply: Called with each event that is not older than the fetched rows.
            parent: Qt parent.
            settled: Called once after each batch and after each fetch, to update totals.
            kinds: The kinds of events that `apply` knows; others are passed over, and so are batches of others alone.
                None for all.
        """
        super().__init__(parent)
        self._bridge = bridge
        self._apply = apply
        self._settled = settled or _nothing
        self._kinds = kinds
        self._revision: int | None = None
        self._held_back: list[EngineEvent] | None = None
        self._generation = 0
        self._installed: Event | None = None
        bridge.batch_ready.connect(self._receive)

    @property
    def loaded(self) -> bool:
        """Whether rows have been fetched and installed."""
        return self._revision is not None

    def fetch(
        self,
        spawn: Spawn,
        load: Callable[[], Coroutine[Any, Any, Loaded[T]]],
        install: Callable[[tuple[T, ...]], None],
        *,
        name: str,
        prepare: Prepare[T] | None = None,
    ) -> None:
        """Fetch rows; events are held back until the rows are installed. A later call cancels an earlier one.

        Args:
            spawn: Runs the fetch as a job.
            load: Reads the rows.
            install: Takes all rows at once.
            name: Name of the job.
            prepare: Preparation spread over turns of the loop, for rows that may be too many for one turn.
        """
        from asyncio import Event  # imported late: the first paint imports this module and needs no asyncio

        self.forget()
        self._held_back = []
        if self._installed is None or self._installed.is_set():
            self._installed = Event()  # who waits for a fetch that failed or was cancelled waits for this one
        spawn(self._fetch(self._generation, load, install, prepare), name=name)

    async def installed(self) -> None:
        """Wait until the rows of the fetch that runs now are installed."""
        if self._installed is not None:
            await self._installed.wait()

    def forget(self) -> None:
        """Drop a running fetch and the events held back for it; events are ignored until the next fetch."""
        self._generation += 1
        self._revision = None
        self._held_back = None

    async def _fetch(
        self,
        generation: int,
        load: Callable[[], Coroutine[Any, Any, Loaded[T]]],
        install: Callable[[tuple[T, ...]], None],
        prepare: Prepare[T] | None,
    ) -> None:
        try:
            loaded = await load()
        except ChimeinError as error:
            reason = error_words(error)
            self._bridge.deliver(lambda: self.failed.emit(reason))
            return
        turns = iter(()) if prepare is None else prepare(loaded.rows)
        self._bridge.deliver(lambda: self._prepare(generation, turns, lambda: self._install(loaded, install)))

    def _prepare(self, generation: int, turns: Iterator[None], install: Callable[[], None]) -> None:
        if generation != self._generation:
            return
        for _ in turns:
            self._bridge.deliver(lambda: self._prepare(generation, turns, install))
            return
        install()

    def _install(self, loaded: Loaded[T], install: Callable[[tuple[T, ...]], None]) -> None:
        self._revision = loaded.revision
        install(loaded.rows)
        if self._installed is not None:
            self._installed.set()
        waiting, self._held_back = tuple(self._held_back or ()), None
        self._take(waiting)

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        # A window has dozens of queries, and most batches concern a few of them.
        if self._kinds is None or not self._kinds.isdisjoint(map(type, events)):
            self._take(events)

    def _take(self, events: tuple[EngineEvent, ...]) -> None:
        for place, event in enumerate(events):
            # Checked for each event: applying one may call `forget` or `fetch`.
            if self._revision is None:
                if self._held_back is not None:
                    self._held_back.extend(events[place:])
                return
            if event.revision >= self._revision and (self._kinds is None or type(event) in self._kinds):
                self._apply(event)
        if self._revision is None:
            return
        self._settled()


class FetchAgain(QObject):
    """Retries the fetch of rows that the window cannot do without, every `AGAIN_S` seconds.

    Attributes:
        recovered: The rows were read after a failure.
    """

    recovered = Signal()

    def __init__(self, rows: LiveQuery, parent: QObject) -> None:
        """Watch the failures of `rows`."""
        super().__init__(parent)
        self._fetch: Callable[[], None] | None = None
        self._has_failed = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._begin_again)
        rows.failed.connect(self._wait)

    @property
    def waits(self) -> bool:
        """Whether another try is scheduled."""
        return self._pause.isActive()

    def begin(self, fetch: Callable[[], None]) -> None:
        """Fetch the rows now, and again after each failure."""
        self._fetch = fetch
        fetch()

    def stop(self) -> None:
        """Cancel further tries."""
        self._fetch = None
        self._pause.stop()

    def tell_done(self) -> None:
        """Report that the rows were read; emits `recovered` after a failure."""
        if self._has_failed:
            self._has_failed = False
            self.recovered.emit()

    def _wait(self) -> None:
        self._has_failed = True
        if self._fetch is not None:
            self._pause.start(AGAIN_S * 1000)

    def _begin_again(self) -> None:
        if self._fetch is not None:
            self._fetch()


class ReadOnce(Generic[T]):
    """One read shared by several models that need the same rows when they are attached."""

    def __init__(self, load: Callable[[], Coroutine[Any, Any, Loaded[T]]]) -> None:
        from asyncio import Lock  # imported late: the first paint imports this module and needs no asyncio

        self._load = load
        self._lock = Lock()
        self._loaded: Loaded[T] | None = None

    async def __call__(self) -> Loaded[T]:
        """Return the rows of the first successful read; a failed or cancelled one is tried again."""
        async with self._lock:
            if self._loaded is None:
                self._loaded = await self._load()
            return self._loaded


async def many_in(live: LiveQuery, read: ReadOnce[T], many: int) -> None:
    """Wait until `live` has its rows if they are more than `many`: two long reads at once are slower for both.

    Returns at once for fewer rows, and where the rows cannot be read.
    """
    with suppress(ChimeinError):
        if len((await read()).rows) > many:
            await live.installed()


def _nothing() -> None:
    """Do nothing: there are no totals to update."""
