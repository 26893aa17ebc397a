"""The console of a sandbox in another process, and further control of that process for tests, over one loopback port.

A client sends the token first. A connection serves one request at a time, so waiting for a change of the rehearsal
needs a connection of its own.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Self

from chimein_gui.sandbox.connections import Connections
from chimein_gui.sandbox_api import RehearsalState, SandboxRefusedError
from tests.support.line import Line

_LOOPBACK = "127.0.0.1"


class ControlChannel:
    """Serves the methods of an object to clients that know the token.

    Attributes:
        token: The token that a client must send.
    """

    def __init__(self, served: object) -> None:
        self.token = secrets.token_hex(32)
        self._served = served
        self._connections = Connections()

    async def start(self) -> int:
        """Listen, and return the port."""
        return await self._connections.listen(self._serve, _LOOPBACK, 0)

    async def aclose(self) -> None:
        """Stop listening and drop all clients."""
        await self._connections.aclose()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not hmac.compare_digest(await reader.readexactly(len(self.token)), self.token.encode()):
            return
        line = Line(reader, writer)
        while (request := await line.hear()) is not None:
            line.say(*await self._answer(*request))

    async def _answer(self, method: str, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, Exception | None]:
        try:
            return await getattr(self._served, method)(*args, **named), None
        except (LookupError, SandboxRefusedError, ValueError) as error:
            return None, SandboxRefusedError(str(error))
        except Exception as error:  # noqa: BLE001 - a client that hears nothing would wait for ever
            return None, RuntimeError(repr(error))


class ControlChannelConsole:
    """Implements `SandboxConsole` and all methods of `House` by calls to the other process."""

    def __init__(self, line: Line, port: int, token: str) -> None:
        self._line, self._port, self._token = line, port, token
        self._turn = asyncio.Lock()

    @classmethod
    async def connect(cls, port: int, token: str) -> Self:
        """Connect and send the token."""
        reader, writer = await asyncio.open_connection(_LOOPBACK, port)
        writer.write(token.encode())
        return cls(Line(reader, writer), port, token)

    @classmethod
    async def from_port_file(cls, path: Path) -> Self:
        """Connect to the sandbox that wrote this file."""
        described = json.loads(await asyncio.to_thread(path.read_text, encoding="utf-8"))
        return await cls.connect(described["control_port"], described["token"])

    def __getattr__(self, method: str) -> Callable[..., Any]:
        """Return a function that calls a method of the console or of `House`."""
        if method.startswith("_"):
            raise AttributeError(method)
        return partial(self._ask, method)

    async def rehearsal(self, *, after: int = -1) -> RehearsalState:
        """Return the state as soon as its revision is above `after`; -1 for at once."""
        own = self if after < 0 else await self.connect(self._port, self._token)
        try:
            state: RehearsalState = await own._ask("rehearsal", after=after)
        finally:
            if own is not self:
                await own.aclose()
        return state

    async def _ask(self, method: str, *args: Any, **named: Any) -> Any:
        async with self._turn:
            try:
                self._line.say(method, args, named)
                answer = await self._line.hear()
            except BaseException:
                # An answer that was not awaited would be taken for that of the next request.
                await self._line.aclose()
                raise
        if answer is None:
            raise ConnectionError("the sandbox closed the control channel")
        result, error = answer
        if error is not None:
            raise error
        return result

    async def aclose(self) -> None:
        """Close the connection; calling it twice is harmless."""
        await self._line.aclose()
