"""Parses Gemini's answers without trusting their shape."""

from __future__ import annotations

import json
from typing import Any

from chimein_gui.domain.errors import ModelRefusedError, ModelTransientError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.prompt.prompts import ModelReply, Usage
from chimein_gui.domain.prompt.tool_calls import ToolCall

_BLOCKED = {
    "BLOCKLIST": "it contains a forbidden term",
    "IMAGE_PROHIBITED_CONTENT": "it regards an image as prohibited",
    "IMAGE_RECITATION": "an image would copy a protected one",
    "IMAGE_SAFETY": "of an image in it",
    "JAILBREAK": "it regards it as an attempt to get round its rules",
    "LANGUAGE": "it does not support the language",
    "MODEL_ARMOR": "of the Model Armor of its project",
    "OTHER": "of a reason it does not name",
    "PROHIBITED_CONTENT": "it regards the content as prohibited",
    "RECITATION": "the reply would copy a protected text",
    "SAFETY": "of its safety filters",
    "SPII": "of sensitive personal information",
}
_REFUSING_FINISHES = frozenset(_BLOCKED) - {"OTHER"}
_WHOLE = "STOP"
"""The only end that the model itself chooses."""
_USELESS = {
    "MAX_TOKENS": (ModelFault.TOKENS_USED_UP, "Gemini used up all its tokens before the first word of the reply."),
    "MISSING_THOUGHT_SIGNATURE": (
        ModelFault.SIGNATURE_MISSING,
        "Gemini rejected the request: a thought signature is missing.",
    ),
    "NO_IMAGE": (
        ModelFault.MAKES_IMAGES,
        "This model makes images and writes no replies. Choose another model.",
    ),
}
"""Ends without a text that would be the same for every repeated call."""
_GARBLED_FINISHES = frozenset({"MALFORMED_FUNCTION_CALL", "TOO_MANY_TOOL_CALLS", "UNEXPECTED_TOOL_CALL"})
_LONGEST_WORD = 40
"""Most characters shown of an unknown reason."""

_MOST_TOKENS = 10**9
"""More than any call can have; a larger count is wrong, and would not fit into the database."""


def reply_of(body: str) -> ModelReply:
    """Parse an answer with status 200.

    Args:
        body: The JSON text.

    Returns:
        The reply, without the model's own thoughts; an empty text only if the model chose to say nothing, or calls
            tools.

    Raises:
        ModelTransientError: It is not Gemini's answer: a proxy answered, or it broke off. Or there is no text, and the
            model did not choose that.
        ModelRefusedError: The prompt or the reply was blocked, or no repeated call would bring a text.
    """
    answer = _parsed(body)
    blocked = _mapping(answer.get("promptFeedback")).get("blockReason")
    if blocked:
        fault = Note(ModelFault.PROMPT_BLOCKED, str(blocked)[:_LONGEST_WORD])
        raise ModelRefusedError(f"Gemini blocked the prompt because {_because(blocked)}.", fault)
    candidate = _first(answer.get("candidates"))
    parts = _parts_of(candidate)
    text, finish = _text_of(parts), _word(candidate.get("finishReason"))
    if finish in _REFUSING_FINISHES:
        fault = Note(ModelFault.REPLY_BLOCKED, finish[:_LONGEST_WORD])
        raise ModelRefusedError(f"Gemini broke off its reply because {_because(finish)}.", fault)
    calls = _calls_of(parts)
    is_garbled = not calls and finish in _GARBLED_FINISHES
    has_text = bool(text.strip())
    if not has_text and not calls and not is_garbled:
        _check_silence(candidate, finish)
    return ModelReply(
        text,
        _usage_of(_mapping(answer.get("usageMetadata"))),
        finish,
        calls,
        candidate.get("content") if calls else None,
        is_garbled=is_garbled,
        is_cut_off=has_text and not calls and finish != _WHOLE,
    )


def _check_silence(candidate: dict[str, Any], finish: str) -> None:
    """Raise unless the model itself chose to say nothing: it came to its end, and did not send only thoughts."""
    if not candidate:
        raise ModelTransientError("Gemini's answer holds no reply.", fault=Note(ModelFault.NO_REPLY))
    if finish in _USELESS:
        fault, words = _USELESS[finish]
        raise ModelRefusedError(words, Note(fault))
    if any(part.get("thought") for part in _parts_of(candidate)):
        raise ModelTransientError("Gemini sent its thoughts, but no reply.", fault=Note(ModelFault.ONLY_THOUGHTS))
    if finish != _WHOLE:
        why = f" ({finish[:_LONGEST_WORD]})" if finish else " and without a reason"
        ended = Note(ModelFault.ENDED_WITHOUT_REPLY, finish[:_LONGEST_WORD])
        raise ModelTransientError(f"Gemini ended without a reply{why}.", fault=ended)


def _parsed(body: str) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise ModelTransientError(
            "The answer was not Gemini's; is something in between, such as a hotel's log-in page?",
            fault=Note(ModelFault.NOT_GEMINI),
        )
    return answer


def _parts_of(candidate: dict[str, Any]) -> list[dict[str, Any]]:
    parts = _mapping(candidate.get("content")).get("parts")
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def _text_of(parts: list[dict[str, Any]]) -> str:
    spoken = [part.get("text") for part in parts if not part.get("thought")]
    return "".join([text for text in spoken if isinstance(text, str)])


def _calls_of(parts: list[dict[str, Any]]) -> tuple[ToolCall, ...]:
    """Return the tool calls; an invalid name or arguments become empty."""
    asked = [call for part in parts if isinstance(call := part.get("functionCall"), dict)]
    if not asked:
        return ()
    return tuple(ToolCall(_word(call.get("name")), _mapping(call.get("args")), _word(call.get("id"))) for call in asked)


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _usage_of(counts: dict[str, Any]) -> Usage:
    return Usage(
        prompt_tokens=_count(counts.get("promptTokenCount")),
        reply_tokens=_count(counts.get("candidatesTokenCount")),
        thinking_tokens=_count(counts.get("thoughtsTokenCount")),
        cached_tokens=_count(counts.get("cachedContentTokenCount")),
    )


def _because(reason: object) -> str:
    return _BLOCKED.get(str(reason), f"of {str(reason)[:_LONGEST_WORD]}")


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _first(value: object) -> dict[str, Any]:
    return _mapping(value[0]) if isinstance(value, list) and value else {}


def _count(value: object) -> int:
    """Return a number of tokens; what can be none counts as 0 or as the most, because it is booked and paid."""
    return min(max(value, 0), _MOST_TOKENS) if isinstance(value, int) and not isinstance(value, bool) else 0
