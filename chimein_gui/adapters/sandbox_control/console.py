"""The client of the sandbox's control channel: `SandboxConsole` for a sandbox in another process (SPEC §11).

One loopback connection, JSON lines, one request at a time; the server's side is `chimein_gui.sandbox.control`.
"""

import asyncio
import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from chimein_gui.engine.sandbox_port import SandboxDelivery, SandboxPartner

_LINE_LIMIT = 64 * 1024 * 1024
_LOOPBACK = "127.0.0.1"


class SandboxControlError(Exception):
    """The sandbox refused a request; its words are the message."""


class ControlChannelConsole:
    """Implements `SandboxConsole` over the control channel, and what tests and benchmarks need besides."""

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
            await self._ask("hello", token=token)
        except BaseException:
            await self.aclose()
            raise
        return self

    @classmethod
    async def from_port_file(cls, path: Path) -> Self:
        """Connect to the sandbox that wrote this file.

        Raises:
            OSError: If there is no file, or nobody listens any more.
            SandboxControlError: If the token is wrong.
        """
        text = await asyncio.to_thread(path.read_text, encoding="utf-8")
        description = json.loads(text)
        return await cls.connect(description["control_port"], description["token"])

    async def partners(self) -> tuple[SandboxPartner, ...]:
        """Return all simulated people, in a stable order."""
        return tuple(SandboxPartner(**partner) for partner in await self._ask("partners"))

    async def speak(self, partner_id: int, account_id: int, text: str) -> int:
        """Send `text` as the partner to one of the agents' accounts.

        Returns:
            The message id in the partner's own sequence.

        Raises:
            LookupError: If either user does not exist.
        """
        message_id: int = await self._ask("speak", partner_id=partner_id, account_id=account_id, text=text)
        return message_id

    async def speak_many(self, lines: Iterable[tuple[int, int, str]]) -> tuple[int, ...]:
        """Send many (partner, account, text) in one request.

        Returns:
            The message ids in the partners' own sequences.

        Raises:
            LookupError: If any user does not exist; then nothing is sent.
        """
        return tuple(await self._ask("speak_many", lines=list(lines)))

    async def mailbox(self, partner_id: int) -> tuple[SandboxDelivery, ...]:
        """Return everything the partner received, oldest first.

        Raises:
            LookupError: If there is no such partner.
        """
        return tuple(SandboxDelivery(**delivery) for delivery in await self._ask("mailbox", partner_id=partner_id))

    async def mailbox_counts(self) -> dict[int, int]:
        """Return how many messages each partner has received, by user id."""
        return dict(await self._ask("mailbox_counts"))

    async def set_model_delay(self, seconds: float) -> None:
        """Let every answer of the model take this long."""
        await self._ask("set_model_delay", seconds=seconds)

    async def queue_reply(self, text: str) -> None:
        """Let the model answer one of the next calls with `text`."""
        await self._ask("queue_reply", text=text)

    async def queue_error(self, status: int, message: str = "") -> None:
        """Let the model answer one of the next calls with an HTTP error."""
        await self._ask("queue_error", status=status, message=message)

    async def model_calls(self) -> list[dict[str, Any]]:
        """Return the last thousand model calls: model, system_instruction, contents."""
        calls: list[dict[str, Any]] = await self._ask("model_calls")
        return calls

    async def auth_key(self, account_id: int) -> bytes:
        """Return an account's preseeded auth key.

        Raises:
            LookupError: If there is no such account.
        """
        return bytes.fromhex(await self._ask("auth_key", account_id=account_id))

    async def shutdown(self) -> None:
        """Ask the sandbox to end in an orderly way."""
        await self._ask("shutdown")

    async def aclose(self) -> None:
        """Close the connection; calling it twice is harmless."""
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()

    async def _ask(self, method: str, **params: object) -> Any:  # noqa: ANN401 - whatever JSON holds
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

    async def _exchange(self, line: bytes) -> dict[str, Any]:
        self._writer.write(line)
        await self._writer.drain()
        if not (answer := await self._reader.readline()):
            raise ConnectionError("the sandbox closed the control channel")
        parsed: dict[str, Any] = json.loads(answer)
        return parsed


def _result(answer: dict[str, Any]) -> Any:  # noqa: ANN401 - whatever JSON holds
    error = answer.get("error")
    if error is None:
        return answer["result"]
    if error["type"] == "LookupError":
        raise LookupError(error["message"])
    raise SandboxControlError(f"{error['type']}: {error['message']}")
