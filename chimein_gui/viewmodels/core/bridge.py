"""The only way from engine coroutines into Qt.

A signal that is emitted inside a coroutine runs its slots inside that task, and a slot that opens a nested loop then
leaves every other task pending (docs/library-facts.md, "The event loop"). So signals are emitted here only from a Qt
timer.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from functools import partial
from math import ceil
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from chimein_gui.domain import events as ev
from chimein_gui.viewmodels.core.throttle import TURN, TURN_MS

if TYPE_CHECKING:
    from chimein_gui.domain.events import EngineEvent

FRAME_MS = 16
"""Longest pause between two deliveries, in ms: one frame."""

COLLECT_MS = 4
"""Shortest time that events are collected, in ms: those of one step of a chat fall within it and are shown together."""

REST = 4
"""Length of the pause after a delivery, as a multiple of its duration: models and views get a fifth of the loop's time.

A fixed frame would delay a draft by all of it whenever other events came just before. See `MANY` for storms.
"""

MANY = 24
"""While more events than this wait, a pause is as long as the delivery before it: models and views get half the time.

A storm leaves hundreds behind. With the longer pause the last of them, perhaps a draft, came a third of a second later.
"""

BUSY_S = 0.003
"""Longest time of one delivery, in seconds; what is left then waits for the next one."""

PORTION = 6
"""Most events in one batch before the clock is checked; all models update their totals once after each batch."""

BATCH_S = 0.002
"""Time that a batch shall take, seconds: it has fewer events, but at least two, while the latest took longer."""

_LATEST = 0.25
"""Weight of the latest batch in the mean time of an event."""

DELIVERY = "delivery"
"""The name of this work for `TURN`."""

Callback = Callable[[], None]

Events = OrderedDict[Hashable, "EngineEvent"]
"""Events between two callbacks, by their keys."""


def coalescing_key(event: EngineEvent) -> Hashable:
    """Return the key of an event; a later event with the same key replaces it, because events carry whole snapshots."""
    if isinstance(event, ev.ApprovalRequested | ev.ApprovalResolved | ev.TaskStatusChanged):
        return ("approval", event.approval.approval_id)
    if isinstance(event, ev.MessageStored):
        return ("message", event.message.key)
    match event:
        case ev.AgentChanged(agent=agent):
            key: Hashable = agent.agent_id
        case ev.ChatChanged(chat=chat):
            key = chat.chat_id
        case ev.TaskGraphReplaced() | ev.PlanEdited() | ev.PartnerTyping() | ev.SavedEditsChanged():
            key = event.chat_id
        case ev.FaultReported():
            key = event.key
        case ev.AgentRemoved() | ev.LoginChanged():
            key = event.agent_id if isinstance(event, ev.AgentRemoved) else event.state.agent_id
        case ev.StepChanged() | ev.UploadAdvanced():
            key = event.task_id if isinstance(event, ev.StepChanged) else event.approval_id
        case ev.FileProblemsChanged() | ev.HoldsChanged() | ev.PreferencesChanged():
            key = None
        case _:
            key = id(event)  # events without a state: none replaces another
    return (type(event).__name__, key)


class EventSource(Protocol):
    """What the bridge asks of the engine."""

    def subscribe(self, subscriber: Callable[[EngineEvent], None]) -> Callable[[], None]:
        """Receive every event from now on; returns a function that unsubscribes."""
        ...


class EngineBridge(QObject):
    """Collects events and answers in the loop's thread, and delivers them from a timer of Qt's loop.

    Attributes:
        batch_ready: A tuple of at most `PORTION` events, in the order of their revisions.
    """

    batch_ready = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue: deque[Events | Callback] = deque()
        self._unsubscribe: Callback | None = None
        self._once: set[Callback] = set()
        self._draining = False
        self._closed = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._rested_at = self._latest_at = self._event_s = 0.0
        self._timer.timeout.connect(self._drain_in_turn)

    def attach(self, api: EventSource) -> None:
        """Subscribe to the engine's events."""
        self.detach()
        self._closed = False
        self._unsubscribe = api.subscribe(self.push)

    def detach(self) -> None:
        """Unsubscribe, and drop what was not delivered yet.

        Later calls, such as the answer to a last click, are dropped too: the window may be gone by then.
        """
        self._closed = True
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        self._queue.clear()
        self._once.clear()
        self._timer.stop()

    def push(self, event: EngineEvent) -> None:
        """Queue an event; safe to call from a coroutine.

        It replaces an event with its key at once: in a storm thousands may wait, and many deliveries take some of them.
        """
        if self._closed:
            return
        last = self._queue[-1] if self._queue else None
        if not isinstance(last, OrderedDict):
            last = OrderedDict()
            self._queue.append(last)
        key = coalescing_key(event)
        last.pop(key, None)  # the later event moves to the end, so that revisions keep rising
        last[key] = event
        self._wake()

    def deliver(self, callback: Callback) -> None:
        """Call `callback` from Qt's loop, in order with the events. Coroutines return their results this way."""
        if not self._closed:
            self._queue.append(callback)
            self._wake()

    def deliver_once(self, callback: Callback) -> None:
        """Call `callback` in a later turn of the loop; further requests before that call are merged into it.

        For work that follows an event which other parts of the window show in the same turn. Without an engine there
        are no events: then `callback` is called at once, so that nothing is called after the window is closed.
        """
        if self._unsubscribe is None:
            callback()
        elif callback not in self._once:
            self._once.add(callback)
            self.deliver(partial(self._call_once, callback))

    def _call_once(self, callback: Callback) -> None:
        self._once.discard(callback)
        callback()

    def _wake(self) -> None:
        # During a delivery a slot may nest a loop; a second delivery inside it would overtake the first.
        if not self._draining and not self._timer.isActive():
            self._start()

    def _start(self) -> None:
        rest_ms = ceil((self._rested_at - perf_counter()) * 1000)
        wait_ms = min(FRAME_MS, max(COLLECT_MS, rest_ms))
        self._latest_at = perf_counter() + (wait_ms + FRAME_MS) / 1000
        self._timer.start(wait_ms)

    def _drain_in_turn(self) -> None:
        # Where one frame follows the other without a gap, every turn is taken.
        if TURN.is_taken(DELIVERY) and perf_counter() < self._latest_at:
            self._timer.start(TURN_MS)
            return
        self._drain()
        TURN.end(DELIVERY)

    def _drain(self) -> None:
        self._draining, began = True, perf_counter()
        until, left = began + BUSY_S, len(self._queue)  # what a slot asks for comes in a later turn
        try:
            while left and self._queue:
                left -= self._deliver_some()
                if perf_counter() > until:
                    break
        finally:
            self._draining, ended = False, perf_counter()
            rest = 1 if self._waiting() > MANY else REST
            self._rested_at = ended + rest * (ended - began)
            if self._queue:
                self._start()

    def _waiting(self) -> int:
        """Return how many events and callbacks are not delivered yet."""
        return sum(len(one) if isinstance(one, OrderedDict) else 1 for one in self._queue)

    def _deliver_some(self) -> bool:
        """Deliver the first callback, or some of the first events; return whether these were all between callbacks."""
        first = self._queue[0]
        if not isinstance(first, OrderedDict):
            self._queue.popleft()
            first()
            return True
        events = tuple(first.popitem(last=False)[1] for _ in range(min(self._portion(), len(first))))
        if not first:
            self._queue.popleft()
        began = thread_time()
        self.batch_ready.emit(events)
        self._event_s += _LATEST * ((thread_time() - began) / len(events) - self._event_s)
        return not first

    def _portion(self) -> int:
        """Return how many events the next batch has."""
        return PORTION if self._event_s * PORTION <= BATCH_S else max(2, int(BATCH_S / self._event_s))
