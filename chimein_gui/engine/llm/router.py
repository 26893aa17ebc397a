"""One language model in front of several providers: the name of the model says who answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.engine.ports.model import MAIN_PROVIDER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.prompt.prompts import ModelReply, Prompt
    from chimein_gui.engine.ports import LanguageModel, ModelProvider


class ModelRouter:
    """Hands each call to the provider of its model (port `LanguageModel`)."""

    def __init__(self, main: LanguageModel, further: Iterable[ModelProvider] = ()) -> None:
        """Take the provider of all models that belong to no other, and the others.

        Raises:
            ValueError: Two of them have the same name.
        """
        self._models: dict[str, LanguageModel] = {MAIN_PROVIDER: main}
        self._prefixes: list[tuple[str, str]] = []
        for provider in further:
            if provider.name in self._models:
                raise ValueError(f"There are two providers named {provider.name!r}")
            self._models[provider.name] = provider.model
            self._prefixes += [(prefix, provider.name) for prefix in provider.prefixes]
        self._prefixes.sort(key=lambda one: len(one[0]), reverse=True)

    def provider_of(self, model: str) -> str:
        """Return who answers as a model; the longest prefix that fits decides."""
        return next((name for prefix, name in self._prefixes if model.startswith(prefix)), MAIN_PROVIDER)

    async def generate(self, prompt: Prompt) -> ModelReply:
        """Make one model call; raises what the provider's `generate` does."""
        return await self._models[self.provider_of(prompt.model)].generate(prompt)

    async def aclose(self) -> None:
        """Close the connections of all."""
        for model in self._models.values():
            await model.aclose()
