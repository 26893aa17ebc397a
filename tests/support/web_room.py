"""A fetcher in front of the made-up web, and all connections that this process makes meanwhile."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from chimein_gui.adapters.web.fetcher import HttpPageFetcher
from chimein_gui.adapters.web.outside import made_up_web
from chimein_gui.domain.retrieval.host_lists import HostLists
from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.engine.ports import PagesWanted
from chimein_gui.sandbox.web.server import SandboxWeb

_NOTHING = HostLists()
_heard: list[list[tuple[str, Any]]] = []
_is_hooked = False


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _heard and event in {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"}:
        for one in _heard:
            one.append((event, arguments))


@dataclass
class WebRoom:
    """What a test of the fetcher needs.

    Attributes:
        web: The made-up web.
        fetcher: In front of it.
        resolved: Names that were resolved, with the answer.
        events: What this process asked of sockets and resolvers.
    """

    web: SandboxWeb
    fetcher: HttpPageFetcher
    resolved: list[tuple[str, str]] = field(default_factory=list)
    events: list[tuple[str, Any]] = field(default_factory=list)

    async def fetch(self, *addresses: str, lists: HostLists = _NOTHING, raw: bool = False) -> tuple[PageFetched, ...]:
        return await self.fetcher.fetch(PagesWanted(addresses, 1, lists, raw))

    async def one(self, address: str, **options: Any) -> PageFetched:
        (page,) = await self.fetch(address, **options)
        return page

    @property
    def connected(self) -> list[Any]:
        """The places to which connections were begun, in order."""
        return [arguments[1] for event, arguments in self.events if event == "socket.connect"]

    @property
    def lookups(self) -> list[Any]:
        """What was asked of the system's resolver."""
        return [arguments for event, arguments in self.events if event not in {"socket.connect"}]


@asynccontextmanager
async def web_room(*, fetch_s: float = 10.0) -> AsyncIterator[WebRoom]:
    global _is_hooked  # noqa: PLW0603 - a hook can't be taken away again
    if not _is_hooked:
        sys.addaudithook(_hook)
        _is_hooked = True
    web = SandboxWeb()
    await web.start("127.0.0.1")
    resolved: list[tuple[str, str]] = []

    def resolve(host: str) -> str:
        answer = web.resolve(host)
        resolved.append((host, answer))
        return answer

    outside = made_up_web(resolve, lambda: web.address_map, web.authority_pem)
    fetcher = HttpPageFetcher(outside, lambda: datetime(2026, 11, 29, 12, 0, tzinfo=UTC), fetch_s=fetch_s)
    room = WebRoom(web, fetcher, resolved)
    _heard.append(room.events)
    try:
        yield room
    finally:
        _heard.remove(room.events)
        await fetcher.aclose()
        await web.aclose()
