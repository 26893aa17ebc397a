"""One connection to the sandbox's control channel: JSON lines, one request at a time."""

import asyncio
import json
from contextlib import suppress
from typing import Any, Self

from chimein_gui.engine.sandbox_port import SandboxRefusedError

_LINE_LIMIT = 64 * 1024 * 1024
_LOOPBACK = "127.0.0.1"


class SandboxControlError(Exception):
    """The sandbox refused a request; its words are the message."""


class ControlLine:
    """A connection that has shown its token."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._turn = asyncio.Lock()
        self._last_id = 0

    @classmethod
    async def connect(cls, port: int, token: str) -> Self:
        """Connect on the loopback address and show the token.

        Raises:
            OSError: If nobody listens.
            SandboxControlError: If the token is wrong.
        """
        reader, writer = await asyncio.open_connection(_LOOPBACK, port, limit=_LINE_LIMIT)
        self = cls(reader, writer)
        try:
            await self.ask("hello", token=token)
        except BaseException:
            await self.aclose()
            raise
        return self

    async def ask(self, method: str, **params: object) -> Any:
        """Ask for something and return the answer.

        Raises:
            ConnectionError: If the sandbox has gone.
            SandboxRefusedError: If there is no such thing there, or what was asked for makes no sense; in its words.
            SandboxControlError: If it refuses for any other reason.
        """
        async with self._turn:
            self._last_id += 1
            request = {"id": self._last_id, "method": method, "params": params}
            try:
                answer = await self._exchange(json.dumps(request).encode() + b"\n")
            except BaseException:
                # An answer that nobody waited for would be taken for that of the next request.
                self._writer.close()
                raise
        return _result(answer)

    async def aclose(self) -> None:
        """Close the connection; calling it twice is harmless."""
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()

    async def _exchange(self, line: bytes) -> dict[str, Any]:
        self._writer.write(line)
        await self._writer.drain()
        if not (answer := await self._reader.readline()):
            raise ConnectionError("the sandbox closed the control channel")
        parsed: dict[str, Any] = json.loads(answer)
        return parsed


_REFUSED = "refused"
"""What the sandbox answers to what nobody can do there."""


def _result(answer: dict[str, Any]) -> Any:
    error = answer.get("error")
    if error is None:
        return answer["result"]
    if error["type"] == _REFUSED:
        raise SandboxRefusedError(error["message"])
    raise SandboxControlError(f"{error['type']}: {error['message']}")
