"""The language model, as the engine sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from chimein_gui.domain.prompts import ModelReply, Prompt


class LanguageModel(Protocol):
    """Answers prompts."""

    async def generate(self, prompt: Prompt) -> ModelReply:
        """Make one model call, bounded to 60 s; cancelling it is prompt.

        Raises:
            ModelTransientError: Network, overload, time-out, 429.
            ModelRefusedError: Bad request or blocked prompt.
            ModelKeyError: The key does not work.
        """
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors that lie near each other where the texts mean the same."""

    async def embed(self, texts: Sequence[str]) -> tuple[tuple[float, ...], ...]:
        """Return a vector for each text, all of one length; cancelling it is prompt.

        Raises:
            ModelError: As `LanguageModel.generate`.
        """
        ...
