"""Masks foreign text for prompts, so that it can't look like our own marks."""

# ruff: noqa: RUF001 - the look-alikes are the point

import re
from collections.abc import Iterator
from typing import NamedTuple

from chimein_gui.domain.replies.line_rules import HEADING_START, LINE_ENDS, MASKED_HEADING_START

MOST_SHOWN = 500
"""Pieces of a text that are shown as masked; of more, the rest of the text is one plain piece."""

_LONGEST_MARK = 80
_MARKS = re.compile(
    rf"{HEADING_START.pattern}[^«»{LINE_ENDS}]{{0,{_LONGEST_MARK}}}»?"
    rf"|⟦[^⟦⟧{LINE_ENDS}]{{0,{_LONGEST_MARK}}}⟧|[⟦⟧]"
)
_SUSPECT = re.compile("[«⟦⟧]")
_BRACKETS_BACK = str.maketrans("〔〕", "⟦⟧")


def mask(text: str) -> str:
    """Return `text` so that neither a block heading nor a header part can be forged with it."""
    if not _SUSPECT.search(text):
        return text
    # Much faster than one table for both; a prompt holds hundreds of messages.
    return HEADING_START.sub(r"\1‹", text).replace("⟦", "〔").replace("⟧", "〕")


class MaskedPiece(NamedTuple):
    """A piece of a masked text.

    Attributes:
        text: As it stands in a prompt.
        is_mark: It would have been a block heading or a header part, had it not been masked.
    """

    text: str
    is_mark: bool = False


def masked_pieces(text: str) -> tuple[MaskedPiece, ...]:
    """Return the masked text in pieces, so that what was masked can be shown; joined they are `mask(text)`.

    Marks without anything between them are one piece, and at most `MOST_SHOWN` pieces are marks.
    """
    masked = mask(text)
    spans: list[tuple[int, int]] = []
    for start, end in _masked_spans(text, masked):
        if spans and spans[-1][1] == start:
            spans[-1] = (spans[-1][0], end)
        elif len(spans) < MOST_SHOWN:
            spans.append((start, end))
        else:
            break
    pieces, done = [], 0
    for start, end in spans:
        if start > done:
            pieces.append(MaskedPiece(masked[done:start]))
        pieces.append(MaskedPiece(masked[start:end], is_mark=True))
        done = end
    if done < len(masked):
        pieces.append(MaskedPiece(masked[done:]))
    return tuple(pieces)


def count_masked(text: str) -> int:
    """Return how many marks `mask` would change in a text."""
    return sum(1 for _ in _masked_spans(text, mask(text)))


def _masked_spans(text: str, masked: str) -> Iterator[tuple[int, int]]:
    """Yield where a mark was changed; a masked text is as long as its original."""
    if masked == text:
        return
    for found in _MARKS.finditer(text):
        if masked[found.start() : found.end()] != found[0]:
            yield found.span()


def unmask(text: str) -> str:
    """Undo `mask`, for display."""
    return MASKED_HEADING_START.sub(r"\1«", text).translate(_BRACKETS_BACK)
