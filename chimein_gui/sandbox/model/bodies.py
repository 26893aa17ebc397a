"""The JSON bodies of successful answers, with and without text."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from chimein_gui.sandbox.model.counting import CHARS_A_TOKEN, details, tokens, total
from chimein_gui.sandbox.model.fields import field
from chimein_gui.sandbox.model.script import FunctionCall, ModelCall, ScriptedReply

_THOUGHTS = "**Reading the conversation**\n\nSomebody wrote last. A short answer that refers to it will do."
_THINKING_FACTOR = 3
"""Thinking tokens per token of the summary, which is shorter than the thinking that is charged."""


@dataclass(frozen=True, slots=True)
class _Thinking:
    """The thinking that an answer reports.

    Attributes:
        summary: Text of the thought summary; empty for none.
        tokens: The count that is reported.
        shown: The summary is sent, because the client includes thoughts.
    """

    summary: str = ""
    tokens: int = 0
    shown: bool = False


def reply_body(call: ModelCall, reply: ScriptedReply, serial: int, cached: float = 0.0) -> dict[str, Any]:
    """Return the body of a successful answer; it obeys `maxOutputTokens` and `stopSequences`.

    Args:
        call: The request.
        reply: What is answered.
        serial: Number of the answer; part of its `responseId`.
        cached: The part of the prompt that is in the implicit cache, from 0 to 1.
    """
    thinking = _thinking(call.config, reply)
    text, finish = _stopped(reply.text, call.config)
    most = field(call.config, "maxOutputTokens")
    if most is not None and thinking.tokens + tokens(text) > most:
        thinking = _Thinking(thinking.summary, min(thinking.tokens, most), thinking.shown)
        text, finish = text[: (most - thinking.tokens) * CHARS_A_TOKEN], "MAX_TOKENS"
    calls = () if finish == "MAX_TOKENS" else reply.calls
    content: dict[str, Any] = {"role": "model"}
    if parts := _parts(text, calls, thinking, serial):
        content = {"parts": parts, "role": "model"}
    answered = tokens(text) + sum(tokens(f"{one.name}{dict(one.args)}") for one in calls)
    usage = _usage(call, answered, thinking.tokens, reply.usage)
    found = reply.usage.get("cached", int(cached * usage["promptTokenCount"]))
    if found:
        in_cache = [{"modality": "TEXT", "tokenCount": found}]
        usage |= {"cachedContentTokenCount": found, "cacheTokensDetails": in_cache}
    return _around(call, serial, {"candidates": [{"content": content, "finishReason": finish, "index": 0}]}, usage)


def blocked_body(call: ModelCall, serial: int) -> dict[str, Any]:
    """Return the answer to a blocked prompt: a block reason and no candidates."""
    return _around(call, serial, {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}, _usage(call, 0, 0, {}))


def silent_body(call: ModelCall, serial: int, finish: str) -> dict[str, Any]:
    """Return a candidate without text.

    Args:
        call: The request.
        serial: Number of the answer; part of its `responseId`.
        finish: The finish reason.
    """
    candidate: dict[str, Any] = {"finishReason": finish, "index": 0}
    if finish == "SAFETY":
        candidate["safetyRatings"] = [{"category": "HARM_CATEGORY_HARASSMENT", "probability": "HIGH", "blocked": True}]
    elif finish == "MAX_TOKENS":
        candidate["content"] = {"role": "model"}
    return _around(call, serial, {"candidates": [candidate]}, _usage(call, 0, 0, {}))


def no_candidates_body(call: ModelCall, serial: int) -> dict[str, Any]:
    """Return an answer without candidates and without a reason for it."""
    return _around(call, serial, {"candidates": []}, _usage(call, 0, 0, {}))


def thoughts_body(call: ModelCall, serial: int) -> dict[str, Any]:
    """Return a candidate that holds only a thought summary."""
    content = {"parts": [{"text": _THOUGHTS, "thought": True}], "role": "model"}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    return _around(call, serial, {"candidates": [candidate]}, _usage(call, 0, tokens(_THOUGHTS), {}))


def cut_off(body: dict[str, Any]) -> dict[str, Any]:
    """Return the answer with half of its text's last line and finish reason MAX_TOKENS, as if its tokens were used up.

    Thoughts and function calls are dropped. An answer without text is returned unchanged.
    """
    [candidate] = body["candidates"]
    spoken = [one for one in candidate["content"].get("parts", ()) if "text" in one and not one.get("thought")]
    if not spoken:
        return body
    above, end, last = spoken[-1]["text"].rpartition("\n")
    parts = [*spoken[:-1], {"text": above + end + last[: (len(last) + 1) // 2]}]
    return body | {
        "candidates": [candidate | {"content": {"parts": parts, "role": "model"}, "finishReason": "MAX_TOKENS"}]
    }


def _around(call: ModelCall, serial: int, inner: dict[str, Any], usage: dict[str, Any]) -> dict[str, Any]:
    return inner | {"usageMetadata": usage, "modelVersion": call.model, "responseId": f"sandbox-{serial}"}


def _thinking(config: Mapping[str, Any], reply: ScriptedReply) -> _Thinking:
    wanted = field(config, "thinkingConfig")
    budget = field(wanted, "thinkingBudget")
    is_on = bool(reply.thoughts or field(wanted, "includeThoughts") or budget or field(wanted, "thinkingLevel"))
    if budget == 0 or not is_on:
        return _Thinking(tokens=reply.usage.get("thinking", 0))
    summary = reply.thoughts or _THOUGHTS
    spent = tokens(summary) * _THINKING_FACTOR
    if isinstance(budget, int) and budget > 0:
        spent = min(spent, budget)
    return _Thinking(summary, reply.usage.get("thinking", spent), bool(field(wanted, "includeThoughts")))


def _stopped(text: str, config: Mapping[str, Any]) -> tuple[str, str]:
    ends = [text.find(stop) for stop in field(config, "stopSequences") or () if stop and stop in text]
    return (text[: min(ends)] if ends else text), "STOP"


def _parts(text: str, calls: tuple[FunctionCall, ...], thinking: _Thinking, serial: int) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = []
    if thinking.shown:
        parts.append({"text": thinking.summary, "thought": True})
    spoken: list[dict[str, Any]] = [{"text": text}] if text else []
    spoken += [
        {"functionCall": {"id": f"sandbox-call-{serial}-{number}", "name": one.name, "args": dict(one.args)}}
        for number, one in enumerate(calls)
    ]
    if spoken and thinking.tokens:
        signed = spoken[-1] if not calls else spoken[-len(calls)]
        signed["thoughtSignature"] = base64.b64encode(sha256(f"{serial}{text}".encode()).digest()).decode()
    return parts + spoken


def _usage(call: ModelCall, answered: int, thought: int, ordered: Mapping[str, int]) -> dict[str, Any]:
    counted = details(call.contents, call.system_instruction, call.tools)
    asked, answered = ordered.get("prompt", total(counted)), ordered.get("reply", answered)
    if "prompt" in ordered:
        counted = [{"modality": "TEXT", "tokenCount": asked}]
    usage: dict[str, Any] = {"promptTokenCount": asked}
    if answered:
        usage["candidatesTokenCount"] = answered
    if thought:
        usage["thoughtsTokenCount"] = thought
    return usage | {"totalTokenCount": asked + answered + thought, "promptTokensDetails": counted}
