"""`streamGenerateContent`: an answer in pieces, as server-sent events or, without `alt=sse`, as one JSON array."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

_PIECE = re.compile(r".{1,24}(?:\s+|$)|\S{1,24}", re.DOTALL)
_ENVELOPE = ("modelVersion", "responseId")


def split_body(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Cut an answer into events: texts piece by piece, the finish reason and the usage in the last one."""
    envelope = {name: body[name] for name in _ENVELOPE if name in body}
    candidates = body.get("candidates") or [{}]
    parts = candidates[0].get("content", {}).get("parts", [])
    pieces = [piece for part in parts for piece in _split_part(part)]
    if not pieces:
        return [body]
    events = [
        {"candidates": [{"content": {"parts": [piece], "role": "model"}, "index": 0}]} | envelope for piece in pieces
    ]
    events[-1]["candidates"][0]["finishReason"] = candidates[0].get("finishReason", "STOP")
    events[-1]["usageMetadata"] = body["usageMetadata"]
    return events


def _split_part(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The signature stays with the last piece of its part."""
    text = part.get("text")
    if not isinstance(text, str) or part.get("thought"):
        yield part
        return
    pieces = _PIECE.findall(text) or [text]
    for piece in pieces[:-1]:
        yield {"text": piece}
    yield part | {"text": pieces[-1]}


def framed(events: Sequence[dict[str, Any]], *, sse: bool) -> list[bytes]:
    """Return the pieces of the body."""
    texts = [json.dumps(event).encode() for event in events]
    if sse:
        return [b"data: " + text + b"\r\n\r\n" for text in texts]
    return [(b"[" if number == 0 else b",\r\n") + text for number, text in enumerate(texts)] + [b"]"]


def content_type(*, sse: bool) -> str:
    """Return the Content-Type of the body."""
    return "text/event-stream" if sse else "application/json; charset=UTF-8"
