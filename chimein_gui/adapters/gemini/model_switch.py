"""Switches between two models: the sandbox's written one, and Gemini (ports `LanguageModel`, `ModelChoice`).

Both have the same class: only address and key differ, so a rehearsal with Gemini uses the code of a live run.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.adapters.gemini import bodies
from chimein_gui.adapters.gemini.counting import steps_of
from chimein_gui.domain.settings.answering import Answering

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.adapters.gemini.bodies import Json
    from chimein_gui.adapters.gemini.key_check import GeminiKeyChecker
    from chimein_gui.adapters.gemini.model import GeminiModel
    from chimein_gui.domain.prompt.prompts import ModelReply, Prompt
    from chimein_gui.engine.ports import KeyVerdict


@dataclass(frozen=True, slots=True)
class ModelAt:
    """A model at an address.

    Attributes:
        model: Answers prompts.
        checker: Tests keys at the same address.
    """

    model: GeminiModel
    checker: GeminiKeyChecker


class ModelSwitch:
    """Passes every call to the model that is chosen at its beginning; running calls are not affected by a change."""

    def __init__(self, at: dict[Answering, ModelAt], answering: Answering, has_key: Callable[[], bool]) -> None:
        """Create the switch; nothing is opened yet.

        Args:
            at: The models and their addresses.
            answering: The model that answers at first.
            has_key: Returns whether there is a key for Gemini.
        """
        self._at, self._answering, self._has_key = at, answering, has_key
        self._prepared: set[ModelAt] = set()
        self._one_at_a_time = asyncio.Lock()
        self._listeners: list[Callable[[], None]] = []

    @property
    def answering(self) -> Answering:
        """Return which model answers now."""
        return self._answering

    def has_key(self) -> bool:
        """Return whether there is a key for Gemini, valid or not."""
        return self._has_key()

    def choose(self, answering: Answering) -> None:
        """Let another model answer from now on."""
        if answering is self._answering:
            return
        self._answering = answering
        for changed in tuple(self._listeners):
            changed()

    def listen(self, changed: Callable[[], None]) -> None:
        """Call a function after each change."""
        self._listeners.append(changed)

    def prepare(self) -> None:
        """Import google-genai and make the client of the current model; best called in a thread."""
        one = self._now
        one.model.prepare()
        self._prepared.add(one)

    async def generate(self, prompt: Prompt) -> ModelReply:
        """Make one model call; raises what `GeminiModel.generate` does."""
        return await (await self._ready()).generate(prompt)

    async def generate_again(self, model: str, body: bytes) -> ModelReply:
        """Make one call with the bytes of an earlier one; raises what `GeminiModel.generate_again` does."""
        return await (await self._ready()).generate_again(model, body)

    request_of = staticmethod(bodies.request_of)
    read_request = staticmethod(bodies.read_request)
    counting_steps = staticmethod(steps_of)

    async def count(self, model: str, body: bytes) -> int:
        """Count the tokens of a request; raises what `GeminiModel.count` does."""
        return await (await self._ready()).count(model, body)

    async def post(self, model: str, method: str, body: Json) -> str:
        """Send another request; raises what `GeminiModel.post` does."""
        return await (await self._ready()).post(model, method, body)

    async def check(self, key: str) -> KeyVerdict:
        """Test a key at the address of the current model."""
        return await self._now.checker.check(key)

    async def aclose(self) -> None:
        """Close the connections of both; a second call has no effect."""
        for one in self._at.values():
            await one.model.aclose()

    async def _ready(self) -> GeminiModel:
        """Return the current model with its client, which is made in a thread, so as not to block the window."""
        one = self._now
        async with self._one_at_a_time:
            if one not in self._prepared:
                await asyncio.to_thread(one.model.prepare)
                self._prepared.add(one)
        return one.model

    @property
    def _now(self) -> ModelAt:
        return self._at[self._answering]
