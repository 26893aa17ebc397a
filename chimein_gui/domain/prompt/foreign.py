"""Masks foreign text for prompts, so that it can't look like our own marks."""

# ruff: noqa: RUF001 - the look-alikes are the point

import re
from typing import NamedTuple

from chimein_gui.domain.replies.line_rules import HEADING_START, LINE_ENDS, MASKED_HEADING_START

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
    """Return the masked text in pieces, so that what was masked can be shown; joined they are `mask(text)`."""
    masked = mask(text)
    if masked == text:
        return (MaskedPiece(text),) if text else ()
    pieces, end = [], 0
    for found in _MARKS.finditer(text):  # a masked text is as long as its original
        if masked[found.start() : found.end()] == found[0]:
            continue
        if found.start() > end:
            pieces.append(MaskedPiece(masked[end : found.start()]))
        pieces.append(MaskedPiece(masked[found.start() : found.end()], is_mark=True))
        end = found.end()
    if end < len(masked):
        pieces.append(MaskedPiece(masked[end:]))
    return tuple(pieces)


def unmask(text: str) -> str:
    """Undo `mask`, for display."""
    return MASKED_HEADING_START.sub(r"\1«", text).translate(_BRACKETS_BACK)
