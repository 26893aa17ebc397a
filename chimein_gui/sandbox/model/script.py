"""What the model will do next, and what it has been asked: the handle tests and rehearsals hold."""

import asyncio
import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chimein_gui.sandbox.model.talk.written import WrittenAnswers

_REMEMBERED_CALLS = 1_000


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One request as it arrived.

    Attributes:
        system_instruction: All its text parts, joined by newlines.
        contents: The turns, as JSON objects with the keys of the wire.
        config: `generationConfig` with the keys of the wire.
        tools: The declared functions.
    """

    model: str
    system_instruction: str
    contents: tuple[Mapping[str, Any], ...]
    config: Mapping[str, Any] = field(default_factory=dict)
    tools: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A tool that the model wants called."""

    name: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ScriptedReply:
    """A text to answer the next call with, grammar and all.

    Attributes:
        thoughts: Summary of its thinking; sent where the client includes thoughts.
        calls: Tools it asks for, beside the text or instead of it.
        usage: Token counts to report instead of the estimate: ``prompt``, ``reply``, ``thinking``.
    """

    text: str
    thoughts: str = ""
    calls: tuple[FunctionCall, ...] = ()
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScriptedError:
    """An error to answer the next call with.

    Attributes:
        status: HTTP status, 400 to 599.
        message: What Google would say; a plain sentence by default.
        retry_delay_s: Sent as RetryInfo and Retry-After when not None.
    """

    status: int
    message: str = ""
    retry_delay_s: float | None = None


@dataclass(frozen=True, slots=True)
class ScriptedBody:
    """Bytes to answer the next call with, whatever they are."""

    body: bytes
    status: int = 200


Planned = ScriptedReply | ScriptedError | ScriptedBody


class ModelScript:
    """A queue of answers; once it is empty the responder speaks for itself.

    Attributes:
        calls: The last thousand requests, oldest first.
        total_calls: How many there have been in all.
        written: What scenarios have written down as answers.
        seed: Decides between evasions.
        thinking_s: How long the responder thinks, at least and at most; nothing by default.
    """

    def __init__(self) -> None:
        self.calls: deque[ModelCall] = deque(maxlen=_REMEMBERED_CALLS)
        self.total_calls = 0
        self.delay_s = 0.0
        self.written = WrittenAnswers()
        self.seed = 0
        self.thinking_s = (0.0, 0.0)
        self._called = asyncio.Event()
        self._queue: deque[Planned] = deque()

    def queue_reply(
        self,
        text: str,
        *,
        thoughts: str = "",
        calls: tuple[FunctionCall, ...] = (),
        usage: Mapping[str, int] | None = None,
    ) -> None:
        """Answer one of the next calls with `text`; first in, first out."""
        self._queue.append(ScriptedReply(text, thoughts, calls, usage or {}))

    def queue_error(self, status: int, message: str = "", *, retry_delay_s: float | None = None) -> None:
        """Answer one of the next calls with an error.

        Raises:
            ValueError: If `status` is no error status.
        """
        if not 400 <= status <= 599:
            raise ValueError(f"{status} is no HTTP error")
        self._queue.append(ScriptedError(status, message, retry_delay_s))

    def queue_body(self, body: bytes | str | Mapping[str, Any], *, status: int = 200) -> None:
        """Answer one of the next calls with a body of any kind; an object is sent as JSON."""
        if isinstance(body, Mapping):
            body = json.dumps(dict(body))
        self._queue.append(ScriptedBody(body.encode() if isinstance(body, str) else body, status))

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

    def take(self) -> Planned | None:
        """Remove and return what the next call gets, None for an answer of the responder's own."""
        return self._queue.popleft() if self._queue else None
