"""Calls that are no conversation: a picture to describe, JSON to fill in."""

import json
from collections.abc import Mapping
from typing import Any

from chimein_gui.sandbox.model.fields import field
from chimein_gui.sandbox.model.script import ModelCall
from chimein_gui.sandbox.model.talk.conversation import Conversation

_DEEPEST = 8
_EMPTY: Mapping[str, Any] = {"string": "", "integer": 0, "number": 0, "boolean": False, "array": [], "null": None}


def json_reply(call: ModelCall) -> str:
    """Return the smallest JSON that the client's schema allows; nothing if it wants no JSON."""
    if field(call.config, "responseMimeType") != "application/json":
        return ""
    schema = field(call.config, "responseSchema") or field(call.config, "responseJsonSchema")
    return json.dumps(_smallest(schema or {"type": "object"}))


def picture_description(conversation: Conversation) -> str:
    """Describe a picture in plain words, where the instruction knows no blocks; nothing if there is none."""
    images = [image for said in conversation.messages[-1:] for image in said.images]
    if not images or conversation.knows_grammar:
        return ""
    kinds = ", ".join(f"{kind}, {size:,} bytes" for kind, size in images)
    return f"A picture ({kinds}) with clear shapes and friendly colours."


def _smallest(schema: object, depth: int = 0) -> Any:  # noqa: ANN401 - JSON
    kind = str(field(schema, "type") or "object").casefold()
    choices = field(schema, "enum")
    if choices:
        return choices[0]
    if kind != "object" or depth > _DEEPEST:
        return _EMPTY.get(kind)
    properties = field(schema, "properties") or {}
    wanted = field(schema, "required") or ()
    return {name: _smallest(properties.get(name), depth + 1) for name in wanted}
