"""qasync's event loop with one queue of ready callbacks, instead of one Qt timer for each.

Stock qasync starts and kills a Qt timer for every callback (90 µs each) and leaves the timer of every cancelled
time-out running until it would have fired: a send and its plan take about fifty callbacks and three time-outs.
Here ready callbacks wait in a deque that one posted event processes, and time-outs wait in a heap behind one Qt timer.
What each callback costs in Python is most of what the loop itself costs, so the steps from `call_soon` to the call are
few, and asyncio's own handles, which ask the loop each time whether it is being debugged, are used only while it is.
See docs/library-facts.md, "The event loop".
"""

from __future__ import annotations

import asyncio
import heapq
import logging
import time
from collections import deque
from collections.abc import Callable
from contextvars import Context, copy_context
from functools import partial
from typing import Any

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QMessageLogContext,
    QObject,
    QSocketNotifier,
    Qt,
    QTimerEvent,
    QtMsgType,
    qInstallMessageHandler,
)
from qasync import QEventLoop

SLICE_S = 0.001
"""Longest stretch of callbacks before Qt may paint and take input again; at 4 ms a timer is late by 15 ms at times."""

FEWEST_PURGED = 100
"""Cancelled time-outs are removed from the heap once they are more than this and more than half of it."""

WITHOUT_DISPLAY_S = 5.0
"""Longest time in which what runs can end in order after the display was lost; then the process ends as it is."""

_TURN_S = 0.0005
"""Pause between two turns without a display."""

_log = logging.getLogger(__name__)

_READY = QEvent.Type(QEvent.registerEventType())


class _Handle(asyncio.Handle):
    """A callback of a loop that is not being debugged."""

    __slots__ = ()

    def __init__(
        self,
        callback: Callable[..., Any],
        args: tuple[Any, ...],
        loop: asyncio.AbstractEventLoop,
        context: Context | None,
    ) -> None:
        self._context = copy_context() if context is None else context
        self._loop: Any = loop
        self._callback: Callable[..., Any] | None = callback
        self._args = args
        self._cancelled = False
        self._repr = self._source_traceback = None


class _TimerHandle(_Handle, asyncio.TimerHandle):
    """A callback at a time, of a loop that is not being debugged."""

    __slots__ = ()

    def __init__(
        self,
        when: float,
        callback: Callable[..., Any],
        args: tuple[Any, ...],
        loop: asyncio.AbstractEventLoop,
        context: Context | None,
    ) -> None:
        _Handle.__init__(self, callback, args, loop, context)
        self._scheduled = False
        self._when = when

    def cancel(self) -> None:
        """Do the same as asyncio's, without a record of what was cancelled."""
        if not self._cancelled:
            self._cancelled = True
            self._callback, self._args = None, ()
            self._loop._timer_handle_cancelled(self)  # noqa: SLF001 - as asyncio's


