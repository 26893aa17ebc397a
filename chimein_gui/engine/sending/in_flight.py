"""Requests in flight: handed over, and not answered yet."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.ids import AccountId, ChatId
    from chimein_gui.engine.ports import Clock, TelegramGateway


class InFlightRequest:
    """A block in which the answer to one request is awaited; see `InFlightRequests.track`."""

    __slots__ = ("_requests", "account_id", "chat_id", "gateway")

    def __init__(
        self, requests: InFlightRequests, account_id: AccountId, chat_id: ChatId, gateway: TelegramGateway
    ) -> None:
        self._requests, self.account_id, self.chat_id, self.gateway = requests, account_id, chat_id, gateway

    def __enter__(self) -> None:
        self._requests.add(self)

    def __exit__(self, *_error: object) -> None:
        self._requests.remove(self)


class InFlightRequests:
    """Tracks the requests in flight."""

    def __init__(self, clock: Clock) -> None:
        """Create the service without any requests."""
        self._clock = clock
        self._tracked: dict[InFlightRequest, None] = {}
        self._ended = asyncio.Event()

    def track(self, account_id: AccountId, chat_id: ChatId, gateway: TelegramGateway) -> InFlightRequest:
        """Return the block that counts a request while its answer is awaited."""
        return InFlightRequest(self, account_id, chat_id, gateway)

    def add(self, request: InFlightRequest) -> None:
        """Count a request."""
        self._tracked[request] = None

    def remove(self, request: InFlightRequest) -> None:
        """Count it no longer."""
        del self._tracked[request]
        self._ended.set()

    def any_of(self, covers: Callable[[AccountId, ChatId], bool]) -> bool:
        """Return whether a covered request is in flight."""
        return bool(self._covered(covers))

    async def wait_idle(self, covers: Callable[[AccountId, ChatId], bool], seconds: float) -> bool:
        """Wait at most `seconds` until no covered request is in flight; returns whether none is."""
        try:
            async with self._clock.timeout(seconds):
                while self._covered(covers):
                    self._ended.clear()
                    await self._ended.wait()
        except TimeoutError:
            return False
        return True

    async def drop(self, covers: Callable[[AccountId, ChatId], bool]) -> None:
        """Close the connections of covered requests, so that nothing queued is sent; their outcome is unknown."""
        gateways = {id(request.gateway): request.gateway for request in self._covered(covers)}
        for gateway in gateways.values():
            await gateway.disconnect()

    def _covered(self, covers: Callable[[AccountId, ChatId], bool]) -> list[InFlightRequest]:
        return [request for request in self._tracked if covers(request.account_id, request.chat_id)]
