"""The part of an agent's prompts that is the same in all its calls, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FixedKind(StrEnum):
    """Where a fixed section of the prompt comes from."""

    MODEL = "model"
    ROLES = "roles"
    INSTRUCTIONS = "instructions"
    STICKERS = "stickers"
    OURS = "ours"
    """What Chimein explains to the model."""


@dataclass(frozen=True, slots=True)
class FixedPart:
    """The estimated size of the fixed part.

    Attributes:
        tokens: Tokens by kind, in the order of the prompt; kinds without a text are left out.
        usd: What it costs in each call whose provider has not cached it, in US dollars; None without a price.
    """

    tokens: tuple[tuple[FixedKind, int], ...] = ()
    usd: float | None = None

    @property
    def total(self) -> int:
        """Tokens in all."""
        return sum(count for _kind, count in self.tokens)
