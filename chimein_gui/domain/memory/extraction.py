"""The model's answer to "what of this conversation is worth remembering", read strictly.

Nothing of it is believed: an entry without a message that was really read, and written by somebody else, is dropped.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.memory.flags import reads_like_order, reads_sensitive
from chimein_gui.domain.memory.folding import folded, folded_hash
from chimein_gui.domain.memory.proposals import Evidence, Flag, FoundMemory

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from chimein_gui.domain.messages import Message

MOST_FOUND = 20
"""Entries of one answer that are read; more are dropped."""
LONGEST = 500
"""Characters of an entry; a longer one is dropped."""
MOST_EVIDENCE = 8

SCHEMA = json.dumps(
    {
        "type": "OBJECT",
        "properties": {
            "memories": {
                "type": "ARRAY",
                "maxItems": MOST_FOUND,
                "items": {
                    "type": "OBJECT",
                    "properties": {
                        "text": {"type": "STRING"},
                        "evidence": {
                            "type": "ARRAY",
                            "items": {
                                "type": "OBJECT",
                                "properties": {"message": {"type": "INTEGER"}, "words": {"type": "STRING"}},
                                "required": ["message"],
                            },
                        },
                        "sensitive": {"type": "BOOLEAN"},
                        "order": {"type": "BOOLEAN"},
                        "confidence": {"type": "NUMBER"},
                    },
                    "required": ["text", "evidence", "sensitive", "order", "confidence"],
                },
            }
        },
        "required": ["memories"],
    }
)
"""What the answer looks like, in the subset of JSON schema that Gemini takes."""


class ExtractionError(ChimeinError):
    """The answer is not in the form that was asked for."""


def read_found(answer: str, messages: Collection[Message]) -> tuple[FoundMemory, ...]:
    """Read an answer.

    Args:
        answer: The model's text; JSON as `SCHEMA` says.
        messages: What the model was shown.

    Returns:
        The entries with evidence, in the order of the answer, each text once.

    Raises:
        ExtractionError: It is no such JSON at all.
    """
    try:
        body = json.loads(answer)
    except (ValueError, RecursionError):
        raise ExtractionError("The answer is no JSON") from None
    if not isinstance(body, dict) or not isinstance(body.get("memories"), list):
        raise ExtractionError("The answer has no list of memories")
    shown = {message.key.message_id: message for message in messages if not message.deleted}
    found: dict[str, FoundMemory] = {}
    for one in body["memories"][:MOST_FOUND]:
        memory = _read_one(one, shown) if isinstance(one, dict) else None
        if memory is not None:
            found.setdefault(folded_hash(memory.text), memory)
    return tuple(found.values())


def _read_one(one: Mapping[str, Any], shown: Mapping[MessageId, Message]) -> FoundMemory | None:
    text = one.get("text")
    if not isinstance(text, str):
        return None
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    if not folded(text) or len(text) > LONGEST:
        return None
    evidence = _evidence(one.get("evidence"), shown)
    if all(shown[part.message_id].out for part in evidence):
        return None  # also without any: what only the agent said is no news about somebody
    flags = set()
    if one.get("order") is True or reads_like_order(text):
        flags.add(Flag.ORDER)
    if one.get("sensitive") is True or reads_sensitive(text):
        flags.add(Flag.SENSITIVE)
    sure = one.get("confidence")
    if not isinstance(sure, int | float) or isinstance(sure, bool) or not 0 <= sure <= 1:
        sure = None
    return FoundMemory(text, evidence, frozenset(flags), sure)


def _evidence(listed: object, shown: Mapping[MessageId, Message]) -> tuple[Evidence, ...]:
    """Return the parts that were really read; where the words do not stand in the message, its whole text."""
    found: dict[MessageId, Evidence] = {}
    for one in listed if isinstance(listed, list) else ():
        number = one.get("message") if isinstance(one, dict) else None
        if not isinstance(number, int) or isinstance(number, bool):
            continue
        message = shown.get(MessageId(number))
        if message is None or len(found) >= MOST_EVIDENCE:
            continue
        words = one.get("words") if isinstance(one, dict) else None
        words = words.strip() if isinstance(words, str) else ""
        words = words if words and words in message.text else message.text
        found.setdefault(message.key.message_id, Evidence(message.key.message_id, words))
    return tuple(found[number] for number in sorted(found))
