"""Embeddings: near for similar texts, the same for the same, through the real google-genai client."""

import math

import pytest
from google.genai import errors, types

from tests.sandbox.prompts import talking


async def vectors(models, *texts, model="gemini-embedding-001", size=768):
    config = types.EmbedContentConfig(output_dimensionality=size)
    answer = await models.embed_content(model=model, contents=list(texts), config=config)
    return [one.values for one in answer.embeddings]


def nearness(one, other):
    return sum(a * b for a, b in zip(one, other, strict=True))


@pytest.mark.operation("batchEmbedContents", "google-genai gets one vector a text, similar texts near each other")
async def test_similar_texts_lie_near_each_other():
    async with talking() as (models, _script):
        lake, lakes, tax, cyrillic = await vectors(
            models, "We swim in the lake", "We swam in the cold lakes", "Your tax form is due", "Мы купаемся в озере"
        )
        assert all(math.isclose(nearness(one, one), 1.0, abs_tol=1e-5) for one in (lake, lakes, tax, cyrillic))
        assert nearness(lake, lakes) > 0.5
        assert nearness(lake, tax) < 0.3
        assert abs(nearness(lake, cyrillic)) < 0.3
        assert (await vectors(models, "We swim in the lake"))[0] == lake
        assert len((await vectors(models, "short", size=3))[0]) == 3


async def test_the_second_model_joins_its_texts():
    async with talking() as (models, _script):
        assert len(await vectors(models, "one", model="gemini-embedding-2")) == 1


async def test_what_can_not_be_embedded_is_refused():
    async with talking() as (models, _script):
        for texts, options in (((" ",), {}), (("x",), {"size": 4_000}), (("x",), {"model": "gemini-2.5-flash"})):
            with pytest.raises(errors.ClientError):
                await vectors(models, *texts, **options)
