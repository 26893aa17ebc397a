"""Serves one HTTP/1.1 client with h11 over asyncio streams; with aiohttp, google-genai would do hidden retries.

See docs/library-facts.md, "google-genai".
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from urllib.parse import urlsplit

import h11

from chimein_gui.sandbox.http.messages import Answer, Pieces, RawAnswer, Request

Handler = Callable[[Request], Awaitable[Answer | RawAnswer]]

_READ_SIZE = 64 * 1024
MAX_BODY = 64 * 1024 * 1024


class HttpConnection:
    """Serves the requests of one client, one after the other, until the connection ends."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, handler: Handler) -> None:
        self._reader = reader
        self._writer = writer
        self._handler = handler
        self._protocol = h11.Connection(h11.SERVER)

    async def serve(self) -> None:
        """Answer requests until the client closes the connection or HTTP requires that it ends."""
        try:
            while (request := await self._next_request()) is not None:
                answer = await self._handler(request)
                if answer.delay_s:
                    await self._pause(answer.delay_s)
                if isinstance(answer, RawAnswer):
                    await self._send_raw(answer)
                    return
                await self._send(answer, is_head=request.method == "HEAD")
                if self._protocol.our_state is h11.MUST_CLOSE:
                    return
                self._protocol.start_next_cycle()
        except (h11.ProtocolError, OSError):
            return  # a client that disconnects or sends invalid HTTP gets no answer

    async def _next_request(self) -> Request | None:
        head = await self._next_event()
        if not isinstance(head, h11.Request):
            return None
        body = bytearray()
        while isinstance(event := await self._next_event(), h11.Data):
            if len(body) <= MAX_BODY:  # the rest is read, so that the client gets to its answer, and dropped
                body += event.data
        headers = {name.decode(): value.decode("latin-1") for name, value in head.headers}
        is_too_large = len(body) > MAX_BODY
        kept = b"" if is_too_large else bytes(body)
        return Request(head.method.decode(), _address(head.target), headers, kept, is_too_large)

    async def _next_event(self) -> object:
        while (event := self._protocol.next_event()) is h11.NEED_DATA:
            if self._protocol.they_are_waiting_for_100_continue:
                self._writer.write(self._wire(h11.InformationalResponse(status_code=100, headers=[])))
            self._protocol.receive_data(await self._reader.read(_READ_SIZE))
        return event

    async def _pause(self, seconds: float) -> None:
        """Wait for a delay, which ends early if the client hangs up."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds if seconds < float("inf") else None):
                while data := await self._reader.read(_READ_SIZE):
                    self._protocol.receive_data(data)
                raise ConnectionResetError

    async def _send(self, answer: Answer, *, is_head: bool) -> None:
        body = answer.body
        headers = [*answer.headers, ("Content-Length", str(len(body)))] if isinstance(body, bytes) else answer.headers
        head = self._wire(h11.Response(status_code=answer.status, headers=list(headers)))
        end = h11.EndOfMessage()
        if is_head:
            self._writer.write(head + self._wire(end))
        elif isinstance(body, bytes):
            self._writer.write(head + self._chunk(body) + self._wire(end))
        else:
            self._writer.write(head)
            await self._pass_on(body, self._chunk)
            self._writer.write(self._wire(end))
        await self._writer.drain()

    async def _send_raw(self, answer: RawAnswer) -> None:
        await self._pass_on(answer.pieces(), bytes)
        while answer.lingers and await self._reader.read(_READ_SIZE):
            pass  # everything else it sends

    async def _pass_on(self, pieces: Pieces, framed: Callable[[bytes], bytes]) -> None:
        async with aclosing(pieces) as running:
            async for piece in running:
                self._writer.write(framed(piece))
                await self._writer.drain()

    def _chunk(self, piece: bytes) -> bytes:
        return self._wire(h11.Data(data=piece))

    def _wire(self, event: h11.Event) -> bytes:
        return self._protocol.send(event) or b""


def _address(target: bytes) -> str:
    """Return the request target, if it can be split into path and query.

    Raises:
        h11.RemoteProtocolError: If it is no valid address.
    """
    address = target.decode()
    try:
        urlsplit(address)
    except ValueError as error:
        raise h11.RemoteProtocolError(str(error)) from None
    return address
