"""Commits: the steps after every one of them, and the handling of failed ones.

The outcome of a send is recorded until it is stored. Any failed commit holds everything in memory.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from chimein_gui.domain.errors import StoreWriteError, note_of
from chimein_gui.domain.events import (
    ApprovalRequested,
    ApprovalResolved,
    ChatChanged,
    PlanEdited,
    StepChanged,
    TaskGraphReplaced,
    TaskStatusChanged,
    TraceChanged,
)
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.core.event_bus import FaultLine
from chimein_gui.engine.ports import Durability

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, Store, Transaction

T = TypeVar("T")

STORE_RETRY_S = 2.0
"""Pause before an outcome that could not be stored is retried."""


def _wake_nobody(_chat_id: ChatId, _at: datetime) -> None:
    """Do nothing; the default where no chat runs automatically."""


class UnitOfWork:
    """Runs work in a transaction (writer); after the commit it publishes the events and wakes their chats.

    Every change that publishes events is written through this, so that none of the three is forgotten.
    """

    def __init__(
        self, store: Store, bus: EventBus, clock: Clock, on_due: Callable[[ChatId, datetime], None] = _wake_nobody
    ) -> None:
        """`on_due` is called with chats in which something may continue now."""
        self._store = store
        self._bus = bus
        self._clock = clock
        self._on_due = on_due
        self._fault = FaultLine(bus, "outbox", FaultReason.OUTCOME_IS_KEPT)

    async def run(
        self,
        work: Callable[[Transaction], tuple[list[EngineEvent], T]],
        *,
        durability: Durability = Durability.FULL,
        wakes: bool = True,
        committed: Callable[[T], object] | None = None,
    ) -> T:
        """Commit once, then publish and wake; returns the result of `work`, which runs on the writer thread.

        Args:
            work: Returns the events to publish, and its result.
            durability: How the commit is made.
            wakes: False in a chat's own step, which itself returns when to check the chat again, and for changes that
                make nothing due.
            committed: Called with the result right after the commit, before anything is published.

        Raises:
            StoreError: Nothing is stored.
        """

        def whole(tx: Transaction) -> tuple[list[EngineEvent], T]:
            """Do the work, and add the events of the traces that it changed. It runs on the writer thread."""
            events, result = work(tx)
            changed = tx.traces.changed()
            return [*events, *[TraceChanged(*one, tx.revision) for one in changed]] if changed else events, result

        _name_as(whole, work)
        events, result = await self._store.transact(whole, durability=durability)
        if committed is not None:
            committed(result)
        self._bus.publish(*events)
        if wakes:
            now = self._clock.now()
            for chat_id in dict.fromkeys(map(_chat_of, events)):
                if chat_id is not None:
                    self._on_due(chat_id, now)
        return result

    async def apply(
        self,
        work: Callable[[Transaction], list[EngineEvent]],
        *,
        durability: Durability = Durability.FULL,
        wakes: bool = True,
    ) -> None:
        """Do as `run` does, for work that returns only events.

        Raises:
            StoreError: Nothing is stored.
        """

        def whole(tx: Transaction) -> tuple[list[EngineEvent], None]:
            """Do the work. It runs on the writer thread."""
            return work(tx), None

        _name_as(whole, work)
        await self.run(whole, durability=durability, wakes=wakes)

    async def write(self, work: Callable[[Transaction], object]) -> None:
        """Commit a change without events, with NORMAL durability.

        Raises:
            StoreError: Nothing is stored.
        """
        await self._store.transact(work)

    async def record(self, work: Callable[[Transaction], tuple[list[EngineEvent], T]]) -> T:
        """Do as `run` does in a chat's own step, repeated until it works, so that a full disk loses no outcome."""
        while True:
            try:
                result = await self.run(work, wakes=False, committed=lambda _: self._fault.clear())
            except StoreWriteError as error:
                self._fault.show(Note(FaultReason.OUTCOME_UNSTORED, cause=note_of(error)))
                await self._clock.sleep_until(self._clock.now() + timedelta(seconds=STORE_RETRY_S))
                continue
            return result

    def submit(self, outcome: Callable[[Transaction], list[EngineEvent]]) -> None:
        """Store without waiting, for a job that is being cancelled; nothing is published."""
        self._store.submit(outcome, durability=Durability.FULL)

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Read one consistent snapshot; see `Store`."""
        return await self._store.read(work)


def _name_as(whole: Callable[..., object], work: Callable[..., object]) -> None:
    """Give a transaction both names of its work, by which it is known."""
    named = work.func if isinstance(work, partial) else work
    whole.__name__ = getattr(named, "__name__", whole.__name__)
    whole.__qualname__ = getattr(named, "__qualname__", whole.__qualname__)


def _chat_of(event: EngineEvent) -> ChatId | None:
    """Return the chat in which something may continue after an event; None if there is none."""
    match event:
        case ChatChanged():
            return event.chat.chat_id
        case ApprovalRequested() | ApprovalResolved() | TaskStatusChanged():
            return event.approval.chat_id
        case StepChanged() | TaskGraphReplaced() | PlanEdited():
            return event.chat_id
        case _:
            return None


class WatchedStore:
    """Implements `engine.ports.Store` on another one."""

    def __init__(self, store: Store, on_failure: Callable[[Note], None]) -> None:
        """Wrap a store; the callback gets the cause of each failed commit."""
        self._store = store
        self._on_failure = on_failure

    async def transact(self, work: Callable[[Transaction], T], *, durability: Durability = Durability.NORMAL) -> T:
        """Run `work` and commit it; see `Store`."""
        try:
            return await self._store.transact(work, durability=durability)
        except StoreWriteError as error:
            self._on_failure(note_of(error))
            raise

    def submit(self, work: Callable[[Transaction], object], *, durability: Durability = Durability.NORMAL) -> None:
        """Queue `work` without waiting; see `Store`."""
        self._store.submit(work, durability=durability)

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Read one consistent snapshot; see `Store`."""
        return await self._store.read(work)

    async def compact(self) -> None:
        """Write the file anew; see `Store`. A failure holds nothing, because nothing was to be stored."""
        await self._store.compact()

    async def aclose(self) -> None:
        """Close the store; see `Store`."""
        await self._store.aclose()
