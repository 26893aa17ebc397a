"""What an embedding has cost, as the service tells it or does not."""

from __future__ import annotations

from typing import Any

import pytest

from chimein_gui.adapters.gemini.embedder import GeminiEmbedder
from chimein_gui.domain.errors import ModelTransientError
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.engine.ports import Embedded
from tests.support.model_server import serving


@pytest.mark.parametrize(
    ("told", "tokens"),
    [
        ({"promptTokenCount": 5}, 5),
        ({"promptTokenCount": "many"}, 0),
        ({"promptTokenCount": -1}, 0),
        ("x", 0),
        (None, 0),
    ],
)
async def test_tokens_are_counted_where_the_service_tells_them(told: Any, tokens: int) -> None:
    async with serving() as (server, model):
        server.answer({"embeddings": [{"values": [1, 0.5]}], "usageMetadata": told})
        assert await GeminiEmbedder(model).embed(["tea"]) == Embedded(((1.0, 0.5),), Usage(tokens))


@pytest.mark.parametrize("body", [b"[" * 100_000, b"[]", {"embeddings": []}, {"embeddings": [{"values": "ab"}]}, b"no"])
async def test_an_answer_that_is_none_is_no_vector(body: Any) -> None:
    async with serving() as (server, model):
        server.answer(body)
        with pytest.raises(ModelTransientError):
            await GeminiEmbedder(model).embed(["tea"])
