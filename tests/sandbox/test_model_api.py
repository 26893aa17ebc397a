"""Tools, pictures, thinking, usage, streams, counts and the list of models, through the real google-genai client."""

import httpx2
import pytest
from google.genai import errors, types

from chimein_gui.sandbox.model.script import FunctionCall
from tests.sandbox.clients import sandbox
from tests.sandbox.prompts import MODEL, content, talking

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
