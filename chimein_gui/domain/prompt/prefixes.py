"""What two requests have in common at their beginning: only that can the service read from its cache."""

from __future__ import annotations

from bisect import bisect_left
from enum import StrEnum
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from chimein_gui.domain.prompt.sent import RequestText


class RequestPart(StrEnum):
    """A part of a request, in the order in which the model reads them."""

    INSTRUCTION = "instruction"
    TOOLS = "tools"
    CONTENTS = "contents"


class TextPlace(NamedTuple):
    """A place in a request.

    Attributes:
        where: The part of the request.
        turn: In the contents, index of the turn.
        part: In the contents, index of the part in the turn.
        offset: Characters before it in that text.
    """

    where: RequestPart
    turn: int = 0
    part: int = 0
    offset: int = 0


def common_length(one: bytes | str, other: bytes | str) -> int:
    """Return the length of the common beginning of two texts, or of two byte strings."""
    most = min(len(one), len(other))
    return bisect_left(range(1, most + 1), 1, key=lambda length: int(one[:length] != other[:length]))


def first_difference(before: RequestText, after: RequestText) -> TextPlace | None:
    """Return the first place of the later request that the earlier one does not have; None if it has all of it."""
    if before.instruction != after.instruction:
        return TextPlace(RequestPart.INSTRUCTION, offset=common_length(before.instruction, after.instruction))
    if before.tools != after.tools:
        return TextPlace(RequestPart.TOOLS)
    for number, turn in enumerate(after.turns):
        if number >= len(before.turns) or before.turns[number].role != turn.role:
            return TextPlace(RequestPart.CONTENTS, number)
        for place, (earlier, text) in enumerate(zip_longest(before.turns[number].parts, turn.parts, fillvalue="")):
            if earlier != text:
                return TextPlace(RequestPart.CONTENTS, number, place, common_length(earlier, text))
    return None
