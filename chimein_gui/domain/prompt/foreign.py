"""Masks foreign text for prompts, so that it can't look like our own marks."""

# ruff: noqa: RUF001 - the look-alikes are the point

import re
from itertools import islice
from typing import NamedTuple

from chimein_gui.domain.replies.line_rules import HEADING_START, LINE_ENDS

MOST_SHOWN = 500
"""Pieces of a text that are shown as masked; of more, the rest of the text is one plain piece."""

_LONGEST_MARK = 80
_HEADING_START = HEADING_START.pattern.replace("((?:", "(?:(?:", 1)
"""Without its group, so that matches are counted without pieces of their texts."""
_FORGED = rf"{_HEADING_START}[^«»{LINE_ENDS}]{{0,{_LONGEST_MARK}}}»?|⟦[^⟦⟧{LINE_ENDS}]{{0,{_LONGEST_MARK}}}⟧"
_RUNS = re.compile(f"(?:{_FORGED}|[⟦⟧])++")
"""Marks without anything between them. A hostile page is full of marks, so they are not gone through one by one."""
_COUNTED = re.compile(f"(?:{_FORGED})|(⟦+(?=⟦)|⟧+)|⟦")
"""One mark, or in the group single brackets, each of which is a mark."""
_SUSPECT = re.compile("[«⟦⟧]")
_MASKED = _FORGED.replace(_HEADING_START, _HEADING_START.replace("«", "‹")).translate(str.maketrans("⟦⟧", "〔〕"))
_MASKED_RUNS = re.compile(f"(?:{_MASKED}|[〔〕])++")
_MASKED_COUNTED = re.compile(f"(?:{_MASKED})|(〔+(?=〔)|〕+)|〔")
_MASKED_SUSPECT = re.compile("[‹〔〕]")
"""The same four of a text that is masked already."""


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
    pieces, done = [], 0
    for run in islice(_RUNS.finditer(text), MOST_SHOWN) if masked != text else ():
        if run.start() > done:
            pieces.append(MaskedPiece(masked[done : run.start()]))
        pieces.append(MaskedPiece(masked[run.start() : run.end()], is_mark=True))
        done = run.end()
    if done < len(masked):
        pieces.append(MaskedPiece(masked[done:]))
    return tuple(pieces)


def count_masked(text: str) -> int:
    """Return how many marks `mask` would change in a text."""
    if not _SUSPECT.search(text):
        return 0
    return _count(_COUNTED, text)


def masks_in(text: str) -> tuple[tuple[int, int], ...]:
    """Return where masked marks stand in a text of a prompt: begin and end of each, in order, at most `MOST_SHOWN`.

    Brackets of their look that somebody wrote himself can't be told from them.
    """
    if not _MASKED_SUSPECT.search(text):
        return ()
    return tuple(run.span() for run in islice(_MASKED_RUNS.finditer(text), MOST_SHOWN))


def count_masks(text: str) -> int:
    """Return how many masked marks a text of a prompt holds, as `count_masked` counts them before."""
    return _count(_MASKED_COUNTED, text) if _MASKED_SUSPECT.search(text) else 0


def _count(marks: re.Pattern[str], text: str) -> int:
    single = marks.findall(text)
    return single.count("") + sum(map(len, single))
