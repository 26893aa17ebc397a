"""Estimates token counts. Equal input has equal counts, and the parts add up to the total."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from chimein_gui.sandbox.model.errors import bad_request
from chimein_gui.sandbox.model.fields import Json, field
from chimein_gui.sandbox.model.requests import check_names, parse_call

CHARS_A_TOKEN = 4
_TOKENS_AN_IMAGE = 258


def tokens(text: str) -> int:
    """Estimate the tokens of a text: one per four characters, rounded up."""
    return -(-len(text) // CHARS_A_TOKEN)


def details(contents: Iterable[Json], system_instruction: str = "", tools: Iterable[Json] = ()) -> list[dict[str, Any]]:
    """Return the prompt's tokens by modality, as `promptTokensDetails`; their sum is the prompt's count."""
    characters, images = len(system_instruction), 0
    for turn in contents:
        for part in turn.get("parts", ()):
            text = part.get("text")
            if isinstance(text, str):
                characters += len(text)
            elif field(part, "inlineData") or field(part, "fileData"):
                images += 1
            else:
                characters += len(json.dumps(dict(part)))
    characters += sum(len(json.dumps(dict(tool))) for tool in tools)
    counted = [{"modality": "TEXT", "tokenCount": -(-characters // CHARS_A_TOKEN)}]
    if images:
        counted.append({"modality": "IMAGE", "tokenCount": images * _TOKENS_AN_IMAGE})
    return counted


def total(counted: Iterable[Mapping[str, Any]]) -> int:
    """Return the sum of the counts that `details` returned."""
    return sum(int(entry["tokenCount"]) for entry in counted)


def count_body(model: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer `countTokens`, with the number that `generateContent` reports for the same request.

    As at Google, the request holds contents or a `generateContentRequest`; a system instruction beside contents is
    refused.

    Raises:
        ApiError: 400, the request is invalid.
    """
    check_names(request, frozenset({"contents", "generateContentRequest", "model"}))
    whole = field(request, "generateContentRequest")
    if not field(whole if whole is not None else request, "contents"):
        raise bad_request("* CountTokensRequest.contents: contents is not specified")
    call = parse_call(model, whole if isinstance(whole, Mapping) else request)
    counted = details(call.contents, call.system_instruction, call.tools)
    return {"totalTokens": total(counted), "promptTokensDetails": counted}
