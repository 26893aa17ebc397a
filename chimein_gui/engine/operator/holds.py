"""Holds of everything, one account or one chat (docs/behaviour.md, "Holding").

A hold is a row: it survives a restart, and the claim reads it in its own transaction. Releasing sends nothing.
Functions that take a transaction run on the writer thread unless they say otherwise.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from chimein_gui.domain.errors import StoreWriteError, note_of
from chimein_gui.domain.events import BacklogOpened, EngineEvent, HoldsChanged
from chimein_gui.domain.holds import Backlog, Hold, HoldScope
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.loaded import Loaded
from chimein_gui.engine.operator.backlog import open_backlog, open_countdowns, standing_backlog

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.ids import ChatId
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.policy.hold_check import InMemoryHold
    from chimein_gui.engine.ports import Transaction
    from chimein_gui.engine.sending.in_flight import InFlightRequests

ANSWERS_S = 3.0
"""How long pressing hold waits for answers in flight before the connection is dropped."""

T = TypeVar("T")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_PROBE = -1
"""Target of the hold by which writing is tested; no account or chat has this id."""


class Holds:
    """Begins, lists and releases holds."""

    def __init__(
        self,
        unit: UnitOfWork,
        bus: EventBus,
        environment: TransactionEnvironment,
        in_flight: InFlightRequests,
        in_memory: InMemoryHold,
        on_due: Callable[[ChatId, datetime], None],
    ) -> None:
        """Create the service.

        Args:
            unit: The database itself, not the watched one: a probe that fails is an answer.
            bus: Receives the events of holds and backlogs.
            environment: Preferences, time and the state of accounts.
            in_flight: The requests that have no answer yet.
            in_memory: The hold in memory.
            on_due: Called with the chats that may continue after a release.
        """
        self._unit = unit
        self._bus = bus
        self._environment = environment
        self._in_flight = in_flight
        self._in_memory = in_memory
        self._on_due = on_due
        self._stored: tuple[Hold, ...] = ()
        in_memory.on_begin = self._show

    async def load(self) -> Loaded[Hold]:
        """Return the active holds, oldest first. The start calls this, so that holds of the last run are known."""
        stored, revision = await self._unit.read(lambda tx: (tx.holds.all(), tx.revision))
        self._stored = stored
        return Loaded(self._all(), revision)

    async def hold(self, scope: HoldScope = HoldScope.ALL, target: int = 0, reason: str = "") -> None:
        """Hold everything, one account or one chat: after the commit nothing there is claimed, typed or marked as read.

        Answers in flight are awaited for up to 3 s. Then the connections of unanswered requests are dropped, so that
        nothing queued leaves; their outcome is unknown. If the hold can't be stored, a hold of everything is kept in
        memory.

        Args:
            scope: The kind of target.
            target: The account or chat id; 0 for all.
            reason: The operator's words; may be empty.
        """
        new = Hold(scope, target, reason, self._environment.now())
        try:
            await self._change(partial(_put, new=new))
            await self._change(lambda tx: (None, open_countdowns(tx, new)))
        except StoreWriteError as error:
            self._in_memory.begin(note_of(error), reason)
            new = Hold(HoldScope.ALL, 0, reason, new.since, stored=False)
        if not await self._in_flight.wait_idle(new.covers, ANSWERS_S):
            await self._in_flight.drop(new.covers)

    async def release(self, scope: HoldScope = HoldScope.ALL, target: int = 0) -> Backlog:
        """Release a hold. Held sends come back to review; the release itself sends nothing.

        Returns:
            The backlog to review; it is published as well.

        Raises:
            StoreError: The hold was not released because the database takes no writes.
        """
        in_memory = self._in_memory.hold
        lifts_it = in_memory if scope is HoldScope.ALL else None

        def work(tx: Transaction) -> tuple[Backlog, list[EngineEvent]]:
            probe_write(tx)
            stored = [hold for hold in tx.holds.all() if (hold.scope, hold.target) == (scope, target)]
            lifted = min([*stored, *([lifts_it] if lifts_it else [])], key=lambda hold: hold.since, default=None)
            if lifted is None:
                return Backlog((), ()), []
            tx.holds.release(scope, target)
            return open_backlog(tx, lifted, still_held=in_memory is not None and lifts_it is None)

        backlog = await self._change(work)
        if lifts_it is not None:
            self._in_memory.end()
            self._show()
        if backlog.items:
            self._bus.publish(BacklogOpened(backlog, Revision(0)))
        await self._wake(Hold(scope, target, "", self._environment.now()))
        return backlog

    async def load_backlog(self) -> Backlog:
        """Return the undecided sends of past holds, ticked as at the release, also after a restart.

        Raises:
            StoreError: The backlog could not be read.
        """
        return await self._unit.read(lambda tx: standing_backlog(tx, self._environment))

    async def probe(self) -> None:
        """Test whether the database takes writes; every start does this.

        Raises:
            StoreError: The database takes no writes.

        """
        await self._unit.apply(_probed)

    async def _change(self, work: Callable[[Transaction], tuple[T, list[EngineEvent]]]) -> T:
        """Commit, then publish: first the holds, then their effects."""

        def whole(tx: Transaction) -> tuple[list[EngineEvent], tuple[T, tuple[Hold, ...]]]:
            result, events = work(tx)
            return events, (result, tx.holds.all())

        def show(done: tuple[T, tuple[Hold, ...]]) -> None:
            _, stored = done
            if stored != self._stored:
                self._stored = stored
                self._show()

        result, _ = await self._unit.run(whole, committed=show)
        return result

    async def _wake(self, lifted: Hold) -> None:
        """Wake the chats of a lifted hold, so that work without a decision, such as a look-up, continues."""

        def chats(tx: Transaction) -> list[ChatId]:
            with_work = (chat_id for chat_id, _ in tx.tasks.chats_with_work())
            return [chat_id for chat_id in with_work if lifted.covers(tx.chats.get(chat_id).info.account_id, chat_id)]

        for chat_id in await self._unit.read(chats):
            self._on_due(chat_id, self._environment.now())

    def _show(self) -> None:
        self._bus.publish(HoldsChanged(self._all(), Revision(0)))

    def _all(self) -> tuple[Hold, ...]:
        in_memory = self._in_memory.hold
        return self._stored if in_memory is None else (*self._stored, in_memory)


def probe_write(tx: Transaction) -> None:
    """Write a row without changing it, so that the commit has to touch the disk."""
    tx.holds.put(Hold(HoldScope.CHAT, _PROBE, "probe", _EPOCH))
    tx.holds.release(HoldScope.CHAT, _PROBE)


def _probed(tx: Transaction) -> list[EngineEvent]:
    probe_write(tx)
    return []


def _put(tx: Transaction, *, new: Hold) -> tuple[None, list[EngineEvent]]:
    """Store a hold. A repeated hold gets the new reason but keeps its first beginning."""
    known = [hold.since for hold in tx.holds.all() if (hold.scope, hold.target) == (new.scope, new.target)]
    tx.holds.put(replace(new, since=min([*known, new.since])))
    return None, []
