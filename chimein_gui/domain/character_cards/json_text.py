"""JSON whose parts can be replaced while every other byte stays as it is."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.character_cards import CardReason

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_VALUES = 150_000
"""Commas and brackets, those in texts included: the interpreter is held while `json` reads, for a tenth of a second."""

_BLANKS = re.compile(r"[ \t\n\r]*")


@dataclass(frozen=True, slots=True)
class Span:
    """A value and its place in the text.

    Attributes:
        value: The value, as `json` reads it.
        start: Index of its first character.
        end: Index behind its last character.
    """

    value: object
    start: int
    end: int


def _no_constant(name: str) -> object:
    raise ValueError(name)  # NaN and Infinity are no JSON


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def document(text: str) -> Span:
    """Read a whole text as one value.

    Raises:
        RefusedError: It is not JSON, nested too deeply, or has too many values.
    """
    if sum(map(text.count, "[{,")) > MOST_VALUES:
        raise RefusedError(Note(CardReason.TOO_MANY_PARTS))
    try:
        span = _value(text, _skip(text, 0))
        if _skip(text, span.end) != len(text):
            raise ValueError
    except RecursionError as error:
        raise RefusedError(Note(CardReason.TOO_DEEP)) from error
    except ValueError as error:
        raise RefusedError(Note(CardReason.NOT_JSON)) from error
    return span


def members(text: str, span: Span) -> dict[str, Span]:
    """Return the members of an object that `document` has read; of equal keys the last one, as `json` does."""
    found: dict[str, Span] = {}
    place = _skip(text, span.start + 1)
    while text[place] != "}":
        key = _value(text, place)
        value = _value(text, _skip(text, _skip(text, key.end) + 1))
        found[str(key.value)] = value
        place = _next(text, value.end)
    return found


def elements(text: str, span: Span) -> list[Span]:
    """Return the elements of an array that `document` has read."""
    found: list[Span] = []
    place = _skip(text, span.start + 1)
    while text[place] != "]":
        found.append(_value(text, place))
        place = _next(text, found[-1].end)
    return found


def replaced(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """Replace parts of a text, given as start, end and new text; they must not overlap."""
    pieces: list[str] = []
    place = 0
    for start, end, new in sorted(changes):
        pieces += text[place:start], new
        place = end
    return "".join((*pieces, text[place:]))


def string(text: str) -> str:
    """Return a text as a JSON string."""
    return json.dumps(text, ensure_ascii=False)


def _skip(text: str, place: int) -> int:
    found = _BLANKS.match(text, place)
    return found.end() if found else place


def _next(text: str, end: int) -> int:
    """Return where the next member begins, or the closing bracket is."""
    place = _skip(text, end)
    return _skip(text, place + 1) if text[place] == "," else place


def _value(text: str, place: int) -> Span:
    value, end = _DECODER.raw_decode(text, place)
    return Span(value, place, end)
