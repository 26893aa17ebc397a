"""The language model, as the engine sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class KeyVerdict:
    """What trying a key has shown.

    Attributes:
        ok: It works.
        words: The same for the operator: what is wrong, and what to do.
        models: How many models it may use; 0 unless it works.
    """

    ok: bool
    words: str
    models: int = 0


class KeyChecker(Protocol):
    """Tries a key of the language model."""

    async def check(self, key: str) -> KeyVerdict:
        """Make one call that costs nothing with this key, bounded in time; never raises for what is wrong with it."""
        ...
