"""The model's script: planned answers and received requests, by which tests and rehearsals control the model."""

import asyncio
import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from chimein_gui.sandbox.model.talk.written import WrittenAnswers

_REMEMBERED_CALLS = 64
"""A long rehearsal makes thousands, each with the whole history that was sent: 100 kB and more as objects."""


# Letters stay as they are: the service counts them, not their escapes.
json_text = json.JSONEncoder(ensure_ascii=False, default=dict).encode


@dataclass(frozen=True)
class ModelCall:
    """A received `generateContent` request.

    Attributes:
        model: Name without ``models/``.
        system_instruction: All its text parts, joined by newlines.
        contents: The turns as JSON objects, with the keys as received.
        config: `generationConfig` with the keys as received.
        tools: The declared functions.
    """

    model: str
    system_instruction: str
    contents: tuple[Mapping[str, Any], ...]
    config: Mapping[str, Any] = field(default_factory=dict)
    tools: tuple[Mapping[str, Any], ...] = ()

    @cached_property
    def turns_text(self) -> str:
        """The turns as JSON, one per line."""
        return "\n".join(map(json_text, self.contents))


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function that the model asks the client to call."""

    name: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ScriptedReply:
    """A planned text for the next call, in the reply grammar.

    Attributes:
        thoughts: The thought summary; it is sent if the client includes thoughts.
        calls: Functions that the model asks to call, in addition to the text or instead of it.
        usage: Token counts to report instead of the estimates: ``prompt``, ``reply``, ``thinking``,
            ``cached``.
    """

    text: str
    thoughts: str = ""
    calls: tuple[FunctionCall, ...] = ()
    usage: Mapping[str, int] = field(default_factory=dict)


class ModelScript:
    """A queue of planned answers; while it is empty, the responder answers.

    Attributes:
        calls: The last 64 requests, oldest first.
        total_calls: How many requests have been received.
        delay_s: Seconds that every answer is delayed.
        written: Answers that scenarios have given for single messages.
        seed: Selects among evasions.
        thinking_s: Shortest and longest time of an answer of the responder, in seconds; (0, 0) by default.
    """

    def __init__(self) -> None:
        self.calls: deque[ModelCall] = deque(maxlen=_REMEMBERED_CALLS)
        self.total_calls = 0
        self.delay_s = 0.0
        self.written = WrittenAnswers()
        self.seed = 0
        self.thinking_s = (0.0, 0.0)
        self._called = asyncio.Event()
        self._queue: deque[ScriptedReply] = deque()

    def queue_reply(
        self,
        text: str,
        *,
        thoughts: str = "",
        calls: tuple[FunctionCall, ...] = (),
        usage: Mapping[str, int] | None = None,
    ) -> None:
        """Append a text to the queue: each call takes the oldest planned answer."""
        self._queue.append(ScriptedReply(text, thoughts, calls, usage or {}))

    def set_delay(self, seconds: float) -> None:
        """Delay every answer by some seconds from now on.

        Raises:
            ValueError: `seconds` is negative.
        """
        if seconds < 0:
            raise ValueError(f"a delay of {seconds} s")
        self.delay_s = seconds

    def record(self, call: ModelCall) -> None:
        """Record a request before it is answered."""
        self.calls.append(call)
        self.total_calls += 1
        self._called.set()
        self._called = asyncio.Event()

    async def wait_for_calls(self, total: int) -> None:
        """Wait until `total` requests have been received, answered or not."""
        while self.total_calls < total:
            await self._called.wait()

    def take(self) -> ScriptedReply | None:
        """Remove and return the oldest planned answer; None if the responder is to answer."""
        return self._queue.popleft() if self._queue else None
