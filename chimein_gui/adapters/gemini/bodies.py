"""Builds the JSON body of a Gemini request (v1beta `generateContent`) from a prompt."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import replace
from functools import lru_cache
from json.encoder import encode_basestring_ascii
from typing import Any

from chimein_gui.domain.prompt.prompts import FILE_MARK, InlineFile, Prompt, Role
from chimein_gui.domain.prompt.sent import RequestText, RequestTurn
from chimein_gui.domain.prompt.tool_calls import ToolAnswer, ToolDeclaration, ToolRound
from chimein_gui.domain.replies.think import without_thoughts

Json = dict[str, Any]


def body_of(prompt: Prompt) -> bytes:
    """Return the part of the request body that comes from the prompt, as JSON.

    It is given to google-genai as a finished body: validating and converting a thousand parts one by one would block
    the event loop for 130 ms. What the server reads is the same (docs/library-facts.md, "google-genai").

    The fields stand in the order in which the model reads them, so two calls have as many bytes in common at their
    beginning as the service can reuse.
    """
    settings: Json = {} if prompt.temperature is None else {"temperature": prompt.temperature}
    if prompt.schema:
        settings |= {"responseMimeType": "application/json", "responseSchema": json.loads(prompt.schema)}
    fields = [f'"generationConfig": {json.dumps(settings)}']
    instruction = prompt.system_instruction
    if instruction:
        fields.append(f'"systemInstruction": {_turn(Role.USER, (instruction,))}')
    if prompt.tools:
        fields.append(f'"tools": {_declared(prompt.tools)}')
    contents = [
        _turn(turn.role, turn.parts)
        if turn.parts and not turn.files
        else json.dumps({"role": turn.role, "parts": [{"text": text} for text in turn.parts] + _inline(turn.files)})
        for turn in prompt.contents
    ]
    for one in prompt.rounds:
        contents += map(json.dumps, _turns_of(one))
    fields.append(f'"contents": [{", ".join(contents)}]')
    return f"{{{', '.join(fields)}}}".encode("ascii")


def _turn(role: Role, parts: tuple[str, ...]) -> str:
    """Return a turn of texts as `json.dumps` writes it, which would take four times as long for a short one."""
    texts = '}, {"text": '.join(map(encode_basestring_ascii, parts))
    return f'{{"role": "{role.value}", "parts": [{{"text": {texts}}}]}}'


def request_of(prompt: Prompt) -> bytes:
    """Return the bytes of the request body, as google-genai writes them, without thoughts and files.

    Only the model's turns between rounds of tools have thoughts. They are replaced, because no thought is ever stored.
    So are pictures: they would fill the database, and they lie among the files of messages.
    """
    rounds = tuple(replace(one, said=_thoughtless(one.said)) for one in prompt.rounds)
    turns = prompt.turns
    if any(turn.files for turn in turns):
        turns = tuple(
            replace(turn, parts=(*turn.parts, *(one.stand_in for one in turn.files)), files=()) if turn.files else turn
            for turn in turns
        )
    if rounds or turns is not prompt.turns:
        prompt = replace(prompt, rounds=rounds, turns=turns)
    return body_of(prompt)


def read_request(body: bytes) -> RequestText:
    """Read the bytes of `request_of`.

    Raises:
        ValueError: They are none.
    """
    found = json.loads(body)
    instruction = "".join(map(_part_text, found.get("systemInstruction", {}).get("parts", ())))
    turns = tuple(RequestTurn(turn["role"], tuple(map(_part_text, turn["parts"]))) for turn in found["contents"])
    tools = tuple(_written(tool) for tools in found.get("tools", ()) for tool in tools["functionDeclarations"])
    return RequestText(instruction, turns, tools)


def body_again(request: bytes) -> Json:
    """Return the body of the request with these bytes of `request_of`, without the stand-ins for thoughts.

    Raises:
        ValueError: They are none.
    """
    found = json.loads(request)
    return {**found, "contents": [_without_stand_ins(turn) for turn in found["contents"]]}


def _without_stand_ins(turn: Json) -> Json:
    parts = [part for part in turn["parts"] if not part.get("thought") and not _is_file(part)]
    if not any("thoughtSignature" in part for part in parts):
        return {**turn, "parts": parts}
    return {**turn, "parts": [{key: part[key] for key in part if key != "thoughtSignature"} for part in parts]}


def _inline(files: tuple[InlineFile, ...]) -> list[Json]:
    return [
        {"inlineData": {"mimeType": file.mime_type, "data": b64encode(file.data).decode("ascii")}} for file in files
    ]


def _is_file(part: Json) -> bool:
    text = part.get("text")
    return isinstance(text, str) and text.startswith(FILE_MARK)


def _part_text(part: object) -> str:
    text = part.get("text") if isinstance(part, dict) and len(part) == 1 else None
    return text if isinstance(text, str) else _written(part)


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _thoughtless(said: object) -> object:
    """Return a model's turn with its thoughts and their signatures replaced by their lengths."""
    if not isinstance(said, dict) or not isinstance(said.get("parts"), list):
        return said
    return {**said, "parts": [_thoughtless_part(part) for part in said["parts"]]}


def _thoughtless_part(part: object) -> object:
    if not isinstance(part, dict):
        return part
    kept = dict(part)
    text, signature = part.get("text"), part.get("thoughtSignature")
    if isinstance(text, str):
        kept["text"] = f"(thought, {len(text)} characters)" if part.get("thought") else without_thoughts(text)
    if isinstance(signature, str):
        kept["thoughtSignature"] = f"({len(signature)} characters)"
    return kept


def _turns_of(one: ToolRound) -> list[object]:
    """Return the model's turn unchanged, with the signatures of its thoughts, and the turn that answers its calls."""
    return [one.said, {"role": Role.USER.value, "parts": [_response(answer) for answer in one.answers]}]


def _response(answer: ToolAnswer) -> Json:
    call = answer.call
    part: Json = {"name": call.name, "response": _answer_body(answer)}
    if call.call_id:
        part["id"] = call.call_id
    return {"functionResponse": part}


def _answer_body(answer: ToolAnswer) -> Json:
    if answer.error:
        return {"error": answer.error}
    if answer.memories is None:
        part: Json = {"messages": [list(parts) for parts in answer.messages]}
    else:
        part = {"memories": list(answer.memories)}
    if answer.note:
        part["note"] = answer.note
    return part


@lru_cache(maxsize=8)
def _declared(tools: tuple[ToolDeclaration, ...]) -> str:
    """Return the declarations; cached, because all prompts with tools have the same."""
    return json.dumps([{"functionDeclarations": [_declaration(tool) for tool in tools]}])


def _declaration(tool: ToolDeclaration) -> Json:
    properties = {one.name: {"type": one.kind.value.upper(), "description": one.about} for one in tool.parameters}
    required = [one.name for one in tool.parameters if one.is_required]
    schema: Json = {"type": "OBJECT", "properties": properties}
    if required:
        schema["required"] = required
    return {"name": tool.name, "description": tool.about, "parameters": schema}
