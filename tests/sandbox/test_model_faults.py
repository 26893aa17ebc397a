"""Everything that can go wrong with the model, as the product's adapter sees it; and its embeddings."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from chimein_gui.adapters.gemini.embedder import DIMENSIONS, GeminiEmbedder
from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.domain.errors import ModelKeyError, ModelRefusedError, ModelTransientError
from chimein_gui.domain.prompt.prompts import Prompt, PromptSection, Role, Turn
from chimein_gui.sandbox.model.endpoint import ModelEndpoint
from chimein_gui.sandbox.model.script import ModelScript
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.sandbox.clients import PATIENCE_S

MODEL = "gemini-2.5-flash"
SOON_S = 1.0
"""Long enough for a question to come in, even here; the next one may take its time."""
PROMPT = Prompt(MODEL, (PromptSection("Instructions", "Be Nora."),), (Turn(Role.USER, ("Hello!",)),))


class Stage:
    """A model endpoint with the next faults in a row."""

    url: str

    def __init__(self) -> None:
        self.script = ModelScript()
        self.rules: list[FaultRule] = []

    def fault(self, _method: str) -> FaultRule | None:
        return self.rules.pop(0) if self.rules else None


@asynccontextmanager
async def stage():
    it = Stage()
    endpoint = ModelEndpoint(it.script, ask_fault=it.fault)
    it.url = f"http://127.0.0.1:{await endpoint.start('127.0.0.1', 0)}"
    try:
        yield it
    finally:
        await endpoint.aclose()


@asynccontextmanager
async def adapter(it: Stage):
    model = GeminiModel("any-key", it.url, 60.0)
    try:
        yield model
    finally:
        await model.aclose()


@pytest.mark.operation("a reply that is cut off", "the product's GeminiModel keeps the text and marks it")
@pytest.mark.operation("fault MODEL_EMPTY", "the product's GeminiModel takes it for a silence")
async def test_the_product_marks_a_reply_that_is_cut_off_or_empty():
    async with stage() as it, adapter(it) as model:
        it.rules.append(FaultRule(FaultKind.MODEL_CUT_OFF))
        it.script.queue_reply("# «send»\ntwo and three")
        reply = await model.generate(PROMPT)
        assert (reply.text, reply.is_cut_off) == ("# «send»\ntwo and", True)
        assert not (await model.generate(PROMPT)).is_cut_off
        it.rules.append(FaultRule(FaultKind.MODEL_EMPTY))
        assert (await model.generate(PROMPT)).text == ""


async def test_a_client_that_hangs_up_ends_the_work():
    async with stage() as it:
        it.rules.append(FaultRule(FaultKind.MODEL_HANG))
        reader, writer = await asyncio.open_connection("127.0.0.1", int(it.url.split(":")[-1]))
        body = json.dumps({"contents": [{"parts": [{"text": "hi"}]}]}).encode()
        head = f"POST /v1beta/models/{MODEL}:generateContent?key=k HTTP/1.1\r\n"
        writer.write(f"{head}Host: x\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        await asyncio.wait_for(it.script.wait_for_calls(1), PATIENCE_S)
        writer.write_eof()
        assert await asyncio.wait_for(reader.read(), PATIENCE_S) == b""
        writer.close()
        await writer.wait_closed()


@pytest.mark.parametrize(
    ("rule", "raises"),
    [
        (FaultRule(FaultKind.MODEL_ERROR, code=401), ModelKeyError),
        (FaultRule(FaultKind.MODEL_ERROR, code=400), ModelRefusedError),
        (FaultRule(FaultKind.MODEL_ERROR, code=404), ModelRefusedError),
        (FaultRule(FaultKind.MODEL_ERROR, code=429, seconds=3), ModelTransientError),
        (FaultRule(FaultKind.MODEL_ERROR, code=503, seconds=3), ModelTransientError),
        (FaultRule(FaultKind.MODEL_DROP), ModelTransientError),
        (FaultRule(FaultKind.MODEL_HANG), ModelTransientError),
        (FaultRule(FaultKind.MODEL_BAD_JSON), ModelTransientError),
        (FaultRule(FaultKind.MODEL_BLOCKED), ModelRefusedError),
        (FaultRule(FaultKind.MODEL_SAFETY), ModelRefusedError),
        (FaultRule(FaultKind.MODEL_MAX_TOKENS), ModelRefusedError),
        (FaultRule(FaultKind.MODEL_ODD_END, message="OTHER"), ModelTransientError),
        (FaultRule(FaultKind.MODEL_ODD_END, message="NOT_KNOWN_YET"), ModelTransientError),
        (FaultRule(FaultKind.MODEL_NO_CANDIDATES), ModelTransientError),
        (FaultRule(FaultKind.MODEL_THOUGHTS), ModelTransientError),
    ],
)
@pytest.mark.operation(
    "every fault of the model", "the product's GeminiModel raises its typed failure, then works again"
)
async def test_the_product_understands_every_fault(rule, raises, monkeypatch):
    async with stage() as it, adapter(it) as model:
        it.rules.append(rule)
        if rule.kind is FaultKind.MODEL_HANG:
            monkeypatch.setattr(model, "_timeout_s", SOON_S)
        with pytest.raises(raises) as caught:
            await model.generate(PROMPT)
        monkeypatch.undo()  # the next call may take its time
        if rule.seconds:
            assert caught.value.retry_after_s == rule.seconds
        assert (await model.generate(PROMPT)).text


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
