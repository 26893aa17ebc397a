"""Windows for benchmarks with a running engine, and measurements of their shared event loop."""

from __future__ import annotations

import asyncio
import itertools
import statistics
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QMainWindow

from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.chats import ChatInfo
from chimein_gui.domain.events import ApprovalResolved, MessageStored, TaskStatusChanged
from chimein_gui.domain.messages import Message
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.engine import Engine
from chimein_gui.engine.ingest.ingest import AgentListener
from chimein_gui.program import first_paint
from chimein_gui.runtime import interpreter
from chimein_gui.ui.pane import EmptyStateText
from chimein_gui.ui.shell.docking.docks import PaneDock
from chimein_gui.ui.shell.start import build_window
from chimein_gui.ui.shell.window import MainWindow
from chimein_gui.viewmodels.window import WindowModels
from tests.benchmarks.backlog import spec_of_backlog
from tests.benchmarks.stage import Stage, offline_engine
from tests.support.control import ControlChannelConsole

TICK_MS = 5


@asynccontextmanager
async def painted_window(*, is_sandbox: bool = False) -> AsyncIterator[tuple[MainWindow, WindowModels]]:
    """Show the window without an engine."""
    models = WindowModels()
    window = build_window(models=lambda: models, empty_state=EmptyStateText("", ()), is_sandbox=is_sandbox)
    window.resize(1440, 900)
    await first_paint(window)
    try:
        yield window, models
    finally:
        window.detach()
        window.close_guard.force_close()
        await _delete(window)


async def _delete(window: QMainWindow) -> None:
    """Delete a window now; it takes 60 ms, which would otherwise be a block of what is measured next."""
    gone = asyncio.Event()
    window.destroyed.connect(gone.set)
    window.deleteLater()
    await gone.wait()


@asynccontextmanager
async def watching(stage: Stage, *, is_sandbox: bool = False) -> AsyncIterator[tuple[MainWindow, WindowModels]]:
    """Show the window with all panes open and a running engine."""
    async with painted_window(is_sandbox=is_sandbox) as (window, models):
        show_all(window)
        window.attach(stage.engine, stage.jobs.spawn, stage.console if is_sandbox else None)
        yield window, models
        _refuse_hidden(window)


@asynccontextmanager
async def without_accounts(store: SqliteStore) -> AsyncIterator[tuple[MainWindow, WindowModels, Engine]]:
    """Show the window with an engine on a filled store, whose accounts are all logged out."""
    async with offline_engine(store, (spec_of_backlog(),)) as (engine, jobs), painted_window() as (window, models):
        window.attach(engine, jobs.spawn)
        interpreter.freeze_heap()  # as the program does at the end of its start
        yield window, models, engine


def show_all(window: MainWindow) -> None:
    """Make every pane visible at once, in eight columns of a window of 6600 × 2000 px.

    A dock that shares its place with another would only become one more tab. And docks that do not fit overlap, so that
    Qt paints all of them whenever one of them changes; nobody works in a window like that.
    """
    window.resize(6600, 2000)
    docks = tuple(window.docks.values())
    for dock in docks:
        window.removeDockWidget(dock)
    columns: tuple[list[PaneDock], ...] = ([], [], [], [], [], [], [], [])
    for dock in sorted(docks, key=_least_height, reverse=True):
        shorter = min(columns, key=lambda column: sum(map(_least_height, column)))
        shorter.append(dock)
    tops = [column[0] for column in columns]
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, tops[0])
    for left, right in itertools.pairwise(tops):
        window.splitDockWidget(left, right, Qt.Orientation.Horizontal)
    for column in columns:
        for above, dock in itertools.pairwise(column):
            window.splitDockWidget(above, dock, Qt.Orientation.Vertical)
        for dock in column:
            dock.show()


def _refuse_hidden(window: MainWindow) -> None:
    """Raise RuntimeError if a pane is not in sight, or lies on another one: contents that arrive make panes higher."""
    if hidden := set(window.panes) - in_sight(window):
        raise RuntimeError(f"not in sight: {hidden}")
    for one, other in itertools.combinations(window.docks.values(), 2):
        if one.geometry().intersects(other.geometry()):
            raise RuntimeError(f"{one.objectName()} and {other.objectName()} overlap")


