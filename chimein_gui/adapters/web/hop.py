"""One request for a page: a connection of its own to a checked address, and a bounded answer."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

import httpcore2
import httpx2

from chimein_gui.adapters.web.pinned import PinnedBackend
from chimein_gui.domain.retrieval.addresses import authority
from chimein_gui.domain.retrieval.refusals import FetchFault

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from chimein_gui.adapters.web.outside import HostPort
    from chimein_gui.domain.retrieval.addresses import WebAddress

MOST_BYTES = 5_000_000
"""Most bytes of a page that are read, counted as they come and again after decompression."""

USER_AGENT = "Mozilla/5.0 (compatible; Chimein)"

_HAS_HTTP_2 = find_spec("h2") is not None
"""httpcore2 would offer what it can't speak without it."""

_ENCODINGS = {"", "identity", "gzip", "x-gzip", "deflate"}
_HEADERS = (
    ("User-Agent", USER_AGENT),
    ("Accept", "text/html, application/xhtml+xml"),
    ("Accept-Encoding", "gzip, deflate"),
)


class HopError(Exception):
    """There was no usable answer."""

    def __init__(self, fault: FetchFault) -> None:
        """`fault` says why."""
        super().__init__(fault.value)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Hop:
    """An answer.

    Attributes:
        status: Such as 200.
        location: The target of a redirect, as it was sent; or empty.
        content_type: As it was sent; or empty.
        retry_after: As it was sent; or empty.
        body: What was read of it, decompressed; empty where it was not asked for.
        is_cut: There was more.
    """

    status: int
    location: str
    content_type: str
    retry_after: str
    body: bytes = b""
    is_cut: bool = False

    @property
    def is_html(self) -> bool:
        """Return whether it says that it is HTML."""
        kind = self.content_type.partition(";")[0].strip().lower()
        return kind in {"text/html", "application/xhtml+xml"}

    @property
    def charset(self) -> str:
        """Return the charset that it names, or an empty string."""
        for part in self.content_type.split(";")[1:]:
            name, _, value = part.partition("=")
            if name.strip().lower() == "charset":
                return value.strip().strip("'\"").strip()
        return ""


async def ask(address: WebAddress, place: HostPort, tls: ssl.SSLContext | None, *, reads_any: bool = False) -> Hop:
    """Ask for a page on a connection of its own. It may take for ever: the caller sets a time limit.

    Args:
        address: What is asked for.
        place: The checked address and port, to which the connection is made.
        tls: For https.
        reads_any: Read the body also where it is not HTML.

    Raises:
        HopError: There was no usable answer.
    """
    origin = httpcore2.Origin(address.scheme.encode(), address.host.encode(), address.port)
    connection = httpcore2.AsyncHTTPConnection(
        origin, ssl_context=tls, http1=True, http2=_HAS_HTTP_2, network_backend=PinnedBackend(place)
    )
    target = address.url[len(address.origin) :]
    host = authority(address.scheme, address.host, address.port)
    headers = [(b"Host", host.encode()), *((name.encode(), value.encode()) for name, value in _HEADERS)]
    url = httpcore2.URL(
        scheme=address.scheme.encode(), host=address.host.encode(), port=address.port, target=target.encode()
    )
    try:
        response = await connection.handle_async_request(httpcore2.Request("GET", url, headers=headers))
        return await _read(httpx2.Headers(response.headers), response, reads_any=reads_any)
    except (httpcore2.ProtocolError, httpx2.DecodingError, httpx2.StreamError) as error:
        raise HopError(FetchFault.BROKEN) from error
    except httpcore2.ConnectError as error:
        raise HopError(FetchFault.TLS if _is_tls(error) else FetchFault.NOT_REACHED) from error
    except (httpcore2.NetworkError, httpcore2.TimeoutException, OSError) as error:
        raise HopError(FetchFault.BROKEN) from error
    finally:
        await connection.aclose()


async def _read(headers: httpx2.Headers, response: httpcore2.Response, *, reads_any: bool) -> Hop:
    def said(name: str) -> str:
        return headers.get(name, "")[:4_096]

    head = Hop(response.status, said("location"), said("content-type")[:200], said("retry-after")[:100])
    if response.status != 200 or not (head.is_html or reads_any):
        return head
    if said("content-encoding").strip().lower() not in _ENCODINGS:
        raise HopError(FetchFault.BROKEN)  # which was not offered; twice compressed is among it
    body, is_cut = await _bounded(headers, response)
    return Hop(head.status, head.location, head.content_type, head.retry_after, body, is_cut)


async def _bounded(headers: httpx2.Headers, response: httpcore2.Response) -> tuple[bytes, bool]:
    """Read a body until its end or the limit: what comes over the wire is counted, and what comes out of it."""
    parts, size = [], 0
    unpacked = httpx2.Response(200, headers=headers, stream=_Counted(response))
    async for part in unpacked.aiter_bytes(65_536):
        parts.append(part)
        size += len(part)
        if size >= MOST_BYTES:
            return b"".join(parts)[:MOST_BYTES], True
    return b"".join(parts), False


class _Counted(httpx2.AsyncByteStream):
    """The bytes of an answer as they come, up to the limit."""

    def __init__(self, response: httpcore2.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MOST_BYTES
        async for part in self._response.aiter_stream():
            yield part[:left]
            left -= len(part)
            if left <= 0:
                return


def _is_tls(error: BaseException) -> bool:
    return isinstance(error.__cause__, ssl.SSLError | EOFError)
