"""HTTP/1.1 on h11 over asyncio streams; aiohttp would switch google-genai to its hidden retries (FACTS)."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import h11

_READ_SIZE = 64 * 1024
_MAX_BODY = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Request:
    """One request, body included.

    Attributes:
        target: Path and query as sent.
        headers: Names in lower case.
    """

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Response:
    """A JSON answer."""

    status: int
    body: dict[str, Any]


Handler = Callable[[Request], Awaitable[Response]]


class HttpConnection:
    """Serves the requests of one client, one after the other, until it goes away."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, handler: Handler) -> None:
        self._reader = reader
        self._writer = writer
        self._handler = handler
        self._protocol = h11.Connection(h11.SERVER)

    async def serve(self) -> None:
        """Answer until the client or HTTP says that it is over."""
        try:
            while (request := await self._next_request()) is not None:
                await self._send(await self._handler(request))
                if self._protocol.our_state is h11.MUST_CLOSE:
                    return
                self._protocol.start_next_cycle()
        except (h11.ProtocolError, ConnectionError):
            return  # a client that breaks off or talks nonsense gets no answer

    async def _next_request(self) -> Request | None:
        head = await self._next_event()
        if not isinstance(head, h11.Request):
            return None
        body = bytearray()
        while isinstance(event := await self._next_event(), h11.Data):
            body += event.data
            if len(body) > _MAX_BODY:
                raise h11.RemoteProtocolError("the body is too large")
        headers = {name.decode(): value.decode("latin-1") for name, value in head.headers}
        return Request(head.method.decode(), head.target.decode(), headers, bytes(body))

    async def _next_event(self) -> object:
        while (event := self._protocol.next_event()) is h11.NEED_DATA:
            if self._protocol.they_are_waiting_for_100_continue:
                self._writer.write(self._wire(h11.InformationalResponse(status_code=100, headers=[])))
            self._protocol.receive_data(await self._reader.read(_READ_SIZE))
        return event

    async def _send(self, response: Response) -> None:
        body = json.dumps(response.body).encode()
        headers = [("Content-Type", "application/json; charset=UTF-8"), ("Content-Length", str(len(body)))]
        head = h11.Response(status_code=response.status, headers=headers)
        self._writer.write(self._wire(head) + self._wire(h11.Data(data=body)) + self._wire(h11.EndOfMessage()))
        await self._writer.drain()

    def _wire(self, event: h11.Event) -> bytes:
        return self._protocol.send(event) or b""
