"""Fetches pages for the model (port `PageFetcher`); see docs/behaviour.md, "Web pages".

For each address and each redirect: text, agent's lists and host rules are checked, the name is resolved once, every
address it has is checked, and the connection is made to a checked one.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from typing import TYPE_CHECKING

from chimein_gui.adapters.web.hop import Hop, HopError, ask
from chimein_gui.adapters.web.rates import HostBusyError, Rates
from chimein_gui.adapters.web.reader import PageReader, UnreadablePageError
from chimein_gui.domain.retrieval import texts
from chimein_gui.domain.retrieval.addresses import WebAddress, read_address, read_redirect
from chimein_gui.domain.retrieval.host_lists import HostLists
from chimein_gui.domain.retrieval.ip_classes import refusal_of
from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.domain.retrieval.refusals import FetchFault, RefusalRule
from chimein_gui.domain.retrieval.robots import NO_ONE, Robots, read_robots
from chimein_gui.domain.retrieval.sources import packed

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.adapters.web.outside import Outside
    from chimein_gui.engine.ports import PagesWanted

FETCH_S = 10.0
"""Longest time for the addresses of one reply, in seconds."""

MOST_REDIRECTS = 10
CACHE_S = 300.0
ROBOTS_CACHE_S = 1_800.0
ROBOTS_S = 3.0
"""Longest wait for a host's robots.txt in seconds; without it the page is asked for."""

_NAME = "Chimein"
_MOST_CACHED, _MOST_ROBOTS, _MOST_PLACES, _AT_ONCE = 64, 500, 3, 16
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_TOO_OFTEN = frozenset({429, 503})
_OK, _SERVER_ERROR = 200, 500

_log = logging.getLogger(__name__)


class _RefusedError(Exception):
    def __init__(self, rule: RefusalRule) -> None:
        super().__init__(rule.value)
        self.rule = rule


@dataclass(slots=True)
class _Trip:
    """One address on its way through redirects.

    Attributes:
        lists: The hosts that the agent may look up.
        address: Where it is now.
        redirects: Status and target of each redirect.
        places: The checked addresses of the hosts, so that no name is resolved twice.
        status: Of the last answer.
        content_type: Of the last answer.
        answered_by: The checked address of the host that answered last.
    """

    lists: HostLists
    address: WebAddress
    redirects: list[tuple[int, str]] = field(default_factory=list)
    places: dict[str, tuple[str, ...]] = field(default_factory=dict)
    status: int | None = None
    content_type: str = ""
    answered_by: str = ""