class _Pump(QObject):
    """Runs the ready callbacks between two of Qt's own events.

    The event is posted again *before* a callback runs: a callback may nest a Qt loop (a menu, a drag), and the rest
    of the queue must go on inside it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.ready: deque[Any] = deque()  # of handles; asyncio's stubs know no parts of them
        self.timers: list[tuple[float, int, Any]] = []
        self.cancelled_timers = 0
        self.is_posted = False
        self._timer_id = 0
        self._timer_at = 0.0
        self._order = 0

    def post(self) -> None:
        """Have Qt run what is queued; safe from any thread."""
        self.is_posted = True
        QCoreApplication.postEvent(self, QEvent(_READY))

    def add_timer(self, when: float, handle: asyncio.TimerHandle) -> None:
        """Queue a callback for its time; only from the loop's thread."""
        self._order += 1
        heapq.heappush(self.timers, (when, self._order, handle))
        if self.cancelled_timers > FEWEST_PURGED:
            self._sweep()
        if not self._timer_id or when < self._timer_at:
            self._arm()

    def close(self) -> None:
        """Drop all queued callbacks and stop the timer."""
        self.ready.clear()
        self.timers.clear()
        self._disarm()

    def customEvent(self, _event: QEvent) -> None:
        """Run queued callbacks for at most one time slice, those too that they queue meanwhile.

        With another event for these, a cycle of the budget row `cycles` took twice as many of Qt's events.

        The event's type is not checked, because there is only one custom event: reading it builds a Python enum, which
        costs as much as all the rest of a callback here.
        """
        self.is_posted = False
        ready, until = self.ready, time.monotonic() + SLICE_S
        while ready:
            handle = ready.popleft()
            if ready and not self.is_posted:
                self.post()
            if not handle._cancelled:  # noqa: SLF001 - asyncio's loops run their handles so
                try:
                    handle._context.run(handle._callback, *handle._args)  # noqa: SLF001
                except (SystemExit, KeyboardInterrupt):
                    raise
                except BaseException as error:  # noqa: BLE001 - as asyncio does: the other callbacks go on
                    _tell_of_failure(handle, error)
            if time.monotonic() > until:
                break

    def timerEvent(self, event: QTimerEvent) -> None:
        """Move due callbacks to the ready queue; Qt's timer may fire early, so the clock is checked."""
        if event.timerId() != self._timer_id:
            return
        self._disarm()
        now = time.monotonic()
        while self.timers and self.timers[0][0] <= now:
            handle = heapq.heappop(self.timers)[2]
            if handle.cancelled():
                self.cancelled_timers -= 1
            else:
                handle._scheduled = False  # noqa: SLF001 - it has left the heap: a cancellation is not counted any more
                self.ready.append(handle)
        if self.ready and not self.is_posted:
            self.post()
        self._arm()

    def _arm(self) -> None:
        """Set the one Qt timer to the earliest time-out that is not cancelled.

        A timer that is set already stays if it is earlier, because most time-outs are cancelled and followed by a later
        one; it then fires once for nothing.
        """
        while self.timers and self.timers[0][2].cancelled():
            heapq.heappop(self.timers)
            self.cancelled_timers -= 1
        if not self.timers:
            self._disarm()
            return
        when = self.timers[0][0]
        if self._timer_id and self._timer_at <= when:
            return
        self._disarm()
        left_ms = max(0, int((when - time.monotonic()) * 1000) + 1)
        self._timer_at = when
        self._timer_id = self.startTimer(min(left_ms, 1 << 30), Qt.TimerType.PreciseTimer)

    def _disarm(self) -> None:
        if self._timer_id:
            self.killTimer(self._timer_id)
            self._timer_id = 0

    def _sweep(self) -> None:
        if self.cancelled_timers <= len(self.timers) // 2:
            return
        self.timers = [entry for entry in self.timers if not entry[2].cancelled()]
        heapq.heapify(self.timers)
        self.cancelled_timers = 0


def _tell_of_failure(handle: Any, error: BaseException) -> None:  # noqa: ANN401 - see `_Pump.ready`
    """Report that a callback has raised, in the words of asyncio."""
    context: dict[str, Any] = {"message": f"Exception in callback {handle!r}", "exception": error, "handle": handle}
    if handle._source_traceback:  # noqa: SLF001 - told nowhere else
        context["source_traceback"] = handle._source_traceback  # noqa: SLF001
    handle._loop.call_exception_handler(context)  # noqa: SLF001


def _nothing() -> None:
    """Do nothing: nobody has asked to be told."""


def _unheard(_kind: QtMsgType, _context: QMessageLogContext, _words: str | None) -> None:
    """Drop a message of Qt."""


