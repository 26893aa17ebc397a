"""The scheduler: a heap of due chats, one running step per chat, woken at once by new work.

See docs/behaviour.md, "When a chat's turn comes".

The cost does not depend on the number of open chats: only due ones are examined.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable
    from datetime import datetime

    from chimein_gui.domain.ids import ChatId
    from chimein_gui.engine.ports import Clock, Spawn
    from chimein_gui.engine.tasks.next_action import Plan


@dataclass(frozen=True, slots=True)
class Again:
    """When to check a chat again.

    Attributes:
        at: Time, aware UTC.
        plan: The plan to make then, if there is no other work.
    """

    at: datetime
    plan: Plan | None = None


Step = Callable[["ChatId", "Plan | None"], "Awaitable[Again | None]"]
"""Runs a step of a chat; gets the plan that the chat was woken for, if it is known and nothing else woke the chat."""

Queue = Callable[["ChatId", "Plan"], bool]
"""Has the plan that a chat was woken for wait in a queue, if it has to; the chat is then woken when its turn comes.

A step that finds out only that much costs as much as the rest of the scheduling of a message.
"""

TICK_S = 2.0
"""The wall clock is read at least this often in seconds, because it may jump."""


def _never(_chat_id: ChatId, _plan: Plan) -> bool:
    """Let every due chat take its step; the default where nothing is queued."""
    return False


class Scheduler:
    """Runs a step of a chat when it is due; the step returns when the chat is due again, or None."""

    def __init__(
        self,
        clock: Clock,
        spawn: Spawn,
        tick_s: Callable[[], float] = lambda: TICK_S,
        on_round: Callable[[float], None] = lambda _within_s: None,
    ) -> None:
        """Create the scheduler; nothing runs before `run`.

        Args:
            clock: Time.
            spawn: Starts the steps.
            tick_s: Returns the longest pause between two rounds, in seconds.
            on_round: Called before each round with the seconds until the next one at the latest.
        """
        self._tick_s = tick_s
        self.on_round: set[Callable[[float], None]] = {on_round}
        """Called before each round; others join for as long as they have something to do."""
        self._clock = clock
        self._spawn = spawn
        self._heap: list[tuple[datetime, int, ChatId]] = []
        self._due: dict[ChatId, datetime] = {}
        self._running: set[ChatId] = set()
        self._plans: dict[ChatId, Plan] = {}
        self._order = itertools.count()
        self._woken = asyncio.Event()

    def wake(self, chat_id: ChatId, at: datetime, plan: Plan | None = None) -> None:
        """Make a chat due at `at`; an earlier due time wins.

        Args:
            chat_id: The chat.
            at: Time, aware UTC.
            plan: The plan to make then, if there is no other work; dropped if anything else wakes the chat.
        """
        known = self._due.get(chat_id)
        if plan is not None and known is None and chat_id not in self._running:
            self._plans[chat_id] = plan
        else:
            self._plans.pop(chat_id, None)  # there is other work as well
        if known is not None and known <= at:
            return
        self._due[chat_id] = at
        heapq.heappush(self._heap, (at, next(self._order), chat_id))
        self._woken.set()

    def look_again(self) -> None:
        """Start a round now, because the interval has changed."""
        self._woken.set()

    @property
    def is_idle(self) -> bool:
        """Return whether no step of any chat is running."""
        return not self._running

    async def run(self, step: Step, queue: Queue = _never) -> None:
        """Start a step of each due chat, until cancelled.

        Args:
            step: The step.
            queue: Asked before a step that is only for a plan.
        """
        while True:
            self._woken.clear()
            for called in tuple(self.on_round):
                called(self._tick_s())
            wait_s = self._start_due(step, queue)
            try:
                async with self._clock.timeout(wait_s):
                    await self._woken.wait()
            except TimeoutError:
                continue

    def _start_due(self, step: Step, queue: Queue) -> float:
        """Start all due chats that are not running and need not queue; returns the seconds until the next is due."""
        now = self._clock.now()
        while self._heap:
            at, _, chat_id = self._heap[0]
            if self._due.get(chat_id) != at:
                heapq.heappop(self._heap)
                continue
            if at > now:
                return min((at - now).total_seconds(), self._tick_s())
            if chat_id not in self._running:
                plan = self._plans.get(chat_id)
                if plan is not None and queue(chat_id, plan):
                    del self._plans[chat_id]
                else:
                    self._spawn(self._run_step(chat_id, step), name=f"chat {chat_id}")  # on failure it is still due
                    self._running.add(chat_id)
                del self._due[chat_id]
            heapq.heappop(self._heap)
        return self._tick_s()

    async def _run_step(self, chat_id: ChatId, step: Step) -> None:
        """Run one step; if the chat became due meanwhile, it is queued again afterwards."""
        again: Again | None = None
        plan = self._plans.pop(chat_id, None)
        try:
            again = await step(chat_id, plan)
        finally:
            self._running.discard(chat_id)
            pending = self._due.pop(chat_id, None)
            if again is not None:
                self.wake(chat_id, again.at, again.plan)
            if pending is not None:
                self.wake(chat_id, pending)
