"""Stage two with the real client against the sandbox's embedding endpoint: plumbing, no figure."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from chimein_gui.adapters.gemini.embedder import DIMENSIONS, GeminiEmbedder
from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.domain.errors import ModelKeyError, ModelRefusedError
from chimein_gui.sandbox.model.endpoint import ModelEndpoint
from chimein_gui.sandbox.model.script import ModelScript


@asynccontextmanager
async def embedding(name: str = "gemini-embedding-001", key: str = "any-key") -> AsyncIterator[GeminiEmbedder]:
    endpoint = ModelEndpoint(ModelScript(), None)
    model = GeminiModel(key, f"http://127.0.0.1:{await endpoint.start('127.0.0.1', 0)}")
    try:
        yield GeminiEmbedder(model, name)
    finally:
        await model.aclose()
        await endpoint.aclose()


def nearness(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


async def test_each_text_gets_a_vector_in_order_and_like_texts_lie_near() -> None:
    async with embedding() as embedder:
        answer = await embedder.embed(["the tent leaks", "the tents leak", "your tax form is due"])
        tent, tents, tax = answer.vectors
        assert len(tent) == DIMENSIONS
        assert nearness(tent, tents) > nearness(tent, tax) + 0.3
        assert (await embedder.embed(["the tent leaks"])).vectors == (tent,)
        assert (await embedder.embed([])).vectors == ()


async def test_one_call_takes_so_many_texts_and_no_more() -> None:
    async with embedding() as embedder:
        most = embedder.most_texts
        found = (await embedder.embed([f"text {number}" for number in range(most)])).vectors
        assert len(found) == most
        assert found[-1] == (await embedder.embed([f"text {most - 1}"])).vectors[0]
        with pytest.raises(ModelRefusedError):
            await embedder.embed([f"text {number}" for number in range(most + 1)])


async def test_a_refusal_is_the_engines_error() -> None:
    async with embedding("gemini-2.5-flash") as embedder:
        with pytest.raises(ModelRefusedError):
            await embedder.embed(["x"])
    async with embedding(key="") as embedder:
        with pytest.raises(ModelKeyError):
            await embedder.embed(["x"])
