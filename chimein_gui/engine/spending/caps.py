"""The operator's caps on costs, and the answers to a cap that is reached.

A plan that a cap stops keeps its unanswered messages; it is made after the release, or after midnight. See
docs/behaviour.md, "Caps on costs". Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.events import CapsChanged, PreferencesChanged
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.spending.caps import (
    MOST_USD,
    STEP_USD,
    CapDay,
    CapKey,
    CapScope,
    Payer,
    Release,
    without_price,
)
from chimein_gui.engine.llm.spend_gate import local_day
from chimein_gui.engine.planning.lifecycle import let_cap_waiters_go, waiters_for_caps

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.llm.spend_gate import SpendGate
    from chimein_gui.engine.ports import Clock, Spawn, Transaction


T = TypeVar("T")


class Caps:
    """Lists and changes caps, and releases what they have stopped."""

    def __init__(
        self,
        unit: UnitOfWork,
        bus: EventBus,
        clock: Clock,
        spawn: Spawn,
        gate: SpendGate,
        on_due: Callable[[ChatId, datetime], None],
    ) -> None:
        """Create the service.

        Args:
            unit: The database.
            bus: Tells of new prices.
            clock: Time.
            spawn: Starts owned jobs.
            gate: Admits calls.
            on_due: Called with chats whose plans may be made now.
        """
        self._unit, self._clock, self._spawn, self._gate, self._on_due = unit, clock, spawn, gate, on_due
        self._prices = gate.prices
        bus.subscribe(self._preferences_changed, PreferencesChanged)

    async def standings(self) -> tuple[CapDay, ...]:
        """Return the caps on the current day, the widest first, and the models without a price that plans wait for.

        Such a model has a key of its own and a cap of 0.

        Raises:
            StoreError: They could not be read.
        """
        return await self._unit.read(lambda tx: _standings(tx, self._clock.now()))

    async def set_cap(self, key: CapKey, usd: float | None) -> float | None:
        """Set or remove a cap; plans that fit now are made. Returns the cap before.

        Args:
            key: What it is for.
            usd: US dollars a day, not below 0; None removes it.

        Raises:
            RefusedError: The amount can't be a cap.
            StoreError: Nothing is stored.
        """
        if key.scope is CapScope.MODEL or (usd is not None and not (math.isfinite(usd) and 0 <= usd <= MOST_USD)):
            raise RefusedError(Note(Reason.NO_CAP))

        def work(tx: Transaction) -> float | None:
            return tx.spending.set_cap(key, usd)

        return await self._change(work)

    async def release(self, key: CapKey, answer: Release, usd: float = STEP_USD) -> None:
        """Answer a cap that is reached, for the current day.

        Args:
            key: Which cap, or `without_price` of a model.
            answer: What is to be done.
            usd: What `Release.ADD` adds, in US dollars; it can't be below 0.

        Raises:
            RefusedError: The amount can't be added.
            StoreError: Nothing is stored.
        """
        if not (math.isfinite(usd) and 0 <= usd <= MOST_USD):
            raise RefusedError(Note(Reason.NO_CAP))

        def work(tx: Transaction) -> None:
            day = local_day(self._clock.now())
            if answer is Release.ONCE:
                for chat in _waiting_for(tx, key):
                    tx.spending.let_pass(chat.chat_id)
                return
            lifts = answer is Release.UNTIL_MIDNIGHT or (answer is Release.ADD and key.scope is CapScope.MODEL)
            added_usd = usd if answer is Release.ADD and not lifts else 0.0
            is_quiet = answer is Release.KEEP_PAUSED
            tx.spending.release(day, key, added_usd=added_usd, is_lifted=lifts, is_quiet=is_quiet)

        await self._change(work, wakes=answer is not Release.KEEP_PAUSED)

    async def begin_day(self) -> None:
        """Let those plans go that an earlier day stopped.

        Raises:
            StoreError: The database can't be written.
        """
        await self._change(lambda _tx: None)

    async def _change(self, work: Callable[[Transaction], T], *, wakes: bool = True) -> T:
        now = self._clock.now()

        def whole(tx: Transaction) -> tuple[list[EngineEvent], tuple[T, bool, tuple[ChatId, ...]]]:
            result = work(tx)
            chats = let_cap_waiters_go(tx, now) if wakes else ()
            return [CapsChanged(tx.revision)], (result, bool(tx.spending.caps()), chats)

        result, has_caps, chats = await self._unit.run(whole, wakes=False)
        self._gate.changed(has_caps=has_caps)
        for chat_id in chats:
            self._on_due(chat_id, now)
        return result

    def _preferences_changed(self, event: EngineEvent) -> None:
        """Make the plans that waited for a price."""
        if isinstance(event, PreferencesChanged) and event.preferences.prices != self._prices:
            self._prices = event.preferences.prices
            self._spawn(self._change(lambda _tx: None), name="plans that waited for a price")


def _standings(tx: Transaction, now: datetime) -> tuple[CapDay, ...]:
    day = local_day(now)
    caps = {cap.key: cap for cap in tx.spending.day_of_caps(day)}
    waiting: Counter[CapKey] = Counter()
    for chat, _ in waiters_for_caps(tx):
        key = _key_of(chat)
        if key is not None:
            waiting[key] += 1
    models = [
        CapDay(key, 0.0, is_quiet=tx.spending.is_quiet(day, key)) for key in waiting if key.scope is CapScope.MODEL
    ]
    return tuple(replace(cap, waiting=waiting[cap.key]) for cap in (*caps.values(), *models))


def _key_of(chat: Chat) -> CapKey | None:
    """Return what a chat's plan waits for."""
    fault = chat.planning_problem.fault if chat.planning_problem is not None else None
    if fault is None:
        return None
    if fault.kind is ModelFault.NO_PRICE:
        return without_price(fault.words)
    return CapKey(CapScope(fault.words), fault.more) if fault.kind is ModelFault.CAP_REACHED else None


def _waiting_for(tx: Transaction, key: CapKey) -> list[Chat]:
    """Return the chats whose plans wait for a cap, or for a model's price."""
    return [
        chat
        for chat, _ in waiters_for_caps(tx)
        if _key_of(chat) == key or key in Payer(chat.agent_id, chat.chat_id).keys
    ]
