"""Tools on the wire: the real google-genai client beside ours, and the sandbox's model."""

from __future__ import annotations

from typing import Any

import pytest

from chimein_gui.domain.prompt.prompts import ModelReply, Prompt, PromptSection, Role, Turn, Usage
from chimein_gui.domain.prompt.tool_calls import ToolAnswer, ToolCall, ToolRound
from chimein_gui.engine.tools.declarations import TOOLS
from tests.support.model_server import serving, spoken

SIGNED = {
    "role": "model",
    "parts": [
        {"text": "she means the old plan", "thought": True},
        {
            "functionCall": {"id": "c1", "name": "search_messages", "args": {"query": "ferry", "limit": 3}},
            "thoughtSignature": "c2lnbmF0dXJl",
        },
        {"functionCall": {"name": "get_message", "args": {"message_id": 7}}},
        {"functionCall": {"name": "search_memories", "args": {"query": "ferry"}}},
    ],
}
CALLS = (
    ToolCall("search_messages", {"query": "ferry", "limit": 3}, "c1"),
    ToolCall("get_message", {"message_id": 7}),
    ToolCall("search_memories", {"query": "ferry"}),
)
ANSWERS = (
    ToolAnswer(CALLS[0], (("⟦from: Marta (id 7) | message 3 | 2026-11-20 14:02⟧", "at «six»"),)),
    ToolAnswer(CALLS[1], error="There is no message 7 in this chat."),
    ToolAnswer(CALLS[2], memories=("[2026-11-18, from another chat] the ferry leaves at nine",)),
)
PROMPT = Prompt(
    "gemini-2.5-flash",
    (PromptSection("Role", "Be Nora."),),
    (Turn(Role.USER, ("⟦Marta⟧", "when does the ferry leave?")),),
    TOOLS,
)
ASKED = {"candidates": [{"content": SIGNED, "finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 9}}


async def test_a_turn_that_asks_for_tools_is_kept_as_it_came() -> None:
    async with serving() as (server, model):
        server.answer(ASKED)
        reply = await model.generate(PROMPT)
        assert reply == ModelReply("", Usage(9), "STOP", CALLS, SIGNED)
        assert "old plan" not in repr(reply)


async def test_the_body_with_tools_and_a_round_is_what_google_genai_would_have_sent() -> None:
    from google.genai import types

    prompt = Prompt(PROMPT.model, PROMPT.sections, PROMPT.turns, TOOLS, (ToolRound(SIGNED, ANSWERS),))
    async with serving() as (server, model):
        server.answer(spoken("ok"))
        await model.generate(prompt)
        ours = server.request_body
        transport = model._opened()
        server.answer(ASKED)
        declared = types.Tool(
            function_declarations=[
                types.FunctionDeclaration(
                    name=tool.name,
                    description=tool.about,
                    parameters=types.Schema(
                        type=types.Type.OBJECT,
                        properties={
                            one.name: types.Schema(type=types.Type(one.kind.value.upper()), description=one.about)
                            for one in tool.parameters
                        },
                        required=[one.name for one in tool.parameters if one.is_required] or None,
                    ),
                )
                for tool in TOOLS
            ]
        )
        config = types.GenerateContentConfig(
            system_instruction=PROMPT.system_instruction,
            tools=[declared],
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        )
        contents = [
            types.Content(role=turn.role.value, parts=[types.Part(text=text) for text in turn.parts])
            for turn in PROMPT.turns
        ]
        call = transport.client.aio.models.generate_content
        asked = await call(model=PROMPT.model, contents=contents, config=config)
        assert asked.candidates
        assert asked.candidates[0].content is not None
        told: list[dict[str, Any]] = [
            {"messages": [list(parts) for parts in ANSWERS[0].messages]},
            {"error": ANSWERS[1].error},
            {"memories": list(ANSWERS[2].memories or ())},
        ]
        responses = [
            types.Part(function_response=types.FunctionResponse(id=one.call_id or None, name=one.name, response=told))
            for one, told in zip(CALLS, told, strict=True)
        ]
        server.answer(spoken("ok"))
        further = [*contents, asked.candidates[0].content, types.Content(role="user", parts=responses)]
        await call(model=PROMPT.model, contents=further, config=config)
        assert ours == server.request_body


@pytest.mark.parametrize("call", [{"name": 7, "args": "all", "id": []}, {"name": None}, {"args": {"a": [[[]]]}}])
async def test_a_call_of_any_shape_is_read(call: Any) -> None:
    async with serving() as (server, model):
        server.answer({"candidates": [{"content": {"parts": [{"functionCall": call}, {"functionCall": 7}, None]}}]})
        (read,) = (await model.generate(PROMPT)).calls
        assert (read.name, read.call_id) == ("", "")
        assert dict(read.arguments) == (call["args"] if isinstance(call.get("args"), dict) else {})


async def test_a_call_that_the_service_could_not_read_is_told() -> None:
    async with serving() as (server, model):
        server.answer({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]})
        reply = await model.generate(PROMPT)
        assert (reply.text, reply.calls, reply.is_garbled) == ("", (), True)
