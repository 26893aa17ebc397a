"""How the database kept the faults of model calls as sentences up to its fourteenth migration, and their names.

Used by the fifteenth migration alone, so nothing here follows later names or words.
"""

import json
import re
from typing import Any

_FIXED = {
    "The key was changed during the call": "changed key",
    "The model wants to look something up and writes no reply": "only looks up",
    "The model asked for web pages, which it cannot look up, instead of answering": "only pages",
    "The model's reply broke off before there was anything to send": "broke off",
    "Gemini did not answer in time": "timed out",
    "Gemini's answer is longer than 4 MB; it was given up": "answer too long",
    "Gemini can't be reached": "unreachable",
    "The answer was not Gemini's; is something in between, such as a hotel's log-in page?": "not gemini",
    "Gemini's answer holds no reply": "no reply",
    "Gemini sent its thoughts, but no reply": "only thoughts",
    "Gemini used up all its tokens before the first word of the reply": "tokens used up",
    "Gemini misses the signature of a thought of its own": "signature missing",
    "This model makes images and writes no replies. Choose another model": "makes images",
    "Gemini ended without a reply and without a reason": "ended without reply",
}
_WITH_WORDS = (
    (re.compile(r"Gemini ended without a reply \((.*)\)"), "ended without reply"),
    (re.compile(r"There can't be a model named ['\"](.*)['\"]", re.DOTALL), "no such model"),
)
_WITH_NUMBER = (
    (re.compile(r"(\d{1,9}) model calls brought no reply"), "calls used up"),
    (re.compile(r"The model did not answer within (\d{1,9}) s"), "no answer"),
)
_OF_HTTP = (
    (re.compile(r"Gemini can't answer now \(HTTP (\d+)\)(?:: (.*))?", re.DOTALL), "answered later"),
    (re.compile(r"Gemini refuses this request \(HTTP (\d+)\)(?:: (.*))?", re.DOTALL), "refused request"),
)
_BLOCKED = (
    (re.compile(r"Gemini blocked the prompt because (.*)", re.DOTALL), "prompt blocked"),
    (re.compile(r"Gemini broke off its reply because (.*)", re.DOTALL), "reply blocked"),
)
_REASONS = {
    "it contains a forbidden term": "BLOCKLIST",
    "it regards an image as prohibited": "IMAGE_PROHIBITED_CONTENT",
    "an image would recite a protected one": "IMAGE_RECITATION",
    "of an image in it": "IMAGE_SAFETY",
    "it regards it as an attempt to get round its rules": "JAILBREAK",
    "it does not support the language": "LANGUAGE",
    "of the Model Armor of its project": "MODEL_ARMOR",
    "of a reason it does not name": "OTHER",
    "it regards the content as prohibited": "PROHIBITED_CONTENT",
    "the reply would recite a protected text": "RECITATION",
    "of its safety filters": "SAFETY",
    "of sensitive personal information": "SPII",
}
_FAILED = "model failed"
_OF_CALLS = frozenset({"retrying", "asked to wait", "failed"})
_DETAIL, _BEFORE_FAULT = 1, 6


def note_of_fault(stored: str) -> str:
    """Return a note of a failed call with the name of its fault as the cause; unknown words stay words."""
    kind, *rest = parts = json.loads(stored)
    fault = _fault(rest[0]) if kind == _FAILED and rest else None
    if fault is None:
        return stored
    return json.dumps([kind, "", parts[2] if len(parts) > 2 else 0, fault], separators=(",", ":"))


def problem_with_fault(stored: str) -> str:
    """Return a planning problem with the name of the fault instead of its words; unknown words stay words."""
    parts = json.loads(stored)
    fault = _fault(parts[_DETAIL]) if parts[0] in _OF_CALLS and len(parts) > _DETAIL else None
    if fault is None:
        return stored
    filled = [*parts, *[0] * (_BEFORE_FAULT - 1 - len(parts)), None]
    filled[_DETAIL] = ""
    return json.dumps([*filled, fault], separators=(",", ":"))


def _fault(sentence: str) -> list[Any] | None:
    """Return fault, words and number, without the defaults at the end; None for a sentence that nobody knows."""
    words = sentence.removesuffix(".")
    if words in _FIXED:
        return [_FIXED[words]]
    for pattern, fault in _WITH_WORDS:
        if found := pattern.fullmatch(words):
            return [fault, found[1]]
    for pattern, fault in _WITH_NUMBER:
        if found := pattern.fullmatch(words):
            return [fault, "", int(found[1])]
    for pattern, fault in _OF_HTTP:
        if found := pattern.fullmatch(sentence) or pattern.fullmatch(words):
            return [fault, found[2] or "", int(found[1])]
    for pattern, fault in _BLOCKED:
        if found := pattern.fullmatch(words):
            return [fault, _REASONS.get(found[1], found[1].removeprefix("of "))]
    return None
