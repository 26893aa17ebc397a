"""The reply grammar (docs/behaviour.md, "The reply grammar"): pure, never raises, no effects.

Special cases:

- Text below the two lines of a sticker, or beside the delay of a wait, does not invalidate the block. It is still a
  problem, because the model may have meant it for the chat.
- `block`, `unblock` and `clear-conversation` need no body. Their text stays in `body`, for the card; it has no effect.
- A blank `remember` is dropped like a blank send.
- Text instead of a number behind «think» belongs to the thought. It is never a problem, because problems are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from chimein_gui.domain.replies.bodies import Reading, read_retrieve, read_sticker, read_wait
from chimein_gui.domain.replies.echoes import with_plain_names, without_echoes
from chimein_gui.domain.replies.line_rules import split_lines
from chimein_gui.domain.replies.lines import Section, inside_text_fence, sections
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem


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
        reply_to: The message id behind the type; None for 0 or nothing. Fits a signed 64-bit number.
        body: The text below the heading, without blank lines around it.
        params: Parameters in the body: `delay` (seconds, a float of 0 or more) of a wait, `set` and `name` of a
            sticker,
            `urls` (one per line) of a retrieve, and `raw` if the source of the pages is wanted.
        line: Line of the heading in the reply, from 1.
    """

    kind: BlockKind
    reply_to: int | None
    body: str
    params: Mapping[str, str] = field(default_factory=dict)
    line: int = 1


@dataclass(frozen=True, slots=True)
class Reply:
    """A parsed reply.

    Attributes:
        blocks: The valid ones, in order.
        problems: What was wrong.
        is_cut_off: The reply is incomplete; its last block may be, too.
    """

    blocks: tuple[Block, ...]
    problems: tuple[ReplyProblem, ...]
    is_cut_off: bool = False

    @property
    def needs_repair(self) -> bool:
        """Return whether the model is shown its reply again, with its problems."""
        return bool(self.problems)

    @property
    def is_no_answer(self) -> bool:
        """Return whether the model chose to say nothing: a blank reply, or only think and remember.

        A reply with problems, or one that was cut off, is not such a choice.
        """
        return self.has_no_task and not self.is_cut_off

    @property
    def wants_only_pages(self) -> bool:
        """Return whether it requests web pages and says nothing to the partner."""
        kinds = {block.kind for block in self.blocks} - _NO_TASKS
        return kinds == {BlockKind.RETRIEVE}

    @property
    def has_no_task(self) -> bool:
        """Return whether it has only thoughts and memories, and no problems."""
        return not self.problems and all(block.kind in _NO_TASKS for block in self.blocks)


_NO_TASKS = frozenset({BlockKind.THINK, BlockKind.REMEMBER})
_NOTHING_WITHOUT_BODY = frozenset({BlockKind.SEND, BlockKind.REMEMBER})
_ID_DIGITS = 18
"""Digits read of a message number: larger than any message id, and it still fits 64 bits."""
_QUOTED = 60
"""Longest quote of the model's words in a problem, in characters."""


def parse_reply(text: str) -> Reply:
    """Split a model's reply into blocks.

    Args:
        text: The reply, untouched.

    Returns:
        Every block the grammar knows, in order, and the problems of the others.
    """
    lines, ends = split_lines(text)
    blocks: list[Block] = []
    problems: list[ReplyProblem] = []
    for section in sections(lines):
        _read_block(section, lines[section.start : section.end], ends[section.start : section.end], blocks, problems)
    return Reply(tuple(blocks), tuple(problems))


def kind_of(section: Section) -> BlockKind | None:
    """Return the type a heading names, or None if the grammar does not have it."""
    try:
        return BlockKind(section.name.casefold())
    except ValueError:
        return None


def number_behind(section: Section) -> str:
    """Return the digits behind the type; empty if there is anything else or nothing."""
    return section.argument if section.argument.isascii() and section.argument.isdigit() else ""


def thought_of(section: Section, lines: Sequence[str]) -> str:
    """Return the body of a think block: the text behind its heading, and the lines below it."""
    early = [] if number_behind(section) else [section.argument]
    return "\n".join([*early, *lines]).strip()


def _read_block(
    section: Section, lines: Sequence[str], ends: Sequence[str], blocks: list[Block], problems: list[ReplyProblem]
) -> None:
    kind = kind_of(section)
    line = section.heading + 1
    if kind is None:
        problems.append(ReplyProblem(ReplyFault.UNKNOWN_TYPE, line, said=(_quoted(section.name),)))
        return
    reply_to = int(number_behind(section).lstrip("0")[:_ID_DIGITS] or "0") or None
    if section.argument and not number_behind(section) and kind is not BlockKind.THINK:
        problems.append(ReplyProblem(ReplyFault.NO_NUMBER, line, said=(_quoted(section.argument), kind.value)))
    body = _body(kind, section, lines, ends)
    if not body and kind in _NOTHING_WITHOUT_BODY:
        return
    params, used = _READERS[kind](lines) if kind in _READERS else ({}, range(len(lines)))
    if params is None:
        problems.append(ReplyProblem(_NEEDS[kind], line))
        return
    blocks.append(Block(kind, reply_to, body, params, line))
    unused = next((index for index, text in enumerate(lines) if text.strip() and index not in used), None)
    if unused is not None:
        problems.append(ReplyProblem(ReplyFault.NO_PART, section.start + unused + 1, said=(kind.value,)))


def _body(kind: BlockKind, section: Section, lines: Sequence[str], ends: Sequence[str]) -> str:
    if kind is BlockKind.THINK:
        return thought_of(section, lines)
    if kind in _NOTHING_WITHOUT_BODY:
        start, stop = inside_text_fence(lines)
        lines, ends = lines[start:stop], ends[start:stop]
    kept: list[str] = []
    for line, end in zip(lines, ends, strict=True):
        text = without_echoes(line) if kind is BlockKind.SEND else with_plain_names(line)
        if text is not None:
            # A form feed or Unicode separator inside a message belongs to it; line ends with CR become LF.
            kept.append(text + ("\n" if end.startswith("\r") else end))
    return "".join(kept).strip()


def _quoted(words: str) -> str:
    return words if len(words) <= _QUOTED else words[:_QUOTED] + "…"


_READERS: Mapping[BlockKind, Callable[[Sequence[str]], Reading]] = {
    BlockKind.WAIT: read_wait,
    BlockKind.STICKER: read_sticker,
    BlockKind.RETRIEVE: read_retrieve,
}
_NEEDS: Mapping[BlockKind, ReplyFault] = {
    BlockKind.WAIT: ReplyFault.WAIT_NEEDS_DELAY,
    BlockKind.STICKER: ReplyFault.STICKER_NEEDS_NAME,
    BlockKind.RETRIEVE: ReplyFault.RETRIEVE_NEEDS_ADDRESS,
}