class QtLoop(QEventLoop):  # type: ignore[misc]
    """The program's event loop: callbacks run in asyncio's order, on Qt's event loop.

    Attributes:
        display_lost: Called once if Qt ends its event loop because the display is gone; what runs shall then end.
    """

    def __init__(self, app: QCoreApplication) -> None:
        """Run on `app`'s event loop; `close` stops it."""
        self._pump = _Pump()
        self.display_lost: Callable[[], object] = _nothing
        self._ends_at = 0.0
        self._is_asked_to_stop = False
        self._new_handle: Callable[..., asyncio.Handle] = _Handle
        self._new_timer: Callable[..., Any] = _TimerHandle
        super().__init__(app)
        # What asyncio asks for with each future and time-out: the same answers, without a function in Python around.
        self.time = time.monotonic
        self.create_future = partial(asyncio.Future, loop=self)

    def set_debug(self, enabled: bool) -> None:  # noqa: FBT001 - asyncio's signature
        """Choose whether each callback, future and task notes where it was made."""
        super().set_debug(enabled)
        self._new_handle = asyncio.Handle if enabled else _Handle
        self._new_timer = asyncio.TimerHandle if enabled else _TimerHandle
        self.get_debug = partial(bool, enabled)  # each future and task asks for it

    def run_forever(self) -> None:
        """Run until `stop` is called.

        Without its display Qt ends its event loop by itself, so it is begun again, turn by turn, until all is closed.
        """
        self._is_asked_to_stop = False
        super().run_forever()
        while not self._is_asked_to_stop and self._goes_on():
            super().run_forever()

    def stop(self) -> None:
        """Let `run_forever` return."""
        self._is_asked_to_stop = True
        super().stop()

    @property
    def display_is_lost(self) -> bool:
        """Whether Qt has ended its event loop by itself."""
        return self._ends_at > 0

    def _goes_on(self) -> bool:
        """Tell whether another turn is allowed after the loop was stopped from outside."""
        if not self.display_is_lost:
            self._ends_at = time.monotonic() + WITHOUT_DISPLAY_S
            _log.error("The display is gone: the program ends")
            qInstallMessageHandler(_unheard)  # Qt says so again in each turn
            self.display_lost()
        time.sleep(_TURN_S)
        return time.monotonic() < self._ends_at

    def call_soon(self, callback: Callable[..., Any], *args: Any, context: Context | None = None) -> asyncio.Handle:  # noqa: ANN401 - asyncio's signature
        """Run a callback in the next turn, in the order of the calls.

        Raises:
            RuntimeError: The loop is closed.
        """
        if self._closed:
            self._check_closed()
        handle = self._new_handle(callback, args, self, context)
        pump = self._pump
        pump.ready.append(handle)
        if not pump.is_posted:
            pump.post()
        return handle

    call_soon_threadsafe = call_soon
    """The same: the queue takes callbacks from any thread."""

    def call_later(
        self,
        delay: float,
        callback: Callable[..., Any],
        *args: Any,  # noqa: ANN401 - asyncio's signature
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run a callback after `delay` seconds, never before."""
        return self.call_at(time.monotonic() + delay, callback, *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[..., Any],
        *args: Any,  # noqa: ANN401 - asyncio's signature
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run a callback at `when` on the loop's clock, never before.

        Raises:
            RuntimeError: The loop is closed.
        """
        if self._closed:
            self._check_closed()
        handle: Any = self._new_timer(when, callback, args, self, context)
        handle._scheduled = True  # noqa: SLF001 - so that a cancellation counts
        self._pump.add_timer(when, handle)
        timer: asyncio.TimerHandle = handle
        return timer

    def _timer_handle_cancelled(self, handle: Any) -> None:  # noqa: ANN401 - see `_Pump.ready`
        if handle._scheduled:  # noqa: SLF001 - it is in the heap
            self._pump.cancelled_timers += 1

    def _add_reader(self, fd: Any, callback: Callable[..., Any], *args: Any) -> None:  # noqa: ANN401 - asyncio's signature
        """Run a callback whenever a file descriptor is ready for reading.

        It runs in Qt's event of the socket. Stock qasync turns the notifier off, queues a callback and turns it on
        again behind that: a message and its answer are three to four such events. A callback that nests a Qt loop is
        not called again within it.
        """
        self._check_closed()
        self._remove_reader(fd)
        notifiers = self._read_notifiers
        notifier = QSocketNotifier(fd if isinstance(fd, int) else fd.fileno(), QSocketNotifier.Type.Read)

        is_running = is_off = False

        def ready() -> None:
            nonlocal is_running, is_off
            if notifiers.get(fd) is not notifier:
                return  # it was removed while Qt already had the event
            if is_running:
                notifier.setEnabled(False)  # else the nested loop would be called without end
                is_off = True
                return
            is_running = True
            try:
                copy_context().run(callback, *args)  # what it sets is its own, as in a queued callback
            except (SystemExit, KeyboardInterrupt):
                raise
            except BaseException as error:  # noqa: BLE001 - as asyncio does: the other callbacks go on
                self.call_exception_handler({"message": f"Exception in the reader {callback!r}", "exception": error})
            finally:
                is_running = False
                if is_off:
                    is_off = False
                    notifier.setEnabled(notifiers.get(fd) is notifier)

        activated: Any = notifier.activated  # of two kinds, which the stubs do not know
        activated["int"].connect(ready)
        notifiers[fd] = notifier

    def close(self) -> None:
        """Close the loop and forget what was queued; closing it twice is harmless."""
        super().close()
        self._pump.close()
