"""A semaphore that limits the plans made at once and serves chats in the order in which they became due."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from datetime import datetime


@dataclass(order=True, slots=True)
class _Ticket:
    due_at: datetime
    rank: int
    number: int
    turn: asyncio.Future[None] = field(compare=False)


class FairSemaphore:
    """Assigns a fixed number of slots.

    The job that has been due longest goes first, so each of n ready jobs gets a slot within ceil(n / slots) job
    lengths. Jobs that are due at the same moment take turns by owner, so that an agent with a hundred chats does not
    delay an agent with a single chat a hundred times.
    """

    def __init__(self, slots: int) -> None:
        """Create the semaphore with all slots free.

        Args:
            slots: Number of slots, 1 or more.
        """
        self._slots = self._free = slots
        self._waiting: list[_Ticket] = []
        self._numbers = itertools.count()
        self._ranks: dict[tuple[datetime, Hashable], int] = {}
        self._asked: dict[Hashable, _Ticket] = {}

    def resize(self, slots: int) -> None:
        """Change the number of slots; if there are fewer, running jobs are finished first."""
        self._free += slots - self._slots
        self._slots = slots
        while self._free > 0 and self._waiting:
            self._free -= 1
            self.end()

    def ask(self, who: Hashable, due_at: datetime, owner: Hashable, on_turn: Callable[[], object]) -> bool:
        """Join the queue without waiting in it; asking again keeps the place.

        Args:
            who: The caller's key; the same as in `turn`.
            due_at: Since when the job is ready, aware UTC.
            owner: Owner of the job.
            on_turn: Called when a slot becomes available, unless one is at once.

        Returns:
            True if a slot is reserved for the caller, until `turn` takes it or `release` gives it up.
        """
        if who not in self._asked:
            ticket = self._asked[who] = self._ticket(due_at, owner)
            if not ticket.turn.done():
                ticket.turn.add_done_callback(lambda turn: turn.cancelled() or on_turn())
        return self._asked[who].turn.done()

    @property
    def spare(self) -> int:
        """The number of slots that nobody uses or waits for."""
        return 0 if self._waiting else max(0, self._free)

    def awaits(self, who: Hashable) -> bool:
        """Return whether a caller is in the queue and has no slot yet; safe to call from any thread."""
        ticket = self._asked.get(who)
        return ticket is not None and not ticket.turn.done()

    def is_reserved(self, who: Hashable) -> bool:
        """Return whether a slot is reserved for a caller of `ask`."""
        ticket = self._asked.get(who)
        return ticket is not None and ticket.turn.done()

    def release(self, who: Hashable) -> None:
        """Give up a reserved slot; a caller that has none yet keeps its place in the queue."""
        ticket = self._asked.get(who)
        if ticket is not None and ticket.turn.done():
            del self._asked[who]
            self.end()

    def turn(self, due_at: datetime, owner: Hashable, who: Hashable = None) -> Turn:
        """Return the block that waits for a slot and holds it for its body.

        Args:
            due_at: Since when the job is ready, aware UTC.
            owner: Owner of the job.
            who: Key of an earlier `ask`, whose reserved slot or place in the queue is used.
        """
        return Turn(self, due_at, owner, who)

    async def begin(self, due_at: datetime, owner: Hashable, who: Hashable) -> None:
        """Wait for a slot; `end` gives it up."""
        asked = self._asked.pop(who) if who in self._asked else None
        ticket = asked or self._ticket(due_at, owner)
        try:
            await ticket.turn
        except asyncio.CancelledError:
            if ticket.turn.done() and not ticket.turn.cancelled():
                self.end()  # the slot was handed to somebody who is gone
            raise

    def _ticket(self, due_at: datetime, owner: Hashable) -> _Ticket:
        """Return a place in the queue, or a slot if one is free."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._free > 0 and not self._waiting:
            self._free -= 1
            turn.set_result(None)
            return _Ticket(due_at, 0, next(self._numbers), turn)
        key = (due_at, owner)
        rank = self._ranks[key] = self._ranks.get(key, -1) + 1
        ticket = _Ticket(due_at, rank, next(self._numbers), turn)
        heapq.heappush(self._waiting, ticket)
        return ticket

    def end(self) -> None:
        """Give up a slot that is held."""
        if self._free < 0:
            self._free += 1  # more jobs run than there are slots by now
            return
        while self._waiting:
            ticket = heapq.heappop(self._waiting)
            if not ticket.turn.done():
                ticket.turn.set_result(None)
                return
        self._ranks.clear()
        self._free += 1


class Turn:
    """A block that holds a slot; see `FairSemaphore.turn`."""

    __slots__ = ("_asked_for", "_slots")

    def __init__(self, slots: FairSemaphore, due_at: datetime, owner: Hashable, who: Hashable) -> None:
        self._slots, self._asked_for = slots, (due_at, owner, who)

    async def __aenter__(self) -> None:
        await self._slots.begin(*self._asked_for)

    async def __aexit__(self, *_error: object) -> None:
        self._slots.end()