class HttpPageFetcher:
    """Fetches over HTTP/1.1 and HTTP/2, without cookies, proxies and anything else from the environment."""

    def __init__(self, outside: Outside, now: Callable[[], datetime], *, fetch_s: float = FETCH_S) -> None:
        """Create the fetcher; nothing is opened yet.

        Args:
            outside: How the web is reached.
            now: The time, aware UTC.
            fetch_s: Longest time for the addresses of one reply, in seconds.
        """
        self._outside, self._now, self._fetch_s = outside, now, fetch_s
        self.reader = PageReader()
        self._rates = Rates()
        self._at_once = asyncio.Semaphore(_AT_ONCE)
        self._tls: ssl.SSLContext | None = None
        self._tls_lock = asyncio.Lock()
        self._pages: dict[tuple[str, HostLists, bool], tuple[float, PageFetched]] = {}
        self._robots: dict[str, tuple[float, Robots]] = {}

    async def fetch(self, wanted: PagesWanted) -> tuple[PageFetched, ...]:
        deadline = asyncio.get_running_loop().time() + self._fetch_s
        return tuple(await asyncio.gather(*(self._page(one, wanted, deadline) for one in wanted.addresses)))

    async def aclose(self) -> None:
        await self.reader.aclose()

    async def _page(self, text: str, wanted: PagesWanted, deadline: float) -> PageFetched:
        began_at, began = self._now(), asyncio.get_running_loop().time()
        page = PageFetched(text, text, began_at, 0.0, wanted.round)
        address = read_address(text)
        if isinstance(address, RefusalRule):
            return _refused(page, address)
        key = address.url, wanted.lists, wanted.raw
        cached = self._pages.get(key)
        if cached is not None and cached[0] > began:
            return replace(
                cached[1], requested=text, began_at=began_at, round=wanted.round, took_s=0.0, from_cache=True
            )
        trip = _Trip(wanted.lists, address)
        try:
            async with asyncio.timeout_at(deadline), self._at_once:
                page = await self._read(page, trip, await self._follow(trip), raw=wanted.raw)
        except _RefusedError as error:
            page = _refused(_travelled(page, trip), error.rule)
        except HopError as error:
            page = _failed(_travelled(page, trip), error.fault)
        except HostBusyError:
            page = _failed(_travelled(page, trip), FetchFault.BUSY)
        except TimeoutError:
            page = _failed(_travelled(page, trip), FetchFault.TIMED_OUT)
        except Exception:  # noqa: BLE001 - a page must not cost the plan
            _log.exception("Fetching a page failed unexpectedly")
            page = _failed(_travelled(page, trip), FetchFault.BROKEN)
        ended = asyncio.get_running_loop().time()
        page = replace(page, took_s=max(0.0, ended - began))
        if page.refusal is None and page.error is None:
            self._keep(key, ended, page)
        return page

    async def _follow(self, trip: _Trip, *, for_robots: bool = False) -> Hop:
        """Ask for an address and follow its redirects; the first answer that is none is returned."""
        while True:
            hop = await self._hop(trip, for_robots=for_robots)
            trip.status, trip.content_type = hop.status, hop.content_type
            if hop.status in _TOO_OFTEN and not for_robots:
                self._rates.pause(trip.address.host, hop.retry_after)
            if hop.status not in _REDIRECTS:
                return hop
            if len(trip.redirects) >= MOST_REDIRECTS:
                raise _RefusedError(RefusalRule.REDIRECTS)
            target = read_redirect(trip.address, hop.location)
            shown = hop.location[:500] if isinstance(target, RefusalRule) else target.url
            trip.redirects.append((hop.status, shown))
            if isinstance(target, RefusalRule):
                raise _RefusedError(target)
            trip.address = target

    async def _hop(self, trip: _Trip, *, for_robots: bool) -> Hop:
        address = trip.address
        denied = trip.lists.refusal_of(address)
        if denied is not None:
            raise _RefusedError(denied)
        places = trip.places.get(address.host)
        if places is None:
            places = trip.places[address.host] = await self._checked(address)
        delay_s = 0.0
        if not for_robots:
            robots = await self._robots_of(trip)
            if not robots.allows(address.url[len(address.origin) :]):
                raise _RefusedError(RefusalRule.ROBOTS)
            delay_s = robots.delay_s
        await self._rates.turn(address.host, delay_s)
        tls = await self._context() if address.scheme == "https" else None
        for number, place in enumerate(places, 1):
            try:
                real = self._outside.place_of((place, address.port))
                hop = await ask(address, real, tls, reads_any=for_robots)
            except (HopError, OSError) as error:
                fault = error.fault if isinstance(error, HopError) else FetchFault.NOT_REACHED
                if fault is not FetchFault.NOT_REACHED or number == len(places):
                    raise HopError(fault) from error
            else:
                trip.answered_by = place
                return hop
        raise HopError(FetchFault.NO_SUCH_HOST)

    async def _checked(self, address: WebAddress) -> tuple[str, ...]:
        """Return the addresses of a host, each of them checked; they are never asked for again on this trip."""
        if address.ip is not None:
            found: tuple[str, ...] = (str(address.ip),)
        else:
            try:
                found = await self._outside.resolve(address.host)
            except (OSError, UnicodeError) as error:
                raise HopError(FetchFault.NO_SUCH_HOST) from error
        for one in found:
            try:
                rule = refusal_of(ip_address(one))
            except ValueError:
                rule = RefusalRule.UNREADABLE
            if rule is not None:
                raise _RefusedError(rule)
        return found[:_MOST_PLACES]

    async def _robots_of(self, trip: _Trip) -> Robots:
        origin, now = trip.address.origin, asyncio.get_running_loop().time()
        known = self._robots.get(origin)
        if known is not None and known[0] > now:
            return known[1]
        address = read_address(f"{origin}/robots.txt")
        if isinstance(address, RefusalRule):
            return Robots()
        found = Robots()
        try:
            async with asyncio.timeout(ROBOTS_S):
                hop = await self._follow(_Trip(trip.lists, address, places=trip.places), for_robots=True)
            if hop.status == _OK:
                text = hop.body.decode("utf-8", "replace")
                found = await asyncio.to_thread(read_robots, text, _NAME)
            elif hop.status >= _SERVER_ERROR:
                found = NO_ONE
        except (HopError, HostBusyError, _RefusedError, TimeoutError) as error:
            _log.info("The rules of a host for programs can't be had: %s", error or type(error).__name__)
        self._robots[origin] = (now + ROBOTS_CACHE_S, found)
        while len(self._robots) > _MOST_ROBOTS:
            del self._robots[next(iter(self._robots))]
        return found

    async def _read(self, page: PageFetched, trip: _Trip, hop: Hop, *, raw: bool) -> PageFetched:
        page = replace(_travelled(page, trip), size=len(hop.body), is_cut=hop.is_cut, is_part=hop.is_cut)
        if hop.status != _OK:
            return _failed(page, FetchFault.STATUS)
        if not hop.is_html:
            text = texts.not_html(hop.content_type)
            return replace(page, error=FetchFault.NOT_HTML, text=text, used_chars=len(text))
        try:
            read = await self.reader.read(hop.body, hop.charset, trip.address.url, raw=raw)
        except UnreadablePageError:
            return _failed(page, FetchFault.UNREADABLE)
        if not read.text or not read.text.strip():
            return _failed(page, FetchFault.NO_TEXT)
        text, is_cut = texts.cut(read.text)
        source = await asyncio.to_thread(packed, read.source)
        return replace(page, text=text, used_chars=len(text), is_cut=page.is_cut or is_cut, source=source)

    async def _context(self) -> ssl.SSLContext:
        """Return the context for TLS, which takes some time to make: off the loop, once."""
        async with self._tls_lock:
            if self._tls is None:
                self._tls = await asyncio.to_thread(self._outside.tls)
            return self._tls

    def _keep(self, key: tuple[str, HostLists, bool], now: float, page: PageFetched) -> None:
        self._pages = {one: kept for one, kept in self._pages.items() if kept[0] > now}
        while len(self._pages) >= _MOST_CACHED:
            del self._pages[next(iter(self._pages))]
        self._pages[key] = (now + CACHE_S, page)


def _travelled(page: PageFetched, trip: _Trip) -> PageFetched:
    return replace(
        page,
        final=trip.address.url,
        status=trip.status,
        redirects=tuple(trip.redirects),
        content_type=trip.content_type,
        address=trip.answered_by,
    )


def _refused(page: PageFetched, rule: RefusalRule) -> PageFetched:
    text = texts.refused(rule)
    return replace(page, refusal=rule, text=text, used_chars=len(text))


def _failed(page: PageFetched, fault: FetchFault) -> PageFetched:
    text = texts.failed(fault, page.status)
    return replace(page, error=fault, text=text, used_chars=len(text))
