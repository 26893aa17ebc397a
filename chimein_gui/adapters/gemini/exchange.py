"""The transport of all calls to Gemini for httpx2: one HTTP/1.1 exchange at a time on a kept connection.

It uses h11 directly on asyncio. httpx2's own transport (httpcore2's pool on anyio) costs as much as a claim, most of it
for features these calls do not need: streams, proxies, and a check of every idle connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
import zlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import h11
import httpx2

from chimein_gui.adapters.gemini.network import FRESH_S, connected, has_data

_log = logging.getLogger(__name__)

CONNECT_S = 20.0
"""Longest connect in seconds, TLS included."""

MOST_HEADER_BYTES = 64 * 1024
"""Most bytes of headers; a longer answer is refused."""

MOST_BODY_BYTES = 4 * 1024 * 1024
"""Most bytes of a body; Gemini's longest reply, and a hundred embeddings, take less than a megabyte."""

Headers = list[tuple[bytes, bytes]]
_Fields = tuple[tuple[bytes, bytes], ...]
_Items = tuple[tuple[bytes, bytes, bytes], ...]

_JSON = b"application/json"
_LENGTH = b"content-length"
_TOO_LONG = "the answer is too long"
_GZIP_OR_ZLIB, _DEFLATE = 32 + zlib.MAX_WBITS, -zlib.MAX_WBITS
"""Window bits of zlib: with a header that it detects, or without."""


class TooLongError(httpx2.TransportError):
    """The answer is longer than `MOST_BODY_BYTES`."""


class Origin(NamedTuple):
    """The target of a connection.

    Attributes:
        host: Name or address, without brackets.
        port: TCP port.
        is_secure: TLS is used.
    """

    host: str
    port: int
    is_secure: bool


class Target(NamedTuple):
    """Where a request goes.

    Attributes:
        origin: The server.
        host: Value of the header.
        path: With the query.
    """

    origin: Origin
    host: str
    path: bytes


class Answer(NamedTuple):
    """An answer of a server.

    Attributes:
        status: Such as 200.
        headers: Unchanged.
        body: Unchanged, perhaps compressed.
    """

    status: int
    headers: Headers
    body: bytes


class Connection(asyncio.Protocol):
    """One connection, for one exchange at a time.

    Attributes:
        idle_since: When its last exchange ended, on the loop's clock.
        gone: Done when the connection is closed.
    """

    def __init__(self) -> None:
        """Create the protocol for asyncio, which calls `connection_made`."""
        self.idle_since = 0.0
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=MOST_HEADER_BYTES)
        self._transport: asyncio.Transport | None = None
        self._waiter: asyncio.Future[Answer] | None = None
        self._head: tuple[int, Headers] | None = None
        self._body: list[bytes] = []
        self._room = MOST_BODY_BYTES

    @property
    def is_open(self) -> bool:
        """Return whether another exchange may begin on it."""
        return self._transport is not None and not self._transport.is_closing() and self._http.our_state is h11.IDLE

    def is_surprising(self) -> bool:
        """Return whether the server sent data or closed unnoticed by the loop, for example during a suspend."""
        transport = self._transport
        if transport is None:
            return True
        rested_s = asyncio.get_running_loop().time() - self.idle_since
        return rested_s > FRESH_S and has_data(transport.get_extra_info("socket"))

    async def exchange(self, method: str, target: bytes, headers: Headers, content: bytes) -> Answer:
        """Send a request and return the whole answer; a cancellation closes the connection.

        Raises:
            httpx2.TransportError: There was no whole answer.
        """
        transport = self._transport
        if transport is None:
            raise httpx2.WriteError("the connection is closed")
        waiter: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiter, self._room = waiter, MOST_BODY_BYTES
        try:
            transport.write(self._written(_request(method, target, headers), content))
            return await waiter
        except h11.LocalProtocolError as error:
            raise httpx2.LocalProtocolError(str(error)) from error
        except asyncio.CancelledError:
            transport.abort()  # also where the answer has just come: nobody would keep the connection
            raise
        finally:
            self._waiter, self._head, self._body = None, None, []
            if not self._is_over():
                transport.abort()

    def hang_up(self) -> None:
        """Close at once, aborting any exchange."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport; called by asyncio."""
        assert isinstance(transport, asyncio.Transport)  # what a stream connection has
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Process data; unrequested data closes the connection. Called by asyncio."""
        if self._waiter is None or self._waiter.done():
            self.hang_up()
            return
        self._feed(data)

    def eof_received(self) -> None:
        """Let asyncio close the connection after the server's end; `connection_lost` then notifies the caller."""

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail the waiting exchange; an answer without a length ends here. Called by asyncio."""
        self._transport = None
        if not self.gone.done():
            self.gone.set_result(None)
        waiter = self._waiter
        if waiter is None or waiter.done():
            return
        if exc is None:
            self._feed(b"")
        if not waiter.done():
            waiter.set_exception(httpx2.ReadError(str(exc) if exc is not None else "the server hung up"))

    def _written(self, request: h11.Request, content: bytes) -> bytes:
        parts = (self._http.send(request), self._http.send(h11.Data(data=content)), self._http.send(h11.EndOfMessage()))
        return b"".join(part for part in parts if part)

    def _feed(self, data: bytes) -> None:
        waiter = self._waiter
        assert waiter is not None  # looked at before
        try:
            self._http.receive_data(data)
            while True:
                event = self._http.next_event()
                if isinstance(event, h11.Response):
                    self._head = event.status_code, list(event.headers)
                    _check_length(self._head[1])
                elif isinstance(event, h11.Data):
                    self._body.append(bytes(event.data))
                    self._room -= len(event.data)
                    if self._room < 0:
                        raise TooLongError(_TOO_LONG)
                elif isinstance(event, h11.EndOfMessage):
                    assert self._head is not None  # h11 keeps the order
                    waiter.set_result(Answer(*self._head, b"".join(self._body)))
                    return
                elif not isinstance(event, h11.InformationalResponse):
                    return  # more is needed, or nothing can come any more: `NEED_DATA`, `PAUSED`
        except h11.RemoteProtocolError as error:
            waiter.set_exception(httpx2.RemoteProtocolError(str(error)))
        except TooLongError as error:
            self._body = []
            waiter.set_exception(error)
            self.hang_up()

    def _is_over(self) -> bool:
        """Return whether the exchange ended on both sides, so that another may follow."""
        if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
            return False
        if self._http.trailing_data[0]:
            return False
        self._http.start_next_cycle()
        return True


def _request(method: str, target: bytes, headers: Headers) -> h11.Request:
    """Return a request; of headers that an earlier one had too, apart from the length, h11 checks none again.

    Raises:
        h11.LocalProtocolError: The method, the target or a header is invalid.
    """
    *before, last = headers or [(b"", b"")]
    checked = _checked(method, target, tuple(before)) if last[0] == _LENGTH and last[1].isdigit() else None
    if checked is None:
        return h11.Request(method=method, target=target, headers=headers)
    kind, items = checked
    return h11.Request(method=method, target=target, headers=kind([*items, (_LENGTH, *last)]))


@lru_cache(maxsize=8)
def _checked(method: str, target: bytes, headers: _Fields) -> tuple[Any, _Items] | None:
    """Return h11's type of headers, which it does not export, and what it takes; None if these have a length."""
    checked = h11.Request(method=method, target=target, headers=list(headers)).headers
    items = tuple((raw, raw.lower(), value) for raw, value in checked.raw_items())
    return None if any(name == _LENGTH for _, name, _ in items) else (type(checked), items)


