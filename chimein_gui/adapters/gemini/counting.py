"""Counts the tokens of a request part by part with Google's `countTokens`, which is free."""

from __future__ import annotations

import json
from typing import Any

from chimein_gui.adapters.gemini.bodies import read_request
from chimein_gui.domain.errors import ModelTransientError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.prompt.marks import NOT_FROM_CHAT, section_mark
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.prompt.reading import last_block, read_sections

Json = dict[str, Any]

_LEAST: Json = {"role": "user", "parts": [{"text": "."}]}
"""Stands where contents are still missing, because the service counts no request without any."""


def steps_of(body: bytes) -> tuple[bytes, ...]:
    """Return requests of which each has one part more than the one before.

    The first has no part; the last is the whole. The parts come in the order in which the model reads them: each
    section of the system instruction, the tools, the contents, each section of the last block.

    Raises:
        ValueError: `body` is no request.
    """
    whole: Json = json.loads(body)
    text = read_request(body)
    blocks = [last_block(*turn) for turn in text.turns]
    place = next((place for place, block in enumerate(blocks) if block is not None), None)
    rest: Json = {"contents": [_LEAST]}
    steps = [rest]
    for instruction in _beginnings(text.instruction):
        rest = rest | {"systemInstruction": {"role": "user", "parts": [{"text": instruction}]}}
        steps.append(rest)
    if whole.get("tools"):
        rest = rest | {"tools": whole["tools"]}
        steps.append(rest)
    turns = whole["contents"]
    if place is not None:
        before, after = turns[:place], turns[place + 1 :]
        steps.append(rest | {"contents": [*before, _LEAST, *after]})
        for block in _beginnings(blocks[place] or ""):
            turn = {"role": "user", "parts": [{"text": NOT_FROM_CHAT}, {"text": block}]}
            steps.append(rest | {"contents": [*before, turn, *after]})
        steps.pop()
    return (*(json.dumps(step).encode() for step in steps), body)


def count_request(model: str, body: bytes) -> Json:
    """Return the body of the request that counts another one."""
    return {"generateContentRequest": {"model": f"models/{model}", **json.loads(body)}}


def total_of(answer: str) -> int:
    """Return the number in an answer.

    Raises:
        ModelTransientError: There is none, so it is not Gemini's answer.
    """
    try:
        number = json.loads(answer)["totalTokens"]
    except (ValueError, KeyError, TypeError):
        number = None
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        fault = Note(ModelFault.NOT_GEMINI)
        raise ModelTransientError("Gemini's answer can't be read.", fault=fault)
    return number


def _beginnings(text: str) -> list[str]:
    """Return a text of sections up to the end of each."""
    found = []
    whole = ""
    for one in read_sections(text):
        piece = f"{section_mark(one.title)}\n{one.text}" if one.title else one.text
        whole = f"{whole}\n\n{piece}" if whole else piece
        found.append(whole)
    return found
