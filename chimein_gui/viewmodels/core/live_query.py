"""Rows first, then what happened since: subscribe, fetch (rows, revision), apply later events."""

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
"""So long after a failure rows are fetched again."""

Prepare = Callable[[tuple[T, ...]], Iterator[None]]
"""Puts fetched rows in order, some of them each time it is asked for the next turn of the loop; shows nothing yet."""


class LiveQuery(QObject):
    """Keeps one model in step with the engine.

    Events at the fetched revision itself are applied too: for what is stored they repeat the fetched rows, and what is
    never stored (an agent's health) changes without a new revision.

    Attributes:
        failed: What could not be read, for the operator.
    """

    failed = Signal(str)

    def __init__(
        self,
        bridge: EngineBridge,
        apply: Callable[[EngineEvent], None],
        parent: QObject,
        settled: Callable[[], None] | None = None,
    ) -> None:
        """Listen on a bridge.

        Args:
            bridge: Where events and answers come from.
            apply: Called with each event that is not older than the fetched rows.
            parent: Owns this.
            settled: Called once after each batch and after each fetch: what sums rows up belongs there.
        """
        super().__init__(parent)
        self._bridge = bridge
        self._apply = apply
        self._settled = settled or _nothing
        self._revision: int | None = None
        self._held_back: list[EngineEvent] | None = None
        self._generation = 0
        self._installed: Event | None = None
        bridge.batch_ready.connect(self._receive)

    @property
    def loaded(self) -> bool:
        """Tell whether rows have been fetched."""
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
        """Fetch rows; until they are installed, events are held back. A later call overtakes an earlier one.

        Args:
            spawn: Runs the reading.
            load: Reads the rows.
            install: Takes all of them in at once.
            name: Of the job.
            prepare: What has to be done first with rows that may be too many for one turn of the loop.
        """
        from asyncio import Event  # what fetches has a loop; the first paint, which imports this module, has none yet

        self.forget()
        self._held_back = []
        self._installed = Event()
        spawn(self._fetch(self._generation, load, install, prepare), name=name)

    async def installed(self) -> None:
        """Wait until rows that are being fetched are installed."""
        if self._installed is not None:
            await self._installed.wait()

    def forget(self) -> None:
        """Drop whatever is on its way."""
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
        self._receive(waiting)

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        for place, event in enumerate(events):
            # Looked at each time: what an event brings about may forget these rows, or fetch others.
            if self._revision is None:
                if self._held_back is not None:
                    self._held_back.extend(events[place:])
                return
            if event.revision >= self._revision:
                self._apply(event)
        if self._revision is None:
            return
        self._settled()


class FetchAgain(QObject):
    """Fetches rows again that could not be read: those that nobody can work without.

    Attributes:
        mended: They could be read after all.
    """

    mended = Signal()

    def __init__(self, rows: LiveQuery, parent: QObject) -> None:
        """Listen to rows."""
        super().__init__(parent)
        self._fetch: Callable[[], None] | None = None
        self._has_failed = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._begin_again)
        rows.failed.connect(self._wait)

    @property
    def waits(self) -> bool:
        """Tell whether they will be fetched again."""
        return self._pause.isActive()

    def begin(self, fetch: Callable[[], None]) -> None:
        """Fetch them, now and again until they are there."""
        self._fetch = fetch
        fetch()

    def stop(self) -> None:
        """Let it be."""
        self._fetch = None
        self._pause.stop()

    def tell_done(self) -> None:
        """They are there."""
        if self._has_failed:
            self._has_failed = False
            self.mended.emit()

    def _wait(self) -> None:
        self._has_failed = True
        if self._fetch is not None:
            self._pause.start(AGAIN_S * 1000)

    def _begin_again(self) -> None:
        if self._fetch is not None:
            self._fetch()


class ReadOnce(Generic[T]):
    """One read for several models that ask for the same rows when they are attached."""

    def __init__(self, load: Callable[[], Coroutine[Any, Any, Loaded[T]]]) -> None:
        from asyncio import Lock  # what attaches has a loop; the first paint, which imports this module, has none yet

        self._load = load
        self._lock = Lock()
        self._loaded: Loaded[T] | None = None

    async def __call__(self) -> Loaded[T]:
        """Return what was read for whoever asked first; what has failed, or was given up, is tried again."""
        async with self._lock:
            if self._loaded is None:
                self._loaded = await self._load()
            return self._loaded


async def many_in(live: LiveQuery, read: ReadOnce[T], many: int) -> None:
    """Wait until rows are installed if there are more than `many`: two long readings at once are slower for both.

    A few, or none for a fault, keep nobody waiting.
    """
    with suppress(ChimeinError):
        if len((await read()).rows) > many:
            await live.installed()


def _nothing() -> None:
    """Nobody sums up."""