def _check_length(headers: Headers) -> None:
    """Refuse an answer whose declared length is too large; h11 has checked that it is a number."""
    for name, value in headers:
        if name == b"content-length" and int(value) > MOST_BODY_BYTES:
            raise TooLongError(_TOO_LONG)


def check_unpacked(answer: Answer) -> None:
    """Refuse a compressed answer that would be too long, before it is decompressed.

    Raises:
        TooLongError: It is too long.
        httpx2.DecodingError: It is compressed more than once, which was not requested.
    """
    packed = [value for name, value in answer.headers if name == b"content-encoding" and value != b"identity"]
    if not packed:
        return
    if len(packed) > 1 or b"," in packed[0]:
        raise httpx2.DecodingError("the answer is packed more than once")
    for window in (_GZIP_OR_ZLIB, _DEFLATE):
        with contextlib.suppress(zlib.error):  # what cannot be unpacked httpx2 refuses
            unpacked = zlib.decompressobj(window).decompress(answer.body, MOST_BODY_BYTES + 1)
            if len(unpacked) > MOST_BODY_BYTES:
                raise TooLongError(_TOO_LONG)


class _JsonResponse(httpx2.Response):
    """An answer in JSON that came unpacked and whole: httpx2 need not put it together from pieces.

    Attributes:
        content: The body.
    """

    content = b""

    def __init__(self, status: int, headers: Headers, body: bytes) -> None:
        super().__init__(status, headers=headers, stream=httpx2.ByteStream(body))
        self.content = body

    @property
    def text(self) -> str:
        """The body as text: JSON knows no other encoding, and httpx2 looks for one with a parser of e-mail headers."""
        return self.content.decode("utf-8", "replace")

    async def aread(self) -> bytes:
        """Return the body."""
        return self.content


