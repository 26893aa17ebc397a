"""Commits: FULL durability where it is decided whether something was sent, and what is done when one fails.

What has left is recorded come what may. Whichever commit fails, everything is held in memory.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from chimein_gui.domain.errors import StoreWriteError
from chimein_gui.engine.core.fault_reporter import FaultLine
from chimein_gui.engine.ports import Durability

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, Store, Transaction

T = TypeVar("T")

STORE_RETRY_S = 2.0
"""Pause before an outcome that could not be stored is tried again."""

_REMEDY = "Make room on the disk; it is tried again every 2 s, and nothing is sent twice."


class DurableWriter:
    """Stores what is known of sends, come what may."""

    def __init__(self, store: Store, bus: EventBus, clock: Clock) -> None:
        """Wire the services."""
        self._store = store
        self._bus = bus
        self._clock = clock
        self._fault = FaultLine(bus, "outbox", _REMEDY)

    async def commit(self, work: Callable[[Transaction], tuple[list[EngineEvent], T]]) -> T:
        """Commit until it works, then publish: a full disk must not lose what became of a send."""
        while True:
            try:
                events, result = await self._store.transact(work, durability=Durability.FULL)
            except StoreWriteError as error:
                self._fault.show(f"The outcome of a send could not be stored: {error}")
                await self._clock.sleep_until(self._clock.now() + timedelta(seconds=STORE_RETRY_S))
                continue
            self._fault.clear()
            self._bus.publish(*events)
            return result

    async def try_commit(self, work: Callable[[Transaction], tuple[list[EngineEvent], T]]) -> T:
        """Commit once, then publish: nothing has left yet, so a failure loses nothing.

        Raises:
            StoreWriteError: Nothing is stored.
        """
        events, result = await self._store.transact(work, durability=Durability.FULL)
        self._bus.publish(*events)
        return result

    def submit(self, outcome: Callable[[Transaction], list[EngineEvent]]) -> None:
        """Store without waiting, for a job that is being cancelled."""
        self._store.submit(outcome, durability=Durability.FULL)


class WatchedStore:
    """Implements `engine.ports.Store` on another one."""

    def __init__(self, store: Store, on_failure: Callable[[str], None]) -> None:
        """Take the store, and what to do when a commit failed, with its cause."""
        self._store = store
        self._on_failure = on_failure

    async def transact(self, work: Callable[[Transaction], T], *, durability: Durability = Durability.NORMAL) -> T:
        """Run `work` and commit it; see `Store`."""
        try:
            return await self._store.transact(work, durability=durability)
        except StoreWriteError as error:
            self._on_failure(str(error))
            raise

    def submit(self, work: Callable[[Transaction], object], *, durability: Durability = Durability.NORMAL) -> None:
        """Queue `work` without waiting; see `Store`."""
        self._store.submit(work, durability=durability)

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Read one consistent snapshot; see `Store`."""
        return await self._store.read(work)

    async def aclose(self) -> None:
        """Close the store; see `Store`."""
        await self._store.aclose()
