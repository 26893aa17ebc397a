"""Gemini's embeddings as the engine's `Embedder`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.errors import ModelTransientError
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.engine.ports import Embedded, TextUse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.adapters.gemini.bodies import Json

EMBEDDING_MODEL = "gemini-embedding-001"
DIMENSIONS = 256
"""Enough to distinguish subjects of a chat, and small enough to keep a thousand vectors."""

MEMORY_DIMENSIONS = 768
"""For memories, which are searched by short questions: Google's middle size."""

_TASKS = {
    TextUse.ALIKE: "SEMANTIC_SIMILARITY",
    TextUse.STORED: "RETRIEVAL_DOCUMENT",
    TextUse.QUERY: "RETRIEVAL_QUERY",
}

MOST_TEXTS = 100
"""Most texts per call, by the service."""


class _Posts(Protocol):
    async def post(self, model: str, method: str, body: Json) -> str: ...


class GeminiEmbedder:
    """Uses the connections and the key of a model, which also closes them."""

    def __init__(self, model: _Posts, name: str = EMBEDDING_MODEL, dimensions: int = DIMENSIONS) -> None:
        """Create the embedder over the model with the connections; `dimensions` is the length of its vectors."""
        self._model = model
        self._name = name
        self._dimensions = dimensions

    @property
    def model(self) -> str:
        """Return the name of the model."""
        return self._name

    @property
    def most_texts(self) -> int:
        """Return the maximum number of texts in one call."""
        return MOST_TEXTS

    async def embed(self, texts: Sequence[str], use: TextUse = TextUse.ALIKE) -> Embedded:
        """Make one call for up to a hundred texts.

        Raises:
            ModelTransientError: Network, overload, time-out, 429, or an invalid answer.
            ModelRefusedError: Bad request, or more texts than allowed.
            ModelKeyError: The key does not work.
        """
        if not texts:
            return Embedded(())
        body = {"requests": [self._one(text, use) for text in texts]}
        return _embedded(await self._model.post(self._name, "batchEmbedContents", body), len(texts))

    def _one(self, text: str, use: TextUse) -> dict[str, object]:
        return {
            "model": f"models/{self._name}",
            "content": {"parts": [{"text": text}]},
            "taskType": _TASKS[use],
            "outputDimensionality": self._dimensions,
        }


def _embedded(body: str, count: int) -> Embedded:
    try:
        answer = json.loads(body)
        rows = tuple(tuple(float(value) for value in one["values"]) for one in answer["embeddings"])
    except (ValueError, TypeError, KeyError, RecursionError):
        rows = ()
    if len(rows) != count:
        raise ModelTransientError("The answer of the embedding model was not Gemini's.")
    usage = answer.get("usageMetadata")
    counted = usage.get("promptTokenCount") if isinstance(usage, dict) else None
    return Embedded(rows, Usage(counted if isinstance(counted, int) and counted > 0 else 0))