class Connections(httpx2.AsyncBaseTransport):
    """A pool of kept connections with a maximum size.

    The caller must put a time-out around each call: only connecting has its own.
    """

    def __init__(self, context: ssl.SSLContext, *, most: int, keep_alive_s: float) -> None:
        """Create the pool; nothing is opened yet.

        Args:
            context: Verifies servers.
            most: Most exchanges at the same time; further ones wait.
            keep_alive_s: Seconds for which an unused connection is kept.
        """
        self._context = context
        self._context.set_alpn_protocols(["http/1.1"])
        self._places = asyncio.Semaphore(most)
        self._keep_alive_s = keep_alive_s
        self._idle: dict[Origin, list[Connection]] = {}
        self._is_closed = False

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and return its answer, completely read; called by httpx2. Cookies are dropped.

        Raises:
            httpx2.TransportError: There was no connection, or no whole answer.
            httpx2.DecodingError: It can't be decompressed.
        """
        content = await request.aread()
        response = await self.call(request.method, _target_of(request.url), request.headers.raw, content)
        response.request = request
        return response

    async def call(self, method: str, target: Target, headers: Headers, content: bytes) -> httpx2.Response:
        """Send a request and return its answer; the headers are sent as they are. Raises the same."""
        origin = target.origin
        async with self._places:
            connection = self._kept(origin) or await self._connect(origin)
            answer = await connection.exchange(method, target.path, headers, content)
        if self._is_closed:
            connection.hang_up()
        elif connection.is_open:
            connection.idle_since = asyncio.get_running_loop().time()
            self._idle.setdefault(origin, []).append(connection)
        return _response_of(answer)

    async def aclose(self) -> None:
        """Close idle connections now and the others after their exchange; a second call has no effect."""
        self._is_closed = True
        idle = [connection for connections in self._idle.values() for connection in connections]
        self._idle.clear()
        for connection in idle:
            connection.hang_up()
        for connection in idle:
            await connection.gone

    def _kept(self, origin: Origin) -> Connection | None:
        """Return the most recently used connection, and close those that were unused for long."""
        idle = self._idle.get(origin, [])
        oldest = asyncio.get_running_loop().time() - self._keep_alive_s
        while idle and (idle[0].idle_since < oldest or not idle[0].is_open):
            idle.pop(0).hang_up()
        while idle:
            connection = idle.pop()
            if connection.is_open and not connection.is_surprising():
                return connection
            connection.hang_up()
        return None

    async def _connect(self, origin: Origin) -> Connection:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(CONNECT_S):
                _, connection = await loop.create_connection(
                    Connection,
                    sock=await connected(origin.host, origin.port),
                    ssl=self._context if origin.is_secure else None,
                    server_hostname=origin.host if origin.is_secure else None,
                )
        except TimeoutError as error:
            raise httpx2.ConnectTimeout(str(error)) from error
        except (OSError, EOFError, RuntimeError) as error:
            raise httpx2.ConnectError(str(error)) from error
        return connection


class Client(httpx2.AsyncClient):
    """httpx2's client without features that google-genai's calls never use: cookies, redirects, authentication, hooks.

    Composing and sending requests in the general way costs a third of a whole call.
    """

    def __init__(self, connections: Connections, **options: Any) -> None:  # noqa: ANN401 - httpx2's
        """Create the client over `connections`; the options are httpx2's."""
        super().__init__(transport=connections, **options)
        self._connections = connections
        self._own_headers = tuple(self.headers.items())  # nobody changes them, and to read them decodes each again

    async def request(  # type: ignore[override]
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        content: bytes | None,
        timeout: float | None,  # noqa: ARG002, ASYNC109 - the time-out is round the whole call
    ) -> httpx2.Response:
        """Send a request and return its answer, completely read; `Transport.ask` calls it.

        Raises:
            httpx2.InvalidURL: The address is invalid.
            httpx2.TransportError: There was no connection, or no whole answer.
            httpx2.DecodingError: It can't be decompressed.
        """
        target = _parsed(url)
        encoded = list(_encoded(target.host, self._own_headers, tuple(headers.items())))
        if content is not None:
            encoded.append((_LENGTH, b"%d" % len(content)))
        response = await self._connections.call(method.upper(), target, encoded, content or b"")
        _log.info("HTTP Request answered %d: %s %s", response.status_code, method.upper(), url)
        return response


@lru_cache(maxsize=8)
def _encoded(host: str, own: tuple[tuple[str, str], ...], further: tuple[tuple[str, str], ...]) -> _Fields:
    """Return the headers that calls with the same address and key have in common."""
    fields = {"host": host, **dict(own), **{name.lower(): value for name, value in further}}
    return tuple((name.encode("ascii"), value.encode("ascii")) for name, value in fields.items())


@lru_cache(maxsize=16)
def _parsed(url: str) -> Target:
    return _target_of(httpx2.URL(url))


def _target_of(url: httpx2.URL) -> Target:
    is_secure = url.scheme == "https"
    origin = Origin(url.host, url.port or (443 if is_secure else 80), is_secure)
    return Target(origin, url.netloc.decode("ascii"), url.raw_path)


def _response_of(answer: Answer) -> httpx2.Response:
    check_unpacked(answer)
    kept = [(name, value) for name, value in answer.headers if name != b"set-cookie"]
    fields = dict(kept)
    is_json = fields.get(b"content-type", b"").lower().startswith(_JSON)
    if is_json and b"content-encoding" not in fields:
        return _JsonResponse(answer.status, kept, answer.body)
    response = httpx2.Response(answer.status, headers=kept, content=answer.body)
    if is_json:
        response.encoding = "utf-8"
    return response
