"""qasync's event loop with one queue of ready callbacks, instead of one Qt timer for each.

Stock qasync starts and kills a Qt timer for every callback (90 µs each) and leaves the timer of every cancelled
time-out running until it would have fired: a send and its plan take about fifty callbacks and three time-outs.
Here ready callbacks wait in a deque that one posted event works off, and time-outs wait in a heap behind one Qt timer.
See docs/library-facts.md, "The event loop".
"""

from __future__ import annotations

import asyncio
import heapq
import time
from collections import deque
from collections.abc import Callable
from contextvars import Context
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimerEvent
from qasync import QEventLoop

SLICE_S = 0.001
"""Longest stretch of callbacks before Qt may paint and take input again; at 4 ms a timer is late by 15 ms at times."""

FEWEST_PURGED = 100
"""Cancelled time-outs are swept out of the heap when there are more of them than this, and than half of it."""

_READY = QEvent.Type(QEvent.registerEventType())


class _Pump(QObject):
    """Runs what is ready, between two events of Qt's own.

    The event is posted again *before* a callback runs: a callback may nest a Qt loop (a menu, a drag), and the rest
    of the queue must go on inside it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.ready: deque[asyncio.Handle] = deque()
        self.timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self.cancelled_timers = 0
        self._posted = False
        self._timer_id = 0
        self._timer_at = 0.0
        self._order = 0

    def add(self, handle: asyncio.Handle) -> None:
        """Queue a callback; safe from any thread."""
        self.ready.append(handle)
        if not self._posted:
            self._posted = True
            QCoreApplication.postEvent(self, QEvent(_READY))

    def add_timer(self, handle: asyncio.TimerHandle) -> None:
        """Queue a callback for later."""
        self._order += 1
        heapq.heappush(self.timers, (handle.when(), self._order, handle))
        self._sweep()
        self._arm()

    def close(self) -> None:
        """Forget everything."""
        self.ready.clear()
        self.timers.clear()
        self._disarm()

    def customEvent(self, _event: QEvent) -> None:
        """Work off the queue, for a slice of time; there is one kind of event that is not Qt's own.

        To ask an event for its kind makes a Python enumeration of it: as long as all else that a callback costs here.
        """
        self._posted = False
        left = len(self.ready)
        until = time.monotonic() + SLICE_S
        while left and self.ready:
            handle = self.ready.popleft()
            left -= 1
            if self.ready and not self._posted:
                self._posted = True
                QCoreApplication.postEvent(self, QEvent(_READY))
            if not handle.cancelled():
                handle._run()  # noqa: SLF001 - what a loop does with its handles
            if time.monotonic() > until:
                break

    def timerEvent(self, event: QTimerEvent) -> None:
        """Move what is due to the ready queue; Qt may be early, so the clock is asked."""
        if event.timerId() != self._timer_id:
            return
        self._disarm()
        now = time.monotonic()
        while self.timers and self.timers[0][0] <= now:
            handle: Any = heapq.heappop(self.timers)[2]
            if handle.cancelled():
                self.cancelled_timers -= 1
            else:
                handle._scheduled = False  # noqa: SLF001 - from here on a cancellation is none of the heap's
                self.add(handle)
        self._arm()

    def _arm(self) -> None:
        """Let Qt's one timer stand for the earliest that is not cancelled."""
        while self.timers and self.timers[0][2].cancelled():
            heapq.heappop(self.timers)
            self.cancelled_timers -= 1
        if not self.timers:
            self._disarm()
            return
        when = self.timers[0][0]
        if self._timer_id and self._timer_at == when:
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
        if self.cancelled_timers <= max(FEWEST_PURGED, len(self.timers) // 2):
            return
        self.timers = [entry for entry in self.timers if not entry[2].cancelled()]
        heapq.heapify(self.timers)
        self.cancelled_timers = 0


class QtLoop(QEventLoop):  # type: ignore[misc]
    """The loop of the program: asyncio's semantics of order, Qt's event loop underneath."""

    def __init__(self, app: QCoreApplication) -> None:
        """Stand on `app`; `close` ends it."""
        self._pump = _Pump()
        super().__init__(app)

    def call_soon(self, callback: Callable[..., Any], *args: Any, context: Context | None = None) -> asyncio.Handle:  # noqa: ANN401 - asyncio's signature
        """Run a callback in the next turn, in the order of the calls.

        Raises:
            RuntimeError: The loop is closed.
        """
        self._check_closed()
        handle = asyncio.Handle(callback, args, self, context)
        self._pump.add(handle)
        return handle

    def call_soon_threadsafe(
        self,
        callback: Callable[..., Any],
        *args: Any,  # noqa: ANN401 - asyncio's signature
        context: Context | None = None,
    ) -> asyncio.Handle:
        """Run a callback in the loop's thread; safe from any thread.

        Raises:
            RuntimeError: The loop is closed.
        """
        return self.call_soon(callback, *args, context=context)

    def call_later(
        self,
        delay: float,
        callback: Callable[..., Any],
        *args: Any,  # noqa: ANN401 - asyncio's signature
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run a callback after `delay` seconds, never before."""
        return self.call_at(self.time() + delay, callback, *args, context=context)

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
        self._check_closed()
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        vars_of_handle: Any = handle
        vars_of_handle._scheduled = True  # noqa: SLF001 - so that a cancellation is reported to the loop
        self._pump.add_timer(handle)
        return handle

    def _timer_handle_cancelled(self, _handle: asyncio.TimerHandle) -> None:
        self._pump.cancelled_timers += 1

    def close(self) -> None:
        """Close the loop and forget what was queued; closing it twice is harmless."""
        super().close()
        self._pump.close()
