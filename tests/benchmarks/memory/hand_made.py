"""Vectors made by hand: they prove plumbing, and are no measure of quality."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from chimein_gui.domain.memory.terms import terms_of
from chimein_gui.engine.ports import Embedded, TextUse

if TYPE_CHECKING:
    from collections.abc import Sequence

DIMENSION = 256


class HandMadeEmbedder:
    """Implements `engine.ports.Embedder`: a text's vector is the sum of a random one for each of its terms."""

    model = "hand-made vectors (plumbing only, no measure of quality)"
    most_texts = 500

    async def embed(self, texts: Sequence[str], use: TextUse = TextUse.ALIKE) -> Embedded:
        """Make a vector for each text."""
        return Embedded(tuple(map(_vector_of, texts)))


def _vector_of(text: str) -> tuple[float, ...]:
    total = [0.0] * DIMENSION
    for term in terms_of(text):
        numbers = random.Random(term)
        total = [one + numbers.choice((-1.0, 1.0)) for one in total]
    return tuple(total)
