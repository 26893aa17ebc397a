"""Everything that can go wrong with the model, as the real google-genai client and the product's adapter see it."""

import asyncio
import json
from contextlib import asynccontextmanager

import httpx2
import pytest
from google import genai
from google.genai import errors, types

from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.domain.errors import ModelKeyError, ModelRefusedError, ModelTransientError
from chimein_gui.domain.prompt.prompts import Prompt, PromptSection, Role, Turn
from chimein_gui.sandbox.model.endpoint import ModelEndpoint
from chimein_gui.sandbox.model.errors import BAD_KEY
from chimein_gui.sandbox.model.script import ModelScript
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.sandbox.clients import PATIENCE_S

MODEL = "gemini-2.5-flash"
SOON_S = 1.0
"""Long enough for a question to come in, even here; the next one may take its time."""
PROMPT = Prompt(MODEL, (PromptSection("Instructions", "Be Nora."),), (Turn(Role.USER, ("Hello!",)),))


class Stage:
    """A model endpoint with the next faults in a row, and the real client."""

    models: genai.models.AsyncModels
    url: str

    def __init__(self) -> None:
        self.script = ModelScript()
        self.rules: list[FaultRule] = []
        self.asked: list[str] = []

    def fault(self, method: str) -> FaultRule | None:
        self.asked.append(method)
        return self.rules.pop(0) if self.rules else None

    def inject(self, kind: FaultKind, **more) -> None:
        self.rules.append(FaultRule(kind, **more))

    async def ask(self, *, timeout_s: float = PATIENCE_S):
        return await self.models.generate_content(model=MODEL, contents="Hello!", config=within(timeout_s))

    async def stream(self, *, timeout_s: float = PATIENCE_S) -> list:
        pieces = await self.models.generate_content_stream(model=MODEL, contents="Hello!", config=within(timeout_s))
        return [one async for one in pieces]


def within(seconds: float) -> types.GenerateContentConfig:
    return types.GenerateContentConfig(http_options=types.HttpOptions(timeout=round(1_000 * seconds)))


@asynccontextmanager
async def stage():
    it = Stage()
    endpoint = ModelEndpoint(it.script, ask_fault=it.fault)
    it.url = f"http://127.0.0.1:{await endpoint.start('127.0.0.1', 0)}"
    async with httpx2.AsyncClient(trust_env=False) as http:
        options = types.HttpOptions(base_url=it.url, api_version="v1beta", httpx_async_client=http)
        it.models = genai.Client(api_key="any-key", http_options=options).aio.models
        try:
            yield it
        finally:
            await endpoint.aclose()


@asynccontextmanager
async def adapter(it: Stage, key="any-key", timeout_s=60.0):
    model = GeminiModel(key, it.url, timeout_s)
    try:
        yield model
    finally:
        await model.aclose()


@pytest.mark.parametrize("code", [400, 401, 403, 404, 429, 500, 503])
@pytest.mark.operation(
    "fault MODEL_ERROR: 400, 401, 403, 404, 429, 500, 503", "google-genai raises that code, then works again"
)
async def test_an_error_is_that_error_once(code):
    async with stage() as it:
        it.inject(FaultKind.MODEL_ERROR, code=code, message="as ordered", seconds=7)
        with pytest.raises(errors.APIError, match="as ordered") as caught:
            await it.ask()
        assert caught.value.code == code
        assert ("7s" in json.dumps(caught.value.details)) == (code in (429, 503))
        assert caught.value.response.headers.get("retry-after") == ("7" if code in (429, 503) else None)
        assert (await it.ask()).text
        assert it.script.total_calls == 2


@pytest.mark.parametrize(
    ("kind", "finish"),
    [
        pytest.param(
            FaultKind.MODEL_EMPTY,
            "STOP",
            marks=pytest.mark.operation("fault MODEL_EMPTY", "a candidate without content"),
        ),
        pytest.param(
            FaultKind.MODEL_SAFETY,
            "SAFETY",
            marks=pytest.mark.operation("fault MODEL_SAFETY", "finishReason SAFETY, no text"),
        ),
        pytest.param(
            FaultKind.MODEL_MAX_TOKENS,
            "MAX_TOKENS",
            marks=pytest.mark.operation("fault MODEL_MAX_TOKENS", "finishReason MAX_TOKENS, no text"),
        ),
    ],
)
async def test_an_answer_without_words(kind, finish):
    async with stage() as it:
        for how in (it.ask, it.stream):
            it.inject(kind)
            found = await how()
            answer = found if not isinstance(found, list) else found[-1]
            assert answer.text is None
            assert answer.candidates[0].finish_reason.value == finish
            assert answer.usage_metadata.total_token_count == answer.usage_metadata.prompt_token_count


@pytest.mark.operation("a reply that is cut off", "the product's GeminiModel keeps the text and marks it")
async def test_the_product_marks_a_reply_that_is_cut_off():
    async with stage() as it, adapter(it) as model:
        it.inject(FaultKind.MODEL_CUT_OFF)
        it.script.queue_reply("# «send»\ntwo and three")
        reply = await model.generate(PROMPT)
        assert (reply.text, reply.is_cut_off) == ("# «send»\ntwo and", True)
        assert not (await model.generate(PROMPT)).is_cut_off


async def test_a_body_as_ordered_is_sent_as_it_is():
    async with stage() as it:
        it.script.queue_body({"candidates": [{"content": {"parts": [{"text": "by hand"}]}}]})
        assert (await it.ask()).text == "by hand"
        it.script.queue_body(b"<html>log in first</html>", status=200)
        with pytest.raises(json.JSONDecodeError):
            await it.ask()


async def test_a_client_that_hangs_up_ends_the_work():
    async with stage() as it:
        it.inject(FaultKind.MODEL_HANG)
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


@pytest.mark.operation("a bad API key", "the product's GeminiModel raises ModelKeyError")
async def test_the_key_that_is_always_bad():
    async with stage() as it, adapter(it, key=BAD_KEY) as model:
        with pytest.raises(ModelKeyError):
            await model.generate(PROMPT)
        assert it.script.total_calls == 0
