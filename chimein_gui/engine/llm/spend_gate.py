"""The gate that every call of a model or embedder passes: what it may cost is reserved before it, and booked after it.

Without a cap nothing is stored before a call. See docs/behaviour.md, "Caps on costs". Functions that take a transaction
run on the writer thread.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.costs import DESCRIPTION, EMBED, EXTRACTION, PRICES, CallEnd, ModelCall, cost_usd
from chimein_gui.domain.errors import ModelCapError, NotFoundError
from chimein_gui.domain.events import ModelCallBooked
from chimein_gui.domain.notes import Note
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.spending.caps import (
    LARGEST_REPLY,
    Admission,
    Payer,
    Reservation,
    Verdict,
    verdict,
    without_price,
)
from chimein_gui.domain.text.tokens import BYTES_PER_TOKEN
from chimein_gui.engine.llm.gate import UnderWay
from chimein_gui.engine.ports import Durability

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, datetime

    from chimein_gui.domain.costs import Price
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.spending.caps import CapDay
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, Transaction

_log = logging.getLogger(__name__)

BACKGROUND = frozenset({EMBED, EXTRACTION, DESCRIPTION})
"""Purposes of calls that nobody waits for: they stop earlier, and ask nothing."""

LOOK_AGAIN_S = 20.0
"""A call that waits for others looks again after so long at the latest."""


def local_day(now: datetime) -> date:
    """Return the day of a moment in the operator's zone."""
    return now.astimezone().date()


