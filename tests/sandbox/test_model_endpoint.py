"""The Gemini endpoint, through the unmodified google-genai client: what it answers, counts, and refuses."""

import asyncio
from contextlib import asynccontextmanager

import httpx2
import pytest
from google import genai
from google.genai import errors, types

from chimein_gui.sandbox.model.script import FunctionCall, ModelCall
from chimein_gui.sandbox.model.talk.responder import Responder
from chimein_gui.sandbox_api import FaultKind, FaultRule
from chimein_gui.viewmodels.rehearsal.incident_words import incident_words
from tests.sandbox.clients import sandbox
from tests.sandbox.prompts import MODEL, content, talking

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


async def test_half_an_emoji_is_answered_as_well():
    answer = await Responder().answer(ModelCall(MODEL, "Be Nora \ud83d.", (turn(HEADER, "Hello \ud83d there!"),)))
    assert answer.text.startswith("# «send»\n")


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
        assert incident_words((await server.console.rehearsal()).recent[0]) == "countTokens got HTTP 500"
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


SEARCH = types.FunctionDeclaration(
    name="search_memories",
    description="Looks up what is remembered",
    parameters_json_schema={"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
)
NO_AUTOMATIC = types.AutomaticFunctionCallingConfig(disable=True)


def config(**fields):
    return types.GenerateContentConfig(automatic_function_calling=NO_AUTOMATIC, **fields)


@pytest.mark.operation("generateContent: function call and answer", "a call as ordered; its answer is taken")
async def test_a_tool_is_called_and_its_answer_taken():
    tools = [types.Tool(function_declarations=[SEARCH])]
    async with talking() as (models, script):
        script.queue_reply("", calls=(FunctionCall("search_memories", {"query": "cat"}),))
        turns = [content("user", "What's my cat's name?")]
        first = await models.generate_content(model=MODEL, contents=turns, config=config(tools=tools))
        (call,) = first.function_calls
        assert (call.name, call.args) == ("search_memories", {"query": "cat"})
        result = types.Part.from_function_response(name=call.name, response={"result": ["My cat's name is Pepper."]})
        turns += [first.candidates[0].content, types.Content(role="user", parts=[result])]
        second = await models.generate_content(model=MODEL, contents=turns, config=config(tools=tools))
        assert second.text.startswith("# «send»\n")
        assert second.usage_metadata.prompt_token_count > first.usage_metadata.prompt_token_count
        assert [tool["name"] for tool in script.calls[-1].tools] == ["search_memories"]


@pytest.mark.operation("generateContent: a picture", "the answer names its type; usage counts it as IMAGE")
async def test_a_picture_is_looked_at():
    picture = types.Part.from_bytes(data=b"\x89PNG" * 100, mime_type="image/png")
    async with talking() as (models, _script):
        turn = types.Content(role="user", parts=[types.Part(text="What do you see?"), picture])
        answer = await models.generate_content(model=MODEL, contents=[turn])
        assert "image/png, 400 bytes" in answer.text
        assert "«" not in answer.text
        counted = {one.modality.value: one.token_count for one in answer.usage_metadata.prompt_tokens_details}
        assert counted["IMAGE"] == 258
        assert sum(counted.values()) == answer.usage_metadata.prompt_token_count


@pytest.mark.operation("generateContent: thinking", "a thought part, a signature, and thinking tokens in the total")
async def test_thinking_is_shown_on_request_and_counted():
    async with talking() as (models, script):
        script.queue_reply("# «send»\nYes.", thoughts="They want a yes.", usage={"thinking": 40})
        shown = types.ThinkingConfig(include_thoughts=True)
        answer = await models.generate_content(model=MODEL, contents="Well?", config=config(thinking_config=shown))
        thought, spoken = answer.candidates[0].content.parts
        assert (thought.thought, thought.text) == (True, "They want a yes.")
        assert spoken.thought_signature
        usage = answer.usage_metadata
        assert usage.thoughts_token_count == 40
        assert usage.total_token_count == usage.prompt_token_count + usage.candidates_token_count + 40
        off = types.ThinkingConfig(thinking_budget=0)
        silent = await models.generate_content(model=MODEL, contents="Well?", config=config(thinking_config=off))
        assert silent.usage_metadata.thoughts_token_count is None


@pytest.mark.operation("countTokens", "counts contents; refuses a system instruction beside them")
async def test_tokens_are_counted():
    async with sandbox() as server, httpx2.AsyncClient(trust_env=False, headers={"x-goog-api-key": "k"}) as http:
        url = f"{server.addresses.model_base_url}/v1beta/models/{MODEL}:countTokens"
        turns = {"contents": [{"role": "user", "parts": [{"text": "x" * 400}]}]}
        assert (await http.post(url, json=turns)).json()["totalTokens"] == 100
        refused = await http.post(url, json=turns | {"systemInstruction": {"parts": [{"text": "be kind"}]}})
        assert refused.status_code == 400
        assert "systemInstruction" in refused.json()["error"]["message"]
    async with talking() as (models, _script):
        assert (await models.count_tokens(model=MODEL, contents="x" * 40)).total_tokens == 10


async def test_a_prompt_that_begins_like_an_earlier_one_comes_partly_from_a_cache():
    async with sandbox() as server, genai_client(server) as models:
        long = "be kind " * 600

        async def cached(*contents, instruction=long):
            answer = await ask(models, *contents, system_instruction=instruction)
            return answer.usage_metadata.cached_content_token_count or 0

        assert await cached(turn("hello")) == 0, "nobody asked before"
        assert 1_150 <= await cached(turn("hello"), turn("and now?")) < 1_210
        assert await cached(turn("hello"), instruction="but " + long) == 0, "it begins otherwise"
        assert [await cached(turn("hello"), instruction="short") for _ in range(2)] == [0, 0]


@pytest.mark.operation("models.list, models.get", "google-genai pages through them; an unknown one is 404")
async def test_the_models_are_listed():
    async with talking() as (models, _script):
        listed = [one async for one in await models.list(config={"page_size": 2, "query_base": True})]
        assert "models/gemini-2.5-flash" in [one.name for one in listed]
        assert len(listed) == len({one.name for one in listed}) > 2
        assert (await models.get(model="gemini-embedding-001")).supported_actions[0] == "embedContent"
        for call in (
            models.get(model="nonsense"),
            models.generate_content(model="nonsense", contents="Hi"),
            models.generate_content(model="gemini-embedding-001", contents="Hi"),
        ):
            with pytest.raises(errors.ClientError, match="not found") as caught:
                await call
            assert caught.value.code == 404


TEXT = {"text": "hi"}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"contents": [{"role": "model", "parts": [TEXT]}]}, "end with a user role"),
        ({"contents": [{"role": "user", "parts": []}]}, "must not be empty"),
        ({"contents": [{"parts": [TEXT]}], "unheard": 1}, "Unknown name"),
        ({"contents": [{"parts": [TEXT]}], "generationConfig": {"temperature": 3}}, "temperature"),
        ({"contents": [{"parts": [TEXT]}], "generation_config": {"max_output_tokens": 0}}, "max_output_tokens"),
        ({"contents": [{"parts": [TEXT]}], "tools": [{"functionDeclarations": [{"name": "2x"}]}]}, "function name"),
        ({"contents": [{"parts": [{"functionResponse": {"name": "f", "response": {}}}]}]}, "after a function call"),
        ({"contents": [{"parts": [{"inlineData": {"data": "AA=="}}]}]}, "mime_type"),
    ],
)
async def test_what_google_refuses_is_refused(body, words):
    async with sandbox() as server, httpx2.AsyncClient(trust_env=False, headers={"x-goog-api-key": "k"}) as http:
        refused = await http.post(f"{server.addresses.model_base_url}/v1beta/models/{MODEL}:generateContent", json=body)
        error = refused.json()["error"]
        assert (refused.status_code, error["status"]) == (400, "INVALID_ARGUMENT")
        assert words in error["message"]
