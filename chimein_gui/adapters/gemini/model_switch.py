"""Two models of which one answers: the sandbox's written one, or Gemini itself (ports `LanguageModel`, `ModelChoice`).

Both are the same class: only address and key differ, so a rehearsal with Gemini takes the way of a live run.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
        checker: Tries keys at the same address.
    """

    model: GeminiModel
    checker: GeminiKeyChecker


class ModelSwitch:
    """Passes every call to the model that is chosen at its beginning; a call under way stays with its own."""

    def __init__(self, at: dict[Answering, ModelAt], answering: Answering, has_key: Callable[[], bool]) -> None:
        """Take note; nothing is opened yet.

        Args:
            at: Where each model is.
            answering: Which one answers at first.
            has_key: Tells whether there is a key for Gemini.
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
        """Tell whether there is a key for Gemini, whether it works or not."""
        return self._has_key()

    def choose(self, answering: Answering) -> None:
        """Let another model answer from now on."""
        if answering is self._answering:
            return
        self._answering = answering
        for changed in tuple(self._listeners):
            changed()

    def listen(self, changed: Callable[[], None]) -> None:
        """Call somebody after each change."""
        self._listeners.append(changed)

    def prepare(self) -> None:
        """Import google-genai and make the client of the model that answers now, in a thread at best."""
        one = self._now
        one.model.prepare()
        self._prepared.add(one)

    async def generate(self, prompt: Prompt) -> ModelReply:
        """Make one model call; raises what `GeminiModel.generate` does."""
        return await (await self._ready()).generate(prompt)

    async def post(self, model: str, verb: str, body: Json) -> str:
        """Ask for something else; raises what `GeminiModel.post` does."""
        return await (await self._ready()).post(model, verb, body)

    async def check(self, key: str) -> KeyVerdict:
        """Try a key where it would be used."""
        return await self._now.checker.check(key)

    async def aclose(self) -> None:
        """Close the connections of both; calling it twice is harmless."""
        for one in self._at.values():
            await one.model.aclose()

    async def _ready(self) -> GeminiModel:
        """Return the model that answers now, with its client: made in the loop, it would hold the window up."""
        one = self._now
        async with self._one_at_a_time:
            if one not in self._prepared:
                await asyncio.to_thread(one.model.prepare)
                self._prepared.add(one)
        return one.model

    @property
    def _now(self) -> ModelAt:
        return self._at[self._answering]
