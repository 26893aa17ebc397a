"""Validates the requests of `generateContent`, `countTokens` and embeddings as Google does."""

import json
import re
from collections.abc import Mapping
from typing import Any

from chimein_gui.sandbox.model.errors import ApiError, bad_request
from chimein_gui.sandbox.model.fields import Json, camel, field, objects, text_of
from chimein_gui.sandbox.model.script import ModelCall

_KNOWN = frozenset(
    {
        *("contents", "systemInstruction", "tools", "toolConfig", "safetySettings", "generationConfig"),
        *("cachedContent", "model", "store", "serviceTier", "labels"),
    }
)
_DATA = ("text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode", "codeExecutionResult")
_ROLES = frozenset({"user", "model", "function", ""})
_FUNCTION_NAME = re.compile(r"[A-Za-z_][\w.:\-]{0,127}", re.ASCII)
_IN = "* GenerateContentRequest."


def json_object(body: bytes) -> dict[str, Any]:
    """Parse a request body.

    Raises:
        ApiError: 400, it is no JSON object.
    """
    try:
        request = json.loads(body)
    except (ValueError, RecursionError):
        raise bad_request("Invalid JSON payload received.") from None
    if not isinstance(request, dict):
        raise bad_request('Invalid JSON payload received. Unknown name "": Root element must be a message.')
    return request


def parse_call(model: str, request: Mapping[str, Any]) -> ModelCall:
    """Validate a `generateContent` request and return its parts.

    Raises:
        ApiError: 400, with Google's error text.
    """
    check_names(request, _KNOWN)
    contents = request.get("contents")
    contents = [contents] if isinstance(contents, Mapping) else contents
    if not isinstance(contents, list) or not contents:
        raise bad_request(f"{_IN}contents: contents is not specified")
    check_contents(contents)
    config = field(request, "generationConfig") or {}
    _check_config(config)
    tools = tuple(objects(field(request, "tools")))
    return ModelCall(
        model,
        text_of(field(request, "systemInstruction")),
        tuple(contents),
        config=config,
        tools=_functions(tools),
    )


def check_names(request: Mapping[str, Any], known: frozenset[str]) -> None:
    """Refuse fields that the API does not have.

    Raises:
        ApiError: 400, a field is not in `known` (camelCase names).
    """
    for name in request:
        if camel(name) not in known:
            raise bad_request(f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.')


def check_contents(contents: list[Any]) -> None:
    """Check the roles, the parts and the order of turns.

    Raises:
        ApiError: 400, one of them is wrong.
    """
    for index, turn in enumerate(contents):
        _check_turn(index, turn)
    if contents[-1].get("role") == "model":
        raise bad_request("Please ensure that multiturn requests end with a user role or a function response.")
    for before, turn in zip([{}, *contents], contents, strict=False):
        answered = _count(turn, "functionResponse")
        if not answered:
            continue
        asked = _count(before, "functionCall")
        if not asked:
            raise bad_request("Please ensure that function response turn comes immediately after a function call turn.")
        if asked != answered:
            raise bad_request(
                "Please ensure that the number of function response parts is equal to the number of function call "
                "parts of the function call turn."
            )


def _count(turn: Json, name: str) -> int:
    """Count the parts of a kind other than text; text is skipped first, because long prompts are nearly all text."""
    return sum(1 for part in turn.get("parts", ()) if "text" not in part and field(part, name))


def _check_turn(index: int, turn: object) -> None:
    if not isinstance(turn, dict):
        raise bad_request(f"Invalid value at 'contents[{index}]' (type.googleapis.com/google.ai.Content)")
    if turn.get("role", "") not in _ROLES:
        raise bad_request("Please use a valid role: user, model.")
    parts = turn.get("parts")
    if not isinstance(parts, list) or not parts:
        raise bad_request(f"{_IN}contents[{index}].parts: contents.parts must not be empty.")
    for number, part in enumerate(parts):
        if not isinstance(part, dict):
            raise bad_request(
                f"Invalid value at 'contents[{index}].parts[{number}]' (type.googleapis.com/google.ai.Part)"
            )
        if "text" in part and isinstance(part["text"], str):
            continue
        where = f"{_IN}contents[{index}]"
        kinds = [name for name in _DATA if field(part, name) is not None]
        if not kinds or "text" in kinds:
            raise bad_request(
                f"{where}.parts[{number}].data: required oneof field 'data' must have one initialized field"
            )
        data = field(part, "inlineData")
        if data is not None and not (field(data, "mimeType") and isinstance(field(data, "data"), str)):
            raise bad_request(f"{where}.parts[{number}].inline_data: mime_type and data are required.")


def _check_config(config: object) -> None:
    if not isinstance(config, Mapping):
        raise bad_request("Invalid value at 'generation_config' (type.googleapis.com/google.ai.GenerationConfig)")
    checks = {
        "temperature": (0, 2, "temperature must be in the range [0.0, 2.0]."),
        "topP": (0, 1, "top_p must be in the range [0.0, 1.0]."),
        "maxOutputTokens": (1, 1 << 31, "max_output_tokens must be positive."),
        "candidateCount": (1, 1, "Only one candidate can be specified in the current model"),
    }
    for name, (least, most, words) in checks.items():
        value = field(config, name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise bad_request(f"{_IN}generation_config.{words}")
    stops = field(config, "stopSequences")
    if stops is not None and (not isinstance(stops, list) or len(stops) > 5):
        raise bad_request(f"{_IN}generation_config.stop_sequences: at most 5 are allowed.")


def _functions(tools: tuple[Json, ...]) -> tuple[Json, ...]:
    """Return all declared functions.

    Raises:
        ApiError: 400, a name is invalid or declared twice.
    """
    found: dict[str, Json] = {}
    for number, tool in enumerate(tools):
        for index, function in enumerate(objects(field(tool, "functionDeclarations"))):
            name = str(function.get("name", ""))
            where = f"{_IN}tools[{number}].function_declarations[{index}].name"
            if not _FUNCTION_NAME.fullmatch(name):
                raise bad_request(f"{where}: Invalid function name. Must start with a letter or an underscore.")
            if name in found:
                raise bad_request(f"{where}: Duplicate function declaration found: {name}")
            found[name] = function
    return tuple(found.values())


def too_large() -> ApiError:
    """Return the error for a body that is larger than the server's limit."""
    return ApiError(413, "Request payload size exceeds the limit.")
