"""Splits a reply into blocks at headings and fences; their meaning is parsed elsewhere.

The parser of replies and the function that removes thoughts both use this, so that they see the same blocks. Each pass
reads each line once, so the cost is linear for any reply.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.replies.echoes import behind_echoes
from chimein_gui.domain.replies.line_rules import heading_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

IMPLICIT_NAME = "send"
"""Type of the text before the first heading."""

_TEXT_LANGUAGES = frozenset({"markdown", "md", "text"})

_FENCE = re.compile(r" {0,3}(?P<marks>`{3,}|~{3,})(?P<info>.*)")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the lines below it, as indexes into the lines of the reply (from 0).

    Attributes:
        name: Text in the guillemets, without blanks around it.
        argument: Text behind them, without blanks around it.
        mark: The heading up to the closing guillemet; empty for the text before the first heading.
        heading: Index of the heading; for the text before the first one, where that text begins.
        start: Index of the first line of the body.
        end: Index behind its last line.
    """

    name: str
    argument: str
    mark: str
    heading: int
    start: int
    end: int


def sections(lines: Sequence[str]) -> Iterator[Section]:
    """Split a reply at the headings outside closed fences.

    A fence around the whole reply is not part of any section. The text before the first heading is always the first
    section, even if it is empty.

    Args:
        lines: From `line_rules.split_lines`.

    Yields:
        The sections in order.
    """
    closings = _closed_fences(lines)
    index, stop = _inside_outer_fence(lines, closings)
    name, argument, mark, heading, start = IMPLICIT_NAME, "", "", index, index
    while index < stop:
        found = heading_of(behind_echoes(lines[index]))
        if found is None:
            closing = closings.get(index, stop)
            # A fence that only the outer fence would close is open, and an open fence is plain text.
            index = closing + 1 if closing < stop else index + 1
            continue
        yield Section(name, argument, mark, heading, start, index)
        name, argument, mark = found["name"].strip(), found["argument"].strip(), found["mark"]
        heading, start = index, index + 1
        index += 1
    yield Section(name, argument, mark, heading, start, stop)


@dataclass(frozen=True, slots=True)
class _Fence:
    character: str
    length: int
    info: str

    def is_closed_by(self, other: _Fence) -> bool:
        return other.character == self.character and other.length >= self.length and not other.info


def _fence(line: str) -> _Fence | None:
    found = _FENCE.fullmatch(line)
    if found is None:
        return None
    marks, info = found["marks"], found["info"].strip()
    if marks[0] == "`" and "`" in info:
        # Inline code such as ```x``` is no fence.
        return None
    return _Fence(marks[0], len(marks), info)


def _closed_fences(lines: Sequence[str]) -> Mapping[int, int]:
    """Return for each line that opens a closed fence the line that closes it.

    Reads from the end. A closing line counts only if it is longer than all nearer ones, so the candidates are sorted by
    length with the nearest as the shortest, and a binary search finds the right one.
    """
    closed: dict[int, int] = {}
    candidates: dict[str, list[tuple[int, int]]] = {"`": [], "~": []}
    for index in range(len(lines) - 1, -1, -1):
        fence = _fence(lines[index])
        if fence is None:
            continue
        below = candidates[fence.character]
        nearest = bisect_right(below, -fence.length, key=_negative_length) - 1
        if nearest >= 0:
            closed[index] = below[nearest][1]
        if not fence.info:
            while below and -below[-1][0] <= fence.length:
                below.pop()
            below.append((-fence.length, index))
    return closed


def _negative_length(candidate: tuple[int, int]) -> int:
    return candidate[0]


def inside_text_fence(lines: Sequence[str]) -> tuple[int, int]:
    """Return where a body begins and ends: inside the fence around all of it, if that only says that it is text.

    A fence without a language, or with another one, belongs to the message.
    """
    start, stop = _inside_outer_fence(lines, _closed_fences(lines))
    opening = _fence(lines[start - 1]) if start else None
    if opening is None or opening.info.casefold() not in _TEXT_LANGUAGES:
        return 0, len(lines)
    return start, stop


def _inside_outer_fence(lines: Sequence[str], closings: Mapping[int, int]) -> tuple[int, int]:
    """Return where the reply begins and ends: inside the fence around all of it, if there is one.

    Models often put a fence of the same length inside. So an inner fence that names its language and is closed before
    the last line is skipped as a whole. Any other line before the last that closes the outer fence means that the outer
    fence is not around the whole reply.
    """
    everything = 0, len(lines)
    filled = [index for index, line in enumerate(lines) if line.strip()]
    outer = _fence(lines[filled[0]]) if len(filled) > 1 else None
    last = _fence(lines[filled[-1]]) if outer is not None else None
    if outer is None or last is None or not outer.is_closed_by(last):
        return everything
    index = filled[0] + 1
    while index < filled[-1]:
        fence = _fence(lines[index])
        if fence is not None and outer.is_closed_by(fence):
            return everything
        closing = closings.get(index, filled[-1])
        named = fence is not None and bool(fence.info)
        index = closing + 1 if named and closing < filled[-1] else index + 1
    return filled[0] + 1, filled[-1]