def _least_height(dock: PaneDock) -> int:
    return max(dock.minimumSizeHint().height(), dock.minimumHeight())


def in_sight(window: MainWindow) -> set[str]:
    """Return the ids of the panes that are at least partly visible."""
    return {pane_id for pane_id, pane in window.panes.items() if not pane.visibleRegion().isEmpty()}


@asynccontextmanager
async def empty_window() -> AsyncIterator[QMainWindow]:
    """Show a bare main window, for the yardstick."""
    window = QMainWindow()
    window.resize(1440, 900)
    await first_paint(window)
    try:
        yield window
    finally:
        window.close()
        await _delete(window)


def precise_timer(interval_ms: int, slot: Callable[[], None]) -> QTimer:
    """Return a precise timer that calls at an even rate once it is started."""
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setInterval(interval_ms)
    timer.timeout.connect(slot)
    return timer


async def painted_ms(work: Callable[[], object], paint: Callable[[], object]) -> float:
    """Return how many ms an action takes until its result is painted; it runs in Qt's loop, not in a task."""
    took = asyncio.get_running_loop().create_future()

    def measured() -> None:
        began = time.perf_counter()
        work()
        paint()
        took.set_result((time.perf_counter() - began) * 1000)

    QTimer.singleShot(0, measured)
    return float(await took)


@contextmanager
def arrivals_told(to: Callable[[Message], None]) -> Iterator[None]:
    """Call a function with each message at the moment at which a client receives it."""
    arrive = AgentListener.message_arrived

    def told(self: AgentListener, chat: ChatInfo, message: Message) -> None:
        to(message)
        arrive(self, chat, message)

    AgentListener.message_arrived = told  # type: ignore[method-assign]
    try:
        yield
    finally:
        AgentListener.message_arrived = arrive  # type: ignore[method-assign]


class Lateness:
    """Lateness of a 5 ms precise timer, in ms: what a user notices as stutter."""

    def __init__(self) -> None:
        self.late_ms: list[float] = []
        self._timer = precise_timer(TICK_MS, self._tick)
        self._expected = 0.0

    def start(self) -> None:
        self._expected = time.perf_counter() + TICK_MS / 1000
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.late_ms.append(max(0.0, now - self._expected) * 1000)
        self._expected = now + TICK_MS / 1000


async def say(console: ControlChannelConsole, pairs: list[tuple[int, int]], count: int, a_second: float) -> None:
    """Let the partners write at an even rate, one after the other; all texts are different."""
    began = time.perf_counter()
    for number, (partner, account) in zip(range(count), itertools.cycle(pairs), strict=False):
        wait = began + number / a_second - time.perf_counter()
        if wait > 0:
            await asyncio.sleep(wait)
        await console.speak(partner, account, f"message number {number}, and what do you say to it?")


def percentile(values: list[float], share: float) -> float:
    """Return the value below which `share` of all values are."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def median_of(runs: list[list[float]], share: float) -> float:
    """Return the median of what `percentile` gives for each run."""
    return statistics.median(percentile(run, share) for run in runs)


class Answered:
    """Detects when every message is answered; one plan may answer several earlier messages."""

    def __init__(self, count: int, account_ids: frozenset[int] | None = None) -> None:
        self._awaited, self._account_ids = count, account_ids
        self._open: dict[int, list[int]] = {}

    def take(self, event: object) -> None:
        """Process an event of the engine."""
        if isinstance(event, MessageStored) and not event.message.out:
            if self._account_ids is not None and event.message.key.account_id not in self._account_ids:
                return
            self._awaited -= 1
            self._open.setdefault(event.chat_id, []).append(event.revision)
        elif isinstance(event, TaskStatusChanged | ApprovalResolved) and event.approval.task_status is TaskStatus.DONE:
            chat_id, seen = event.approval.chat_id, event.approval.seen_up_to
            self._open[chat_id] = [one for one in self._open.get(chat_id, []) if one > seen]

    def all(self) -> bool:
        """Return whether all messages have come and are answered."""
        return self._awaited <= 0 and not any(self._open.values())
