"""Carries out orders to forget a person. An order is stored first, so that a killed program goes on with it.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

import logging
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ChimeinError, RefusedError, note_of
from chimein_gui.domain.events import ChatChanged, PersonForgotten
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.tasks import CancelReason
from chimein_gui.engine.accounts.account_switch import end_chat
from chimein_gui.engine.core.event_bus import FaultLine
from chimein_gui.engine.people.finding import find_person
from chimein_gui.engine.ports import Durability, ForgetRequest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from contextlib import AbstractAsyncContextManager

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId, PeerId
    from chimein_gui.domain.people.holdings import Person
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.operator.holds import Holds
    from chimein_gui.engine.people.holdings import Holding
    from chimein_gui.engine.ports import Clock, Store, Transaction

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What else has to do with a person.

    Attributes:
        flush_prompts: Stores the prompts that wait to be stored.
        stop_planning: Ends the making of a reply in a chat.
        forget_caches: Drops what is kept in memory.
        compact_index: Removes what the index of memories still has of a person.
        writing_memories: Returns the lock of those who write memories.
    """

    flush_prompts: Callable[[], Awaitable[None]]
    stop_planning: Callable[[ChatId], object]
    forget_caches: Callable[[], object]
    compact_index: Callable[[PeerId], Awaitable[None]]
    writing_memories: Callable[[], AbstractAsyncContextManager[object]] = nullcontext


class Forgetting:
    """Forgets people, one at a time."""

    def __init__(
        self,
        store: Store,
        unit: UnitOfWork,
        bus: EventBus,
        holds: Holds,
        holdings: Sequence[Holding],
        surroundings: Surroundings,
        clock: Clock,
    ) -> None:
        """Create the service.

        Args:
            store: The database.
            unit: The same, for changes with events.
            bus: Receives faults.
            holds: Holds the chats meanwhile.
            holdings: The kinds of data, in the order in which they are forgotten.
            surroundings: What else has to do with a person.
            clock: Time.
        """
        self._store, self._unit, self._bus, self._holds = store, unit, bus, holds
        self._holdings, self._surroundings, self._clock = holdings, surroundings, clock
        self._fault = FaultLine(bus, "forgetting", FaultReason.FORGETTING_WAITS)

    async def forget(self, person: PeerId, *, never: bool = False) -> None:
        """Forget a person. What is in Telegram stays there.

        Args:
            person: The number at Telegram.
            never: No agent shall be proposed a memory of the person any more; this is stored with the order.

        Raises:
            RefusedError: Something of the person's chats is being sent, and nothing has changed; or it could not be
                completed: then it goes on at the next start, or with another call.
            StoreError: The order could not be stored, and nothing has changed.
        """
        found = await find_person(self._store, person)
        held = {hold.target for hold in (await self._holds.load()).rows if hold.scope is HoldScope.CHAT}
        order = ForgetRequest(person, tuple(c.chat_id for c in found.direct if c.chat_id not in held), found.names)

        def store_order(tx: Transaction) -> list[EngineEvent]:
            _refuse_if_sending(tx, found)
            tx.people.request(order)
            for agent in tx.agents.all() if never else ():
                tx.proposals.set_never(agent.agent_id, person, self._clock.now())
            return []

        await self._unit.apply(store_order)
        await self._execute(person)

    async def resume(self) -> None:
        """Go on with the orders that an earlier run has left."""
        for order in await self._store.read(lambda tx: tx.people.requests()):
            try:
                await self._execute(order.person)
            except ChimeinError as error:
                _log.info("A person could not be forgotten yet: %s", type(error).__name__)

    async def _execute(self, person: PeerId) -> None:
        order = next(one for one in await self._store.read(lambda tx: tx.people.requests()) if one.person == person)
        found = await find_person(self._store, person)
        found = found.with_groups(found.groups, order.names)
        for chat in found.direct:
            await self._holds.hold(HoldScope.CHAT, chat.chat_id)
        try:
            await self._unit.apply(lambda tx: _begin(tx, found))
        except RefusedError:
            await self._end(order, None)
            raise
        try:
            await self._remove(found)
        except (ChimeinError, OSError) as error:
            self._fault.show(Note(FaultReason.FORGETTING_STOPPED, cause=note_of(error)))
            raise RefusedError(Note(FaultReason.FORGETTING_STOPPED, cause=note_of(error))) from error
        self._fault.clear()
        await self._end(order, found)

    async def _remove(self, found: Person) -> None:
        around = self._surroundings
        for chat in found.direct:
            around.stop_planning(chat.chat_id)
        await around.flush_prompts()
        async with around.writing_memories():
            for holding in self._holdings:
                await holding.forget(found)
                chats = tuple(chat.chat_id for chat in (*found.direct, *found.groups))
        await self._store.transact(lambda tx: _last(tx, found, chats))
        around.forget_caches()
        await around.compact_index(found.person)
        await self._store.compact()

    async def _end(self, order: ForgetRequest, forgotten: Person | None) -> None:
        """Release the chats and remove the order; None if nothing was forgotten."""

        def end(tx: Transaction) -> list[EngineEvent]:
            tx.people.end_request(order.person)
            if forgotten is None:
                return []
            direct, groups = (tuple(one.chat_id for one in chats) for chats in (forgotten.direct, forgotten.groups))
            changed = [ChatChanged(tx.chats.get(chat_id), tx.revision) for chat_id in direct]
            return [PersonForgotten(order.person, direct, groups, tx.revision), *changed]

        for chat_id in order.held:
            await self._holds.release(HoldScope.CHAT, chat_id)
        await self._unit.apply(end, durability=Durability.FULL)


def _refuse_if_sending(tx: Transaction, found: Person) -> None:
    for chat in found.direct:
        if tx.people.is_on_its_way(chat.chat_id):
            raise RefusedError(Note(FaultReason.PERSON_BEING_SENT, chat.title))


def _last(tx: Transaction, found: Person, chats: tuple[ChatId, ...]) -> None:
    """Remove what the order itself says; all the rest is gone."""
    tx.people.clear_search(chats)
    tx.people.forget_names(found.person)


def _begin(tx: Transaction, found: Person) -> list[EngineEvent]:
    """End the open work of the chats, and keep what Telegram still has from coming back."""
    _refuse_if_sending(tx, found)
    events: list[EngineEvent] = []
    for chat in found.direct:
        events += end_chat(tx, chat.chat_id, CancelReason.FORGOTTEN).events
    for chat in (*found.direct, *found.groups):
        tx.people.note_forgotten(chat.chat_id, found.person)
    return events
