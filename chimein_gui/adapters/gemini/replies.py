"""What Gemini answered, read without trusting its shape."""

from __future__ import annotations

import json
from typing import Any

from chimein_gui.domain.errors import ModelRefusedError, ModelTransientError
from chimein_gui.domain.prompts import ModelReply, Usage
from chimein_gui.domain.tool_calls import ToolCall

_BLOCKED = {
    "BLOCKLIST": "it contains a forbidden term",
    "IMAGE_SAFETY": "of an image in it",
    "LANGUAGE": "it does not support the language",
    "OTHER": "of a reason it does not name",
    "PROHIBITED_CONTENT": "it regards the content as prohibited",
    "RECITATION": "the reply would recite a protected text",
    "SAFETY": "of its safety filters",
    "SPII": "of sensitive personal information",
}
_REFUSING_FINISHES = frozenset(_BLOCKED) - {"OTHER"}
_GARBLED_FINISHES = frozenset({"MALFORMED_FUNCTION_CALL", "TOO_MANY_TOOL_CALLS", "UNEXPECTED_TOOL_CALL"})


def reply_of(body: str) -> ModelReply:
    """Read an answer with status 200.

    Args:
        body: The JSON text.

    Returns:
        The reply, without the model's own thoughts; an empty text if it said nothing, or only asks for tools.

    Raises:
        ModelTransientError: It is not what Gemini sends; something in between answered, or it broke off.
        ModelRefusedError: The prompt or the reply was blocked, or it ran out of tokens before the first word.
    """
    answer = _parsed(body)
    blocked = _mapping(answer.get("promptFeedback")).get("blockReason")
    if blocked:
        raise ModelRefusedError(f"Gemini blocked the prompt because {_because(blocked)}.")
    candidate = _first(answer.get("candidates"))
    text, finish = _text_of(candidate), str(candidate.get("finishReason") or "")
    if finish in _REFUSING_FINISHES:
        raise ModelRefusedError(f"Gemini broke off its reply because {_because(finish)}.")
    calls = _calls_of(candidate)
    if finish == "MAX_TOKENS" and not text and not calls:
        raise ModelRefusedError("Gemini used up all its tokens before the first word of the reply.")
    said = candidate.get("content") if calls else None
    usage = _usage_of(_mapping(answer.get("usageMetadata")))
    return ModelReply(text, usage, finish, calls, said, is_garbled=not calls and finish in _GARBLED_FINISHES)


def _parsed(body: str) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise ModelTransientError(
            "The answer was not Gemini's; is something in between, such as a hotel's log-in page?"
        )
    return answer


def _parts_of(candidate: dict[str, Any]) -> list[dict[str, Any]]:
    parts = _mapping(candidate.get("content")).get("parts")
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def _text_of(candidate: dict[str, Any]) -> str:
    spoken = (part for part in _parts_of(candidate) if not part.get("thought"))
    return "".join(text for part in spoken if isinstance(text := part.get("text"), str))


def _calls_of(candidate: dict[str, Any]) -> tuple[ToolCall, ...]:
    """Return the tools that are asked for; what is no name or no arguments becomes an empty one."""
    asked = [call for part in _parts_of(candidate) if isinstance(call := part.get("functionCall"), dict)]
    return tuple(ToolCall(_word(call.get("name")), _mapping(call.get("args")), _word(call.get("id"))) for call in asked)


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _usage_of(counts: dict[str, Any]) -> Usage:
    return Usage(
        prompt_tokens=_count(counts.get("promptTokenCount")),
        reply_tokens=_count(counts.get("candidatesTokenCount")),
        thinking_tokens=_count(counts.get("thoughtsTokenCount")),
    )


def _because(reason: object) -> str:
    return _BLOCKED.get(str(reason), f"of {str(reason)[:40]}")


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _first(value: object) -> dict[str, Any]:
    return _mapping(value[0]) if isinstance(value, list) and value else {}


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0
