"""A language model with answers set by a test."""

from __future__ import annotations

import asyncio
from collections import deque

from chimein_gui.adapters.gemini.bodies import read_request, request_of
from chimein_gui.adapters.gemini.counting import steps_of
from chimein_gui.domain.prompt.prompts import ModelReply, Prompt, Usage
from chimein_gui.domain.prompt.tool_calls import ToolCall


def wants(*calls: tuple[str, dict[str, object]]) -> ModelReply:
    """Return a reply that calls tools: (name, arguments)."""
    asked = tuple(ToolCall(name, arguments, f"call {number}") for number, (name, arguments) in enumerate(calls))
    said = {"role": "model", "parts": [{"functionCall": one.name} for one in asked]}
    return ModelReply("", Usage(10, 5), "STOP", asked, said)


class SpeaksGemini:
    """Has the requests of Gemini, for models that send none."""

    request_of = staticmethod(request_of)
    read_request = staticmethod(read_request)
    counting_steps = staticmethod(steps_of)

    async def count(self, model: str, body: bytes) -> int:
        """Count a token for each byte."""
        return len(body)

    async def generate_again(self, model: str, body: bytes) -> ModelReply:
        raise NotImplementedError


class FakeModel(SpeaksGemini):
    """Implements `engine.ports.LanguageModel`."""

    def __init__(self) -> None:
        self.script: deque[str | ModelReply | Exception] = deque()
        self.prompts: list[Prompt] = []
        self.bodies: list[tuple[str, bytes]] = []
        """What was asked with finished bytes."""
        self.asked_again = asyncio.Event()
        self.gate: asyncio.Event | None = None
        """When set, answers wait for it."""
        self._asked = asyncio.Event()

    async def generate(self, prompt: Prompt) -> ModelReply:
        self.prompts.append(prompt)
        self._asked.set()
        return await self._answer(len(self.prompts))

    async def generate_again(self, model: str, body: bytes) -> ModelReply:
        self.bodies.append((model, body))
        self.asked_again.set()
        return await self._answer(len(self.bodies))

    async def _answer(self, number: int) -> ModelReply:
        answer = self.script.popleft() if self.script else f"# «send»\nanswer {number}"
        if self.gate is not None:
            await self.gate.wait()
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, ModelReply) else ModelReply(answer, Usage(10, 5))

    async def asked(self, times: int) -> None:
        """Wait until so many calls were made."""
        while len(self.prompts) < times:
            self._asked.clear()
            await self._asked.wait()

    async def aclose(self) -> None:
        return
