"""Cuts a text with entities into runs that are laid out separately. Offsets refer to the sanitized text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from chimein_gui.domain.messages import utf16_length
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.text_block import runs_right_to_left

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chimein_gui.domain.messages import TextEntity

MOST_ENTITIES = 200
"""Most entities that are used; Telegram allows 100 in a message."""

MOST_TURNS = 24
"""Most changes of direction in one text, as each starts a layout; later lines keep the last direction."""

HEAD = 500
"""Characters of a line that are searched for a letter. A line without one there keeps the last direction."""

_BLOCKS = frozenset({"blockquote", "expandable_blockquote", "pre"})


class RunKind(StrEnum):
    """The kind of block a run belongs to."""

    TEXT = "text"
    QUOTE = "quote"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A formatted part of a run.

    Attributes:
        start: Offset in UTF-16 units of the run's shown text.
        length: In UTF-16 units.
        kinds: Names of its entities.
        hidden: It is a spoiler that is not shown.
        target: The real address of a link; empty if there is none.
    """

    start: int
    length: int
    kinds: frozenset[str]
    hidden: bool = False
    target: str = ""

    @property
    def can_be_pressed(self) -> bool:
        """Tell whether a click on it does something."""
        return self.hidden or bool(self.target)


@dataclass(frozen=True, slots=True)
class Run:
    """Text that is laid out separately.

    Attributes:
        kind: The kind of block.
        text: The shown text.
        stretches: Its formatting, in order, without overlaps.
    """

    kind: RunKind
    text: str
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text between two offsets where formatting begins or ends."""

    text: str
    entities: tuple[TextEntity, ...]
    block: int
    """Index of the quote or code block it is in, or -1."""
    target: str
    """Address of the link it is part of, or empty."""


def runs_of(text: str, entities: Sequence[TextEntity], *, secrets: bool = False) -> tuple[Run, ...]:
    """Cut a text into runs.

    Args:
        text: The foreign text.
        entities: Its formatting; entities out of bounds are cut.
        secrets: Show spoilers; else their letters are replaced.
    """
    if not entities:
        shown = foreign_text.body(text)
        return tuple(_by_direction(RunKind.TEXT, shown, ())) if shown else ()
    capped = text if len(text) <= foreign_text.BODY_CHARS else text[: foreign_text.BODY_CHARS] + "…"
    runs: list[Run] = []
    for block, group in groupby(_pieces(capped, entities[:MOST_ENTITIES]), key=lambda piece: piece.block):
        pieces = list(group)
        kind = RunKind.TEXT if block < 0 else _kind(entities[block])
        shown, stretches = _shown(pieces, secrets=secrets)
        shown, stretches = _without_breaks(shown, stretches, at_start=bool(runs))
        if shown.strip():
            runs.extend(_by_direction(kind, shown, stretches))
    return tuple(runs)


def _kind(entity: TextEntity) -> RunKind:
    return RunKind.CODE if entity.kind == "pre" else RunKind.QUOTE


def _pieces(text: str, entities: Sequence[TextEntity]) -> Iterator[_Piece]:
    places = _places(text, {edge for one in entities for edge in (one.offset, one.offset + one.length)})
    spans = [(places[one.offset], places[one.offset + one.length], number) for number, one in enumerate(entities)]
    edges = sorted({0, len(text), *(edge for start, end, _ in spans for edge in (start, end))})
    blocks: list[tuple[int, int, int]] = []
    for start, end, number in sorted(spans):
        if entities[number].kind in _BLOCKS and (not blocks or start >= blocks[-1][1]):
            blocks.append((start, end, number))
    for start, end in pairwise(edges):
        inside = tuple(entities[number] for first, last, number in spans if first <= start and end <= last)
        block = next((number for first, last, number in blocks if first <= start and end <= last), -1)
        links = (_target(entities[n], text[first:last]) for first, last, n in spans if first <= start and end <= last)
        yield _Piece(text[start:end], inside, block, next(filter(None, links), ""))


def _places(text: str, units: set[int]) -> dict[int, int]:
    """Return the indices in a text for offsets in UTF-16 units, limited to its bounds."""
    if text.isascii() or max(text, default="") < "\U00010000":
        return {unit: min(max(unit, 0), len(text)) for unit in units}
    found: dict[int, int] = {}
    waiting = sorted(units, reverse=True)
    at = 0
    for place, char in enumerate(text):
        while waiting and waiting[-1] <= at:
            found[waiting.pop()] = place
        at += 2 if char >= "\U00010000" else 1
    return found | dict.fromkeys(waiting, len(text))


def _shown(pieces: list[_Piece], *, secrets: bool) -> tuple[str, tuple[Stretch, ...]]:
    shown: list[str] = []
    stretches: list[Stretch] = []
    at = 0
    for piece in pieces:
        kinds = frozenset(one.kind for one in piece.entities)
        text = foreign_text.body(piece.text)
        hidden = "spoiler" in kinds and not secrets
        if hidden:
            text = "".join(char if char in " \n" else "x" for char in text)  # emoji would be visible on any colour
        length = utf16_length(text)
        if kinds and length:
            stretches.append(Stretch(at, length, kinds, hidden, "" if hidden else piece.target))
        shown.append(text)
        at += length
    return "".join(shown), tuple(stretches)


def _target(one: TextEntity, text: str) -> str:
    if one.kind == "text_url":
        return one.argument
    if one.kind == "url":
        return text if "://" in text else f"https://{text}"
    return ""


def _without_breaks(shown: str, stretches: tuple[Stretch, ...], *, at_start: bool) -> tuple[str, tuple[Stretch, ...]]:
    """Remove the line breaks next to a block, because it starts and ends a line anyway."""
    if at_start and shown.startswith("\n"):
        shown = shown[1:]
        stretches = tuple(
            Stretch(max(0, one.start - 1), one.length - (one.start == 0), one.kinds, one.hidden, one.target)
            for one in stretches
        )
    return (shown[:-1] if shown.endswith("\n") else shown), stretches


def _by_direction(kind: RunKind, shown: str, stretches: tuple[Stretch, ...]) -> Iterator[Run]:
    """Cut a run where the direction of its lines changes, because a Qt layout has one direction."""
    if shown.isascii():
        yield Run(kind, shown, stretches)
        return
    lines = shown.split("\n")
    directions: list[bool | None] = []
    turns = 0
    for line in lines:
        before = directions[-1] if directions else None
        strong = turns < MOST_TURNS and any(char.isalpha() for char in line[:HEAD])
        directions.append(runs_right_to_left(line) if strong else before)
        turns += directions[-1] is not before
    first = next((one for one in directions if one is not None), False)
    at = 0
    for _rtl, group in groupby(
        zip(directions, lines, strict=True), key=lambda pair: first if pair[0] is None else pair[0]
    ):
        text = "\n".join(line for _, line in group)
        length = utf16_length(text)
        yield Run(kind, text, tuple(_inside(stretches, at, length)))
        at += length + 1


def _inside(stretches: tuple[Stretch, ...], at: int, length: int) -> Iterator[Stretch]:
    for one in stretches:
        start, end = max(one.start, at), min(one.start + one.length, at + length)
        if start < end:
            yield Stretch(start - at, end - start, one.kinds, one.hidden, one.target)
