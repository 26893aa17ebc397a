"""Estimates token counts. Equal input has equal counts, and the parts add up to the total."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from chimein_gui.sandbox.model.errors import bad_request
from chimein_gui.sandbox.model.fields import Json, field, objects
from chimein_gui.sandbox.model.requests import check_contents, check_names

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


def count_body(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer `countTokens`.

    As at Google, the request holds contents or a `generateContentRequest`; a system instruction beside contents is
    refused.

    Raises:
        ApiError: 400, the request is invalid.
    """
    check_names(request, frozenset({"contents", "generateContentRequest", "model"}))
    whole = field(request, "generateContentRequest")
    contents = field(whole if whole is not None else request, "contents")
    if not isinstance(contents, list) or not contents:
        raise bad_request("* CountTokensRequest.contents: contents is not specified")
    check_contents(contents)
    instruction = field(whole, "systemInstruction")
    counted = details([*contents, *objects(instruction)])
    return {"totalTokens": total(counted), "promptTokensDetails": counted}
