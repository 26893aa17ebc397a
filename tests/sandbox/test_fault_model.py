"""Faults of the model, through the unmodified google-genai client."""

import asyncio
import json
from contextlib import asynccontextmanager

import httpx2
import pytest
from google import genai
from google.genai import errors, types

from chimein_gui.engine.sandbox_port import FaultKind, FaultRule
from tests.sandbox.clients import sandbox

GENERATE = "generateContent"
HELLO = [{"role": "user", "parts": [{"text": "Hello!"}]}]


@asynccontextmanager
async def _room():
    async with sandbox() as server, httpx2.AsyncClient(trust_env=False) as http:
        options = types.HttpOptions(
            base_url=server.addresses.model_base_url, api_version="v1beta", timeout=60_000, httpx_async_client=http
        )
        yield server, genai.Client(api_key="any-key", http_options=options).aio.models


async def _ask(models):
    return await models.generate_content(model="gemini-2.5-flash", contents=HELLO)


async def _answers_well(models) -> bool:
    return bool((await _ask(models)).text)


@pytest.mark.parametrize(
    ("code", "message", "kind"),
    [
        (400, "API key not valid.", errors.ClientError),
        (403, "The caller does not have permission", errors.ClientError),
        (404, "models/x is not found", errors.ClientError),
        (429, "You exceeded your current quota.", errors.ClientError),
        (500, "An internal error has occurred.", errors.ServerError),
        (503, "The model is overloaded.", errors.ServerError),
    ],
)
@pytest.mark.operation("model fault: an HTTP error on the next call", "the call after it is answered")
async def test_an_error(code, message, kind):
    async with _room() as (server, models):
        await server.console.inject(FaultRule(FaultKind.MODEL_ERROR, GENERATE, code=code, message=message))
        with pytest.raises(kind) as caught:
            await _ask(models)
        assert (caught.value.code, caught.value.message) == (code, message)
        assert await _answers_well(models)
        assert (await server.console.rehearsal()).recent == (f"generateContent got HTTP {code}",)


@pytest.mark.parametrize("code", [429, 503])
@pytest.mark.operation("model fault: asked to wait (RetryInfo)", "the client reads the delay; the next is answered")
async def test_an_error_that_asks_to_wait(code):
    async with _room() as (server, models):
        await server.console.inject(FaultRule(FaultKind.MODEL_ERROR, code=code, message="Later.", seconds=20))
        with pytest.raises(errors.APIError) as caught:
            await _ask(models)
        (retry,) = caught.value.details["error"]["details"]
        assert retry["retryDelay"] == "20s"
        assert await _answers_well(models)


@pytest.mark.operation("model fault: a slow answer", "a second call made meanwhile is answered first")
async def test_a_slow_answer():
    async with _room() as (server, models):
        await server.console.inject(FaultRule(FaultKind.MODEL_SLOW, GENERATE, seconds=2))
        async with asyncio.TaskGroup() as group:
            asking = group.create_task(_ask(models))
            await server.model.wait_for_calls(1)
            assert await _answers_well(models)
            assert not asking.done()
        assert asking.result().text


@pytest.mark.operation("model fault: no answer at all", "the server has the prompt; a second call is answered")
async def test_a_hanging_model():
    async with _room() as (server, models):
        await server.console.inject(FaultRule(FaultKind.MODEL_HANG, GENERATE))
        async with asyncio.TaskGroup() as group:
            asking = group.create_task(_ask(models))
            await server.model.wait_for_calls(1)
            assert await _answers_well(models)
            assert not asking.done()
            asking.cancel()


@pytest.mark.operation("model fault: cut off in the middle of the answer", "the next call is answered")
async def test_an_answer_that_is_cut_off():
    async with _room() as (server, models):
        await server.console.inject(FaultRule(FaultKind.MODEL_DROP, GENERATE))
        with pytest.raises(httpx2.TransportError):
            await _ask(models)
        assert await _answers_well(models)


@pytest.mark.operation("model fault: broken JSON", "the next call is answered")
async def test_broken_json():
    async with _room() as (server, models):
        await server.console.inject(FaultRule(FaultKind.MODEL_BAD_JSON, GENERATE))
        with pytest.raises((json.JSONDecodeError, errors.UnknownApiResponseError)):
            await _ask(models)
        assert await _answers_well(models)


@pytest.mark.operation("model fault: the prompt is blocked", "prompt_feedback says why; the next call is answered")
async def test_a_blocked_prompt():
    async with _room() as (server, models):
        await server.console.inject(FaultRule(FaultKind.MODEL_BLOCKED, GENERATE))
        answer = await _ask(models)
        assert answer.prompt_feedback.block_reason is not None
        assert not answer.candidates
        assert await _answers_well(models)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (FaultKind.MODEL_EMPTY, types.FinishReason.STOP),
        (FaultKind.MODEL_SAFETY, types.FinishReason.SAFETY),
        (FaultKind.MODEL_MAX_TOKENS, types.FinishReason.MAX_TOKENS),
    ],
)
@pytest.mark.operation("model fault: empty, SAFETY, MAX_TOKENS", "the finish reason; the next call is answered")
async def test_an_answer_without_text(kind, reason):
    async with _room() as (server, models):
        await server.console.inject(FaultRule(kind, GENERATE))
        answer = await _ask(models)
        assert answer.text is None
        assert answer.candidates[0].finish_reason is reason
        assert await _answers_well(models)


@pytest.mark.operation("model fault on one method until taken back", "other methods are answered; then this one too")
async def test_only_its_method_and_only_until_it_is_taken_back():
    async with _room() as (server, models):
        rule = FaultRule(FaultKind.MODEL_ERROR, "countTokens", code=500, message="x", times=0)
        fault_id = await server.console.inject(rule)
        for _ in range(2):
            with pytest.raises(errors.ServerError):
                await models.count_tokens(model="gemini-2.5-flash", contents=HELLO)
            assert await _answers_well(models)
        await server.console.remove_fault(fault_id)
        assert (await models.count_tokens(model="gemini-2.5-flash", contents=HELLO)).total_tokens


@pytest.mark.operation("model fault at random with a seed", "a second server with the same seed fails the same calls")
async def test_chance_is_the_same_again():
    runs = []
    for seed in (3, 3, 4):
        async with _room() as (server, models):
            await server.console.set_seed(seed)
            rule = FaultRule(FaultKind.MODEL_ERROR, GENERATE, code=503, message="x", times=0, probability=0.4)
            await server.console.inject(rule)
            runs.append([await _is_refused(models) for _ in range(30)])
    assert runs[0] == runs[1] != runs[2]
    assert 3 < sum(runs[0]) < 27


async def _is_refused(models) -> bool:
    try:
        await _ask(models)
    except errors.ServerError:
        return True
    return False
