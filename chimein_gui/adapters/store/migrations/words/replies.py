"""What the database kept of replies as sentences up to its twelfth migration, and the names it has since.

Used by the thirteenth migration alone, so nothing here follows later names or words.
"""

import json
import re
from typing import Any

_LINE = re.compile(r"line (\d+): (.*)", re.DOTALL)

_FIXED: dict[str, list[Any]] = {
    "a «wait» needs a line such as “delay: 5”": ["wait needs delay"],
    "a «sticker» needs two lines: the set and the name": ["sticker needs name"],
    "a «retrieve» needs at least one http(s) address on a line of its own": ["retrieve needs address"],
    "web pages cannot be looked up here; answer with what you know": ["no pages"],
    "the reply was cut off in this «remember»; it was left out": ["memory cut off"],
    "history incomplete: older messages were still being fetched when this plan was made": ["history incomplete"],
}
_WITH_WORDS = (
    (r"«(.*)» is not a type of block", "unknown type"),
    (r"“(.*)” behind «(.*)» is not a message number", "no number"),
    (r"this line is no part of a «(.*)»; a text for the chat needs a heading # «send» of its own", "no part"),
    (r"«(.*)» is not available yet and was left out", "not available"),
    (r"«(.*)» is for direct messages only and was left out", "direct only"),
    (r"the sticker (.*) of (.*) is not known; it goes as text", "sticker unknown"),
    (
        r"the sticker (.*) of (.*) could not be looked up \(the account is not connected\); it goes as text",
        "sticker offline",
    ),
    (
        r"the sticker (.*) of (.*) could not be looked up \((?:Telegram did not answer|(.*))\); it goes as text",
        "sticker not found out",
    ),
)
_WITH_NUMBER = (
    (r"a message of ([\d,]+) characters was cut", "too long"),
    (r"the plan has (\d+) steps more than (\d+); they were left out", "too many steps"),
    (r"there is no message (\d+) in this chat; sent without a reply", "no message"),
)
_ABOUT_REPLIES = frozenset({"only waits", "nothing usable", "partly used"})


def reply_problems_of(stored: str) -> str:
    """Return what was wrong with a reply by name; unknown words stay words."""
    return _encoded([_problem(sentence) for sentence in json.loads(stored)])


def problem_with_cause(stored: str) -> str:
    """Return a planning problem whose detail was a sentence about a reply with that as its cause."""
    kind, *rest = json.loads(stored)
    if kind not in _ABOUT_REPLIES or not rest or not rest[0]:
        return stored
    return _encoded([kind, "", 0, 0, 0, _problem(rest[0])])


def _problem(sentence: str) -> list[Any]:
    """Return fault, line, number and what was said, without the defaults at the end."""
    found = _LINE.fullmatch(sentence)
    if found is None:
        return _of(sentence, 0)
    return _of(found[2], int(found[1]))


def _of(words: str, line: int) -> list[Any]:
    if words in _FIXED:
        return [*_FIXED[words], line] if line else _FIXED[words]
    for pattern, fault in _WITH_WORDS:
        found = re.fullmatch(pattern, words, re.DOTALL)
        if found is not None:
            return [fault, line, 0, [said or "" for said in found.groups()]]
    for pattern, fault in _WITH_NUMBER:
        found = re.fullmatch(pattern, words)
        if found is not None:
            number, *said = found.groups()
            parts: list[Any] = [fault, line, int(number.replace(",", ""))]
            return [*parts, said] if said else parts
    return ["other", line, 0, [words]]


def _encoded(parts: list[Any]) -> str:
    return json.dumps(parts, separators=(",", ":"))
