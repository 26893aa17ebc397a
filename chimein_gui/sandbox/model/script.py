"""What the model will do next, and what it has been asked: the handle tests and rehearsals hold."""

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_REMEMBERED_CALLS = 1_000


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One request as it arrived.

    Attributes:
        system_instruction: All its text parts, joined by newlines.
        contents: The turns, as JSON objects with the keys of the wire.
    """

    model: str
    system_instruction: str
    contents: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class ScriptedReply:
    """A text to answer the next call with, grammar and all."""

    text: str


@dataclass(frozen=True, slots=True)
class ScriptedError:
    """An error to answer the next call with.

    Attributes:
        status: HTTP status, 400 to 599.
        message: What Google would say; a plain sentence by default.
        retry_delay_s: Sent as RetryInfo when not None.
    """

    status: int
    message: str = ""
    retry_delay_s: float | None = None


class ModelScript:
    """A queue of answers; once it is empty the responder speaks for itself.

    Attributes:
        calls: The last thousand requests, oldest first.
        total_calls: How many there have been in all.
    """

    def __init__(self) -> None:
        self.calls: deque[ModelCall] = deque(maxlen=_REMEMBERED_CALLS)
        self.total_calls = 0
        self.delay_s = 0.0
        self._called = asyncio.Event()
        self._queue: deque[ScriptedReply | ScriptedError] = deque()

    def queue_reply(self, text: str) -> None:
        """Answer one of the next calls with `text`; first in, first out."""
        self._queue.append(ScriptedReply(text))

    def queue_error(self, status: int, message: str = "", *, retry_delay_s: float | None = None) -> None:
        """Answer one of the next calls with an error.

        Raises:
            ValueError: If `status` is no error status.
        """
        if not 400 <= status <= 599:
            raise ValueError(f"{status} is no HTTP error")
        self._queue.append(ScriptedError(status, message, retry_delay_s))

    def set_delay(self, seconds: float) -> None:
        """Let every answer take this long from now on.

        Raises:
            ValueError: If it is negative.
        """
        if seconds < 0:
            raise ValueError(f"a delay of {seconds} s")
        self.delay_s = seconds

    def record(self, call: ModelCall) -> None:
        """Remember a request, before it is answered."""
        self.calls.append(call)
        self.total_calls += 1
        self._called.set()
        self._called = asyncio.Event()

    async def wait_for_calls(self, total: int) -> None:
        """Wait until there have been `total` requests, answered or not."""
        while self.total_calls < total:
            await self._called.wait()

    def take(self) -> ScriptedReply | ScriptedError | None:
        """Remove and return what the next call gets, None for an answer of the responder's own."""
        return self._queue.popleft() if self._queue else None