class SpendGate:
    """Admits calls as far as the caps allow.

    Attributes:
        prices: What calls cost that begin or end from now on.
        has_caps: Whether there is any cap.
        under_way: Calls for which nothing is stored, by number.
    """

    def __init__(self, unit: UnitOfWork, bus: EventBus, clock: Clock) -> None:
        """Nothing is read before `load`."""
        self._unit, self._clock = unit, clock
        self.prices: tuple[Price, ...] = PRICES
        self.has_caps = False
        self.under_way: dict[int, UnderWay] = {}
        self._changes = 0
        self._waiting: set[asyncio.Future[None]] = set()
        self._bus = bus
        self._stop_hearing: Callable[[], object] | None = None

    async def load(self) -> None:
        """Read whether there are caps, and book the calls that a killed program had begun.

        Raises:
            StoreError: The database does not take writes.
        """

        def work(tx: Transaction) -> tuple[list[EngineEvent], bool]:
            for one in tx.spending.reservations():
                _book_lost(tx, one)
            return [], bool(tx.spending.caps())

        self._heed(has_caps=await self._unit.run(work, durability=Durability.NORMAL, wakes=False))

    @property
    def is_awaited(self) -> bool:
        """Return whether a call waits for others to end."""
        return bool(self._waiting)

    def changed(self, *, has_caps: bool) -> None:
        """Note that caps, or what was given to them, have changed."""
        self._heed(has_caps=has_caps)
        self._wake()

    def _heed(self, *, has_caps: bool) -> None:
        """Hear of booked calls only while there are caps: without any, a message has nothing to do here."""
        self.has_caps = has_caps
        if has_caps and self._stop_hearing is None:
            self._stop_hearing = self._bus.subscribe(self._booked, ModelCallBooked)
        elif not has_caps and self._stop_hearing is not None:
            self._stop_hearing()
            self._stop_hearing = None

    def problem(self, tx: Transaction, payer: Payer, model: str) -> Note | None:
        """Return why no plan can be made now, or None."""
        if not self.has_caps:
            return None
        day = local_day(self._clock.now())
        caps = tx.spending.day_of_caps(day, payer)
        if not caps or (payer.chat_id is not None and tx.spending.may_pass(payer.chat_id)):
            return None
        if cost_usd(model, Usage(), self.prices) is None and not tx.spending.is_lifted(day, without_price(model)):
            return Note(ModelFault.NO_PRICE, model)
        return next((reached(cap) for cap in caps if cap.is_reached), None)

    async def reserve(self, payer: Payer, model: str, purpose: str, prompt_tokens: int) -> int:
        """Reserve what a call may cost at most; waits while calls under way may use up what is left.

        Args:
            payer: For whom it is made.
            model: Model name.
            purpose: For the cost ledger; calls of `BACKGROUND` stop earlier and never wait.
            prompt_tokens: Tokens of the prompt, estimated.

        Returns:
            The number with which `end` ends it.

        Raises:
            ModelCapError: A cap is reached, or can't hold.
            StoreError: It could not be stored.
        """
        prompt_usd = cost_usd(model, Usage(prompt_tokens), self.prices)
        most_usd = self._most_usd(model, purpose, prompt_tokens)
        token, now = secrets.randbits(62) + 1, self._clock.now()
        wanted = Reservation(token, payer, model, purpose, now, prompt_tokens, most_usd, prompt_usd)
        while self.has_caps:
            seen = self._changes
            try:
                found, is_stored = await self._unit.run(
                    lambda tx: ([], self._decide(tx, wanted)), durability=Durability.NORMAL, wakes=False
                )
            except asyncio.CancelledError:
                self._unit.submit(lambda tx: _dropped(tx, token))  # it may be stored all the same
                raise
            if isinstance(found, Note):
                if purpose not in BACKGROUND:
                    _log.info("No call for a %s is made: a cap on costs is reached, or the model has no price", purpose)
                raise ModelCapError(found, found)
            if found:
                if not is_stored:
                    self.under_way[token] = UnderWay(payer, model, purpose, lambda: prompt_tokens)
                return token
            if seen == self._changes:
                await self._change()
        self.under_way[token] = UnderWay(payer, model, purpose, lambda: prompt_tokens)
        return token

    def end(self, token: int) -> int:
        """Note that a call has ended; returns the number under which it is to be booked, 0 if nothing is stored."""
        if self.under_way.pop(token, None) is not None:
            self._wake()
            return 0
        return token

    def _decide(self, tx: Transaction, wanted: Reservation) -> tuple[Note | bool, bool]:
        """Admit a call (True), refuse it, or let it wait (False); the second result says whether it was stored."""
        wanted = replace(wanted, payer=_with_agent(tx, wanted.payer))
        day, payer = local_day(self._clock.now()), wanted.payer
        caps = tuple(self._with_others(cap) for cap in tx.spending.day_of_caps(day, payer))
        if not caps:
            return True, False
        in_background = wanted.purpose in BACKGROUND
        passes = not in_background and payer.chat_id is not None and tx.spending.may_pass(payer.chat_id)
        if not passes:
            if wanted.prompt_usd is None and not tx.spending.is_lifted(day, without_price(wanted.model)):
                return Note(ModelFault.NO_PRICE, wanted.model), False
            found: Verdict = verdict(caps, wanted.usd, in_background=in_background)
            if found.admission is Admission.WAITS:
                return False, False
            if found.admission is Admission.REFUSED and found.cap is not None:
                return reached(found.cap), False
        tx.spending.reserve(wanted)
        return True, True

    def _with_others(self, cap: CapDay) -> CapDay:
        """Add the calls under way that began before there was a cap."""
        others = [one for one in tuple(self.under_way.values()) if cap.key in one.payer.keys]
        most_usd = sum(self._most_usd(one.model, one.purpose, one.tokens()) for one in others)
        return cap.with_under_way(most_usd, len(others))

    def _most_usd(self, model: str, purpose: str, prompt_tokens: int) -> float:
        """Return what a call may cost at most, if its prompt has so many estimated tokens; 0 without a price."""
        usage = Usage(prompt_tokens * BYTES_PER_TOKEN, 0 if purpose == EMBED else LARGEST_REPLY)
        return cost_usd(model, usage, self.prices) or 0.0

    async def _change(self) -> None:
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(waiting)
        try:
            with suppress(TimeoutError):
                async with self._clock.timeout(LOOK_AGAIN_S):
                    await waiting
        finally:
            self._waiting.discard(waiting)

    def _booked(self, _event: EngineEvent) -> None:
        self._wake()

    def _wake(self) -> None:
        self._changes += 1
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)


def reached(cap: CapDay) -> Note:
    """Return the note of a cap that is reached."""
    return Note(
        ModelFault.CAP_REACHED, cap.key.scope.value, round((cap.limit_usd or 0.0) * 1_000_000), more=cap.key.target
    )


def _with_agent(tx: Transaction, payer: Payer) -> Payer:
    """Return the payer with the agent of its chat."""
    if payer.agent_id is not None or payer.chat_id is None:
        return payer
    return replace(payer, agent_id=tx.chats.get(payer.chat_id).agent_id)


def _dropped(tx: Transaction, token: int) -> list[EngineEvent]:
    tx.spending.drop(token)
    return []


def _book_lost(tx: Transaction, lost: Reservation) -> None:
    """Book a call that a killed program had begun as one that was cancelled: with its prompt, which is estimated."""
    call = ModelCall(
        lost.model,
        lost.purpose,
        lost.began_at,
        0.0,
        CallEnd.CANCELLED,
        Usage(lost.prompt_tokens),
        estimated=True,
        cost_usd=lost.prompt_usd,
        reservation=lost.token,
    )
    chat_id = lost.payer.chat_id
    try:
        if chat_id is not None:
            tx.chats.get(chat_id)
    except NotFoundError:
        chat_id = None
    if chat_id is not None:
        tx.effects.book(chat_id, call)
    else:
        tx.effects.book_of_agent(lost.payer.agent_id, call)
