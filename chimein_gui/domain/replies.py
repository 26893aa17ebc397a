"""The reply grammar (SPEC §3, Reply grammar): pure, never raises, no effects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class BlockKind(StrEnum):
    """The block types of the grammar."""

    SEND = "send"
    STICKER = "sticker"
    WAIT = "wait"
    BLOCK = "block"
    UNBLOCK = "unblock"
    CLEAR_CONVERSATION = "clear-conversation"
    SHUTDOWN = "shutdown"
    REMEMBER = "remember"
    THINK = "think"
    RETRIEVE = "retrieve"


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a reply.

    Attributes:
        kind: Its type.
        reply_to: The message id behind the type; None for 0 or nothing.
        body: The text below the heading, without blank lines around it.
        params: What the body means for the kinds that have parameters.
        line: Line of the heading in the reply, from 1.
    """

    kind: BlockKind
    reply_to: int | None
    body: str
    params: Mapping[str, str] = field(default_factory=dict)
    line: int = 1


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a reply that the grammar does not have.

    Attributes:
        line: Line in the reply, from 1.
        text: What is wrong, in words that the model and the operator both understand.
    """

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A parsed reply: the good blocks in order, and what was wrong."""

    blocks: tuple[Block, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class _Raw:
    name: str
    argument: str
    lines: tuple[str, ...]
    line: int


_HEADING = re.compile(r"#[ \t]*«(?P<name>[^«»]*)»(?P<argument>.*)")
_FENCE = re.compile(r" {0,3}(?P<marks>`{3,}|~{3,})(?P<info>.*)")
_HEADER_ECHO = re.compile(r"\s*⟦[^⟦⟧]*⟧\s*")
_IMPLICIT = "send"


def parse_reply(text: str) -> Reply:
    """Split a model's reply into blocks.

    Args:
        text: The reply, untouched.

    Returns:
        Every block the grammar knows, in order, and the problems of the others.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines, offset = _without_outer_fence(lines)
    blocks: list[Block] = []
    problems: list[Problem] = []
    for raw in _split(lines, offset):
        _read_block(raw, blocks, problems)
    return Reply(tuple(blocks), tuple(problems))


def _without_outer_fence(lines: list[str]) -> tuple[list[str], int]:
    """Remove one fence around the whole reply; the offset keeps line numbers true."""
    filled = [index for index, line in enumerate(lines) if line.strip()]
    if len(filled) < 2:  # noqa: PLR2004 - an opening and a closing line
        return lines, 0
    first, last = filled[0], filled[-1]
    if _FENCE.fullmatch(lines[first]) is None or _end_of_nest(lines, first) != last:
        return lines, 0
    return lines[first + 1 : last], first + 1


def _end_of_nest(lines: list[str], first: int) -> int:
    """Return the line that closes the fence opened at `first`, fences inside it included, or -1."""
    open_marks: list[str] = []
    for index in range(first, len(lines)):
        fence = _FENCE.fullmatch(lines[index])
        if fence is None:
            continue
        if open_marks and _closes(lines[index], open_marks[-1]):
            open_marks.pop()
            if not open_marks:
                return index
        else:
            open_marks.append(fence["marks"])
    return -1


def _closes(line: str, marks: str) -> bool:
    closing = _FENCE.fullmatch(line)
    return (
        closing is not None
        and closing["marks"][0] == marks[0]
        and len(closing["marks"]) >= len(marks)
        and not closing["info"].strip()
    )


def _split(lines: list[str], offset: int) -> Iterator[_Raw]:
    """Cut at headings that stand outside closed fences."""
    name, argument, start = _IMPLICIT, "", 1 + offset
    body: list[str] = []
    hopeless: dict[str, int] = {}
    index = 0
    while index < len(lines):
        heading = _HEADING.fullmatch(lines[index])
        if heading is not None:
            yield _Raw(name, argument, tuple(body), start)
            name, argument, start = heading["name"].strip(), heading["argument"].strip(), index + 1 + offset
            body = []
            index += 1
            continue
        end = _end_of_fence(lines, index, hopeless)
        body.extend(lines[index:end])
        index = end
    yield _Raw(name, argument, tuple(body), start)


def _end_of_fence(lines: list[str], index: int, hopeless: dict[str, int]) -> int:
    """Return the index behind a closed fence that opens here, or of the next line.

    `hopeless` remembers for each mark from which length on nothing below closes it: a reply of a thousand openings
    is read once, not a thousand times.
    """
    opening = _FENCE.fullmatch(lines[index])
    if opening is None:
        return index + 1
    marks = opening["marks"]
    if len(marks) >= hopeless.get(marks[0], len(marks) + 1):
        return index + 1
    for later in range(index + 1, len(lines)):
        if _closes(lines[later], marks):
            return later + 1
    hopeless[marks[0]] = len(marks)
    return index + 1


def _read_block(raw: _Raw, blocks: list[Block], problems: list[Problem]) -> None:
    try:
        kind = BlockKind(raw.name.casefold())
    except ValueError:
        problems.append(Problem(raw.line, f"«{raw.name}» is not a type of block"))
        return
    reply_to = _reply_to(raw, problems)
    lines = raw.lines
    if kind is BlockKind.SEND:
        lines = tuple(line for line in lines if not _HEADER_ECHO.fullmatch(line))
    body = _trim(lines)
    if kind is BlockKind.SEND and not body:
        return
    params, wrong = _params(kind, body)
    if wrong:
        problems.append(Problem(raw.line, wrong))
        return
    blocks.append(Block(kind, reply_to, body, params, raw.line))


def _reply_to(raw: _Raw, problems: list[Problem]) -> int | None:
    if not raw.argument:
        return None
    if not raw.argument.isascii() or not raw.argument.isdigit():
        problems.append(Problem(raw.line, f"“{raw.argument}” behind «{raw.name}» is not a message number"))
        return None
    return int(raw.argument[:20]) or None


def _trim(lines: tuple[str, ...]) -> str:
    """Drop blank lines around the body and trailing blanks at its very end; keep everything inside."""
    filled = [index for index, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[filled[0] : filled[-1] + 1]).strip() if filled else ""


_DELAY = re.compile(r"(?:delay\s*:\s*)?(?P<number>[-+]?\d{1,9}(?:[.,]\d{1,9})?)\s*s?(?:econds?)?", re.IGNORECASE)
_URL = re.compile(r"https?://\S+", re.IGNORECASE)


def _params(kind: BlockKind, body: str) -> tuple[dict[str, str], str]:
    """Read the body of the kinds that have parameters; the second value says what is wrong."""
    reader = _READERS.get(kind)
    return reader(body) if reader is not None else ({}, "")


def _wait_params(body: str) -> tuple[dict[str, str], str]:
    match = _DELAY.fullmatch(body)
    if match is None:
        return {}, "a «wait» needs a line such as “delay: 5”"
    return {"delay": str(max(0.0, float(match["number"].replace(",", "."))))}, ""


def _sticker_params(body: str) -> tuple[dict[str, str], str]:
    lines = [line.strip() for line in body.split("\n") if line.strip()]
    if len(lines) != 2:  # noqa: PLR2004 - SPEC: set, name
        return {}, "a «sticker» needs two lines: the set and the name"
    return {"set": lines[0], "name": lines[1]}, ""


def _retrieve_params(body: str) -> tuple[dict[str, str], str]:
    urls = [line.strip() for line in body.split("\n") if _URL.fullmatch(line.strip())]
    if not urls:
        return {}, "a «retrieve» needs at least one http(s) address on a line of its own"
    return {"urls": "\n".join(urls)}, ""


_READERS: Mapping[BlockKind, Callable[[str], tuple[dict[str, str], str]]] = {
    BlockKind.WAIT: _wait_params,
    BlockKind.STICKER: _sticker_params,
    BlockKind.RETRIEVE: _retrieve_params,
}
