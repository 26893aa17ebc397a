"""The schedule of a scene in scene seconds, independent of the speed.

It is a discrete-event simulation: actions are ordered by (scene time, order of scheduling), never by when the timer
fired. So a scene plays the same at every speed, and the same again with the same seed.
"""

import heapq
from collections.abc import Callable
from itertools import count
from typing import Protocol

from chimein_gui.sandbox_api import Refused, SandboxRefusedError

Act = Callable[[float], None]
"""A scheduled action; called with the scene time at which it was due."""

SLOWEST, FASTEST = 0.1, 1000.0
_ACTS_A_TURN = 20
"""Maximum number of actions in one turn of the event loop; at a high speed they are due all at once."""

_CLOSE_S = 1e-6
"""Seconds by which a timer may fire early and still count, because float sums are inexact."""


class Alarm(Protocol):
    """A scheduled call, which can be cancelled."""

    def cancel(self) -> None:
        """Cancel the call."""


class LoopClock(Protocol):
    """The two methods of an asyncio loop that a timeline needs; simulated in tests."""

    def time(self) -> float:
        """Return monotonic seconds."""
        ...

    def call_later(self, delay: float, callback: Callable[[], None], /) -> Alarm:
        """Call back in `delay` seconds."""
        ...


class Timeline:
    """A heap of actions and one timer; it has no task, so nothing is left when it is closed.

    Args:
        clock: Of the event loop.
        after_turn: Called after one or more actions have been played.
    """

    def __init__(self, clock: LoopClock, after_turn: Callable[[], None]) -> None:
        self._clock = clock
        self._after_turn = after_turn
        self._due: list[tuple[float, int, Act]] = []
        self._order = count()
        self._alarm: Alarm | None = None
        self._speed = 1.0
        self._is_paused = False
        self._in_turn = False
        self._played_up_to = 0.0
        self._anchor = (clock.time(), 0.0)

    @property
    def speed(self) -> float:
        """Scene seconds per second."""
        return self._speed

    @property
    def is_paused(self) -> bool:
        """Whether scene time is stopped."""
        return self._is_paused

    @property
    def is_empty(self) -> bool:
        """Whether no action is scheduled."""
        return not self._due

    def now(self) -> float:
        """Return the scene time, never less than that of an action that has been played."""
        then, moment = self._anchor
        running = 0.0 if self._is_paused else (self._clock.time() - then) * self._speed
        return max(moment + running, self._played_up_to)

    def at(self, moment: float, act: Act) -> None:
        """Schedule an action at a scene time; one in the past is due at once."""
        heapq.heappush(self._due, (max(moment, self._played_up_to), next(self._order), act))
        self._arm()

    def set_speed(self, speed: float) -> None:
        """Set the speed from now on.

        Raises:
            ValueError: It is not within 0.1 and 1,000.
        """
        if not SLOWEST <= speed <= FASTEST:
            raise SandboxRefusedError(Refused.SPEED, SLOWEST, f"{FASTEST:.0f}", speed)
        self._anchor = (self._clock.time(), self.now())
        self._speed = speed
        self._arm()

    def pause(self, *, paused: bool) -> None:
        """Stop scene time, or let it continue from where it stopped."""
        self._anchor = (self._clock.time(), self.now())
        self._is_paused = paused
        self._arm()

    def rewind(self) -> None:
        """Remove all scheduled actions and set the scene time to 0; speed and pause stay."""
        self._due.clear()
        self._played_up_to = 0.0
        self._anchor = (self._clock.time(), 0.0)
        self._arm()

    def _arm(self) -> None:
        if self._in_turn:
            return
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._due and not self._is_paused:
            delay = max(0.0, (self._due[0][0] - self.now()) / self._speed)
            self._alarm = self._clock.call_later(delay, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self._in_turn = True
        try:
            self._play_what_is_due(self.now() + _CLOSE_S * self._speed)
        finally:
            self._in_turn = False
            self._arm()
            self._after_turn()

    def _play_what_is_due(self, now: float) -> None:
        for _ in range(_ACTS_A_TURN):
            if not self._due or self._due[0][0] > now or self._is_paused:
                break
            moment, _order, act = heapq.heappop(self._due)
            self._played_up_to = max(self._played_up_to, moment)
            act(moment)
