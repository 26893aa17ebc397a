"""The Gemini endpoint, through the unmodified google-genai client on its httpx2 path."""

import asyncio
from contextlib import asynccontextmanager

import httpx2
import pytest
from google import genai
from google.genai import errors, types

from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.sandbox.clients import sandbox

MODEL = "gemini-2.5-flash"
HEADER = "⟦from: Marta Oliveira (id 5001) | message 12 | reply to 9 | 2026-11-20 14:02⟧"


@asynccontextmanager
async def genai_client(server, key="any-key"):
    async with httpx2.AsyncClient(trust_env=False) as http:
        options = types.HttpOptions(
            base_url=server.addresses.model_base_url, api_version="v1beta", timeout=60_000, httpx_async_client=http
        )
        yield genai.Client(api_key=key, http_options=options).aio.models


def turn(*texts, role="user"):
    return {"role": role, "parts": [{"text": text} for text in texts]}


async def ask(models, *contents, **config):
    return await models.generate_content(
        model=MODEL, contents=list(contents) or [turn(HEADER, "Hello!")], config=config or None
    )


async def test_free_text_gets_one_send_block_with_usage():
    async with sandbox() as server, genai_client(server) as models:
        answer = await ask(models, turn(HEADER, "Shall we rent the boat?"), system_instruction="Be Nora.")
        heading, text = answer.text.split("\n", 1)
        assert heading == "# «send»"
        assert text
        assert "rent the boat" not in text
        usage = answer.usage_metadata
        assert usage.prompt_token_count > 10
        assert usage.total_token_count == usage.prompt_token_count + usage.candidates_token_count
        assert answer.candidates[0].finish_reason is types.FinishReason.STOP
        (call,) = server.model.calls
        assert (call.model, call.system_instruction) == (MODEL, "Be Nora.")
        assert call.contents[-1]["parts"][1]["text"] == "Shall we rent the boat?"


async def test_queued_replies_come_first_and_in_order():
    async with sandbox() as server, genai_client(server) as models:
        server.model.queue_reply("# «send» 12\nfirst")
        server.model.queue_reply("# «send»\nsecond\n# «send»\nthird")
        assert (await ask(models)).text == "# «send» 12\nfirst"
        assert (await ask(models)).text == "# «send»\nsecond\n# «send»\nthird"
        assert (await ask(models)).text.startswith("# «send»\n")
        assert len(server.model.calls) == 3


async def test_a_delay_is_kept_and_a_client_that_gives_up_harms_nobody():
    async with sandbox() as server, genai_client(server) as models:
        server.model.set_delay(0.05)
        started = asyncio.get_running_loop().time()
        assert (await ask(models)).text
        assert asyncio.get_running_loop().time() - started >= 0.05
        server.model.set_delay(3_600)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(ask(models), 0.1)
        assert len(server.model.calls) == 2
        server.model.set_delay(0)
        assert (await ask(models)).text


async def test_it_thinks_before_it_speaks_of_its_own_accord_and_nobody_waits_for_what_is_given_up():
    async with sandbox(thinking_s=(0.05, 0.1)) as server, genai_client(server) as models:
        clock = asyncio.get_running_loop().time
        started = clock()
        assert (await ask(models)).text
        assert clock() - started >= 0.05
        server.model.thinking_s = (3_600, 3_600)
        server.model.queue_reply("# «send»\nordered")
        assert (await ask(models)).text == "# «send»\nordered", "what is ordered comes at once"
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(ask(models), 0.1)
        server.model.thinking_s = (0, 0)
        assert (await ask(models)).text


async def test_a_key_is_asked_for():
    async with sandbox() as server, httpx2.AsyncClient(trust_env=False) as http:
        url = f"{server.addresses.model_base_url}/v1beta/models/{MODEL}:generateContent"
        refused = await http.post(url, json={"contents": [turn("hi")]})
        assert (refused.status_code, refused.json()["error"]["status"]) == (403, "PERMISSION_DENIED")
        by_header = await http.post(url, json={"contents": [turn("hi")]}, headers={"X-Goog-Api-Key": "k"})
        by_query = await http.post(f"{url}?key=k", json={"contents": [turn("hi")]})
        assert (by_header.status_code, by_query.status_code) == (200, 200)
        assert len(server.model.calls) == 2


@pytest.mark.parametrize("body", [b"", b"nonsense", b"[]", b"{}", b'{"contents": []}', b'{"contents": ["text"]}'])
async def test_a_body_that_is_no_request(body):
    async with sandbox() as server, httpx2.AsyncClient(trust_env=False, headers={"x-goog-api-key": "k"}) as http:
        url = f"{server.addresses.model_base_url}/v1beta/models/{MODEL}:generateContent"
        refused = await http.post(url, content=body)
        assert (refused.status_code, refused.json()["error"]["status"]) == (400, "INVALID_ARGUMENT")


@pytest.mark.operation("model fault on one method until taken back", "other methods are answered; then this one too")
async def test_a_fault_strikes_its_method_until_it_is_taken_back():
    async with sandbox() as server, genai_client(server) as models:
        rule = FaultRule(FaultKind.MODEL_ERROR, "countTokens", code=500, message="x", times=0)
        fault_id = await server.console.inject(rule)
        for _ in range(2):
            with pytest.raises(errors.ServerError):
                await models.count_tokens(model=MODEL, contents="Hello!")
            assert (await ask(models)).text
        assert (await server.console.rehearsal()).recent[0] == "countTokens got HTTP 500"
        await server.console.remove_fault(fault_id)
        assert (await models.count_tokens(model=MODEL, contents="Hello!")).total_tokens


@pytest.mark.operation("model fault: a slow answer", "a second call made meanwhile is answered first")
async def test_a_slow_answer_holds_up_no_other():
    async with sandbox() as server, genai_client(server) as models:
        await server.console.inject(FaultRule(FaultKind.MODEL_SLOW, "generateContent", seconds=1))
        async with asyncio.TaskGroup() as group:
            asking = group.create_task(ask(models))
            await server.model.wait_for_calls(1)
            assert (await ask(models)).text
            assert not asking.done()
        assert asking.result().text
