"""The fictitious web on two ports of 127.0.0.1, one for http and one for https."""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

from chimein_gui.sandbox.connections import Connections
from chimein_gui.sandbox.http.connection import HttpConnection
from chimein_gui.sandbox.http.messages import Answer, RawAnswer, Request
from chimein_gui.sandbox.web import deceptive, heavy, ordinary, redirects
from chimein_gui.sandbox.web.certificates import Certificates
from chimein_gui.sandbox.web.names import HOSTS, Names, public_addresses
from chimein_gui.sandbox.web.pages import HTML, Page, document

HTTP_PORT = 80
HTTPS_PORT = 443

HostPort = tuple[str, int]


class SandboxWeb:
    """Serves the pages of the catalogue, and provides the addresses to reach them.

    The product's fetcher uses `resolve` as its resolver and `address_map` below its address check, so that it checks
    203.0.113.x and connects to 127.0.0.1.
    """

    def __init__(self) -> None:
        self._names = Names()
        self._certificates = Certificates(HOSTS)
        self._plain = Connections()
        self._secure = Connections()
        self._map: Mapping[HostPort, HostPort] = MappingProxyType({})

    async def start(self, host: str, http_port: int = 0, https_port: int = 0) -> tuple[int, int]:
        """Listen, and return the ports of http and https."""
        context = self._certificates.server_context()
        plain = await self._plain.listen(_serve, host, http_port)
        secure = await self._secure.listen(_serve, host, https_port, tls=context)
        self._map = MappingProxyType(address_map(host, plain, secure))
        return plain, secure

    async def aclose(self) -> None:
        """Stop listening and cancel the requests in progress."""
        await self._plain.aclose()
        await self._secure.aclose()

    def resolve(self, host: str) -> str:
        """Return the address of a fictitious host: in 203.0.113.0/24, or a private one for some hostile hosts.

        Raises:
            socket.gaierror: If there is no such host.
        """
        return self._names.resolve(host)

    @property
    def address_map(self) -> Mapping[HostPort, HostPort]:
        """Map each (address, port) of a fictitious host to the real one; others can't be reached."""
        return self._map

    def authority_pem(self) -> str:
        """Return the certificate to trust for these hosts only; created at the first call (0.1 s)."""
        return self._certificates.authority_pem()


def address_map(host: str, http_port: int, https_port: int) -> dict[HostPort, HostPort]:
    """Map all public addresses of fictitious hosts to the two ports; also for a client in another process."""
    real = {HTTP_PORT: http_port, HTTPS_PORT: https_port}
    return {(address, port): (host, mine) for address in public_addresses() for port, mine in real.items()}


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await HttpConnection(reader, writer, answer).serve()


PAGES: tuple[Page, ...] = (*ordinary.PAGES, *redirects.PAGES, *heavy.PAGES, *deceptive.PAGES)
"""All pages, ordinary ones first; each has a stable address and a summary of one line."""

_BY_PLACE: Mapping[tuple[str, str], Page] = MappingProxyType({page.place: page for page in PAGES})

_MISSING = Answer(404, (("Content-Type", HTML),), document("Not found", "<p>There is no such page.</p>"))
_NOT_HERE = Answer(421, (("Content-Type", HTML),), document("Misdirected", "<p>There is no such host here.</p>"))
_READ_ONLY = Answer(405, (("Allow", "GET, HEAD"),), b"")


async def answer(request: Request) -> Answer | RawAnswer:
    """Answer a request as the host in its Host header."""
    host = request.headers.get("host", "").partition(":")[0].lower()
    if host not in HOSTS:
        return _NOT_HERE
    page = _BY_PLACE.get((host, urlsplit(request.target).path))
    if page is None:
        return _MISSING
    return page.make(request) if request.method in {"GET", "HEAD"} else _READ_ONLY
