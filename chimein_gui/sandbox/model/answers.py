"""The JSON bodies of the Gemini API, as Google sends them."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from chimein_gui.sandbox.model.script import ModelCall, ScriptedError

_CHARS_A_TOKEN = 4
_STATUS_NAMES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


class BadRequestError(Exception):
    """The body is no generateContent request."""


def parse_call(model: str, body: bytes) -> ModelCall:
    """Read a request; clients mix camel and snake case (FACTS).

    Raises:
        BadRequestError: If it is no JSON object with contents.
    """
    try:
        request = json.loads(body)
    except ValueError as error:
        raise BadRequestError("Invalid JSON payload received.") from error
    contents = request.get("contents") if isinstance(request, dict) else None
    if not isinstance(contents, list) or not contents or not all(isinstance(turn, dict) for turn in contents):
        raise BadRequestError("* GenerateContentRequest.contents: contents is not specified")
    system = request.get("systemInstruction") or request.get("system_instruction") or {}
    return ModelCall(model, _text_of(system), tuple(contents))


def reply_body(call: ModelCall, text: str, serial: int) -> dict[str, Any]:
    """Return the body of a good answer."""
    asked = _tokens(call.system_instruction) + sum(_tokens(_text_of(turn)) for turn in call.contents)
    answered = _tokens(text)
    candidate = {"content": {"parts": [{"text": text}], "role": "model"}, "finishReason": "STOP", "index": 0}
    return {
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": asked,
            "candidatesTokenCount": answered,
            "totalTokenCount": asked + answered,
        },
        "modelVersion": call.model,
        "responseId": f"sandbox-{serial}",
    }


def error_body(error: ScriptedError) -> dict[str, Any]:
    """Return the body of an error."""
    phrase = HTTPStatus(error.status).phrase if error.status in HTTPStatus.__members__.values() else "Error"
    details: dict[str, Any] = {
        "code": error.status,
        "message": error.message or f"{phrase}.",
        "status": _STATUS_NAMES.get(error.status, "UNKNOWN"),
    }
    if error.retry_delay_s is not None:
        retry = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{error.retry_delay_s:g}s"}
        details["details"] = [retry]
    return {"error": details}


def _text_of(content: object) -> str:
    parts = content.get("parts", ()) if isinstance(content, Mapping) else ()
    return "\n".join(str(part["text"]) for part in parts if isinstance(part, Mapping) and part.get("text"))


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARS_A_TOKEN)
