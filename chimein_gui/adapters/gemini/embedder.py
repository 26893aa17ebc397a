"""Gemini's embeddings as the engine's `Embedder`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ModelTransientError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.adapters.gemini.model import GeminiModel

EMBEDDING_MODEL = "gemini-embedding-001"
DIMENSIONS = 256
"""Enough to tell subjects of a chat apart, and small enough to keep a thousand."""

_AT_ONCE = 100


class GeminiEmbedder:
    """Asks with the connections and the key of a `GeminiModel`, which closes them."""

    def __init__(self, model: GeminiModel, name: str = EMBEDDING_MODEL) -> None:
        """Take the model that owns the connections, and the name of the embedding model."""
        self._model = model
        self._name = name

    async def embed(self, texts: Sequence[str]) -> tuple[tuple[float, ...], ...]:
        """Return a vector for each text.

        Raises:
            ModelTransientError: Network, overload, time-out, 429, or an answer that is none.
            ModelRefusedError: Bad request.
            ModelKeyError: The key does not work.
        """
        found: list[tuple[float, ...]] = []
        for start in range(0, len(texts), _AT_ONCE):
            part = texts[start : start + _AT_ONCE]
            answer = await self._model.post(
                self._name, "batchEmbedContents", {"requests": [self._one(t) for t in part]}
            )
            found += _vectors_of(answer, len(part))
        return tuple(found)

    def _one(self, text: str) -> dict[str, object]:
        return {
            "model": f"models/{self._name}",
            "content": {"parts": [{"text": text}]},
            "taskType": "SEMANTIC_SIMILARITY",
            "outputDimensionality": DIMENSIONS,
        }


def _vectors_of(body: str, count: int) -> list[tuple[float, ...]]:
    try:
        rows = [tuple(float(value) for value in one["values"]) for one in json.loads(body)["embeddings"]]
    except (ValueError, TypeError, KeyError):
        rows = []
    if len(rows) != count:
        raise ModelTransientError("The answer of the embedding model was not Gemini's.")
    return rows
