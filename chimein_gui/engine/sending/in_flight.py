"""Requests in flight: handed over, and not answered yet."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chimein_gui.domain.ids import AccountId, ChatId
    from chimein_gui.engine.ports import Clock, TelegramGateway


@dataclass(frozen=True, slots=True)
class _Flight:
    account_id: AccountId
    chat_id: ChatId
    gateway: TelegramGateway


class InFlightRequests:
    """Tracks the requests in flight."""

    def __init__(self, clock: Clock) -> None:
        """Create the service without any requests."""
        self._clock = clock
        self._flights: dict[int, _Flight] = {}
        self._numbers = itertools.count()
        self._landed = asyncio.Event()

    @contextmanager
    def track(self, account_id: AccountId, chat_id: ChatId, gateway: TelegramGateway) -> Iterator[None]:
        """Count a request while its answer is awaited."""
        number = next(self._numbers)
        self._flights[number] = _Flight(account_id, chat_id, gateway)
        try:
            yield
        finally:
            del self._flights[number]
            self._landed.set()

    def any_of(self, covers: Callable[[AccountId, ChatId], bool]) -> bool:
        """Return whether a covered request is in flight."""
        return bool(self._covered(covers))

    async def wait_idle(self, covers: Callable[[AccountId, ChatId], bool], seconds: float) -> bool:
        """Wait at most `seconds` until no covered request is in flight; returns whether none is."""
        try:
            async with self._clock.timeout(seconds):
                while self._covered(covers):
                    self._landed.clear()
                    await self._landed.wait()
        except TimeoutError:
            return False
        return True

    async def drop(self, covers: Callable[[AccountId, ChatId], bool]) -> None:
        """Close the connections of covered requests, so that nothing queued is sent; their outcome is unknown."""
        gateways = {id(flight.gateway): flight.gateway for flight in self._covered(covers)}
        for gateway in gateways.values():
            await gateway.disconnect()

    def _covered(self, covers: Callable[[AccountId, ChatId], bool]) -> list[_Flight]:
        return [flight for flight in self._flights.values() if covers(flight.account_id, flight.chat_id)]
