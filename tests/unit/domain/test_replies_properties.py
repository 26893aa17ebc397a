"""What holds for every reply: no junk costs a block, and nothing raises."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from hypothesis import example, given
from hypothesis import strategies as st

from chimein_gui.domain.replies.line_rules import LINE_ENDS, heading_of, split_lines
from chimein_gui.domain.replies.problems import ReplyFault
from chimein_gui.domain.replies.replies import BlockKind, parse_reply


@dataclass(frozen=True)
class Written:
    """A block as a model writes it, and what it means."""

    kind: BlockKind
    reply_to: int | None
    heading: str
    lines: tuple[str, ...]
    params: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "\n".join([self.heading, *self.lines])


def is_block_line_or_fence(line: str) -> bool:
    return heading_of(line) is not None or re.match(r" {0,3}(```|~~~)", line) is not None


ONE_LINE = st.text(st.characters(exclude_characters=LINE_ENDS), max_size=20)
NEAR_THE_GRAMMAR = st.sampled_from(
    [
        *["", " ", "#", "# Title", "## «send»", "# send", "# «", "# «send", "«send»", "»", "«", "``", "~~"],
        *["delay: 3", "5s", "7", "nan", "https://junk.example", "⟦message 7⟧", "> # «send»", "\x00", "\ud800"],
    ]
)
JUNK_LINES = st.lists((ONE_LINE | NEAR_THE_GRAMMAR).filter(lambda line: not is_block_line_or_fence(line)), max_size=4)
WORDS = st.text(
    st.characters(exclude_characters=f"{LINE_ENDS}#\uff03\ufe5f⟦⟧`~", exclude_categories=["Cs"]),
    min_size=1,
    max_size=20,
).filter(str.strip)


@st.composite
def headings(draw: st.DrawFn, kind: BlockKind) -> tuple[int | None, str]:
    number = draw(st.none() | st.just(0) | st.integers(1, 2**31))
    name = draw(st.sampled_from([kind.value, kind.value.upper(), kind.value.title(), f" {kind.value} "]))
    return number or None, f"#{draw(st.sampled_from(['', ' ', '  ']))}«{name}»{'' if number is None else f' {number}'}"


@st.composite
def written(draw: st.DrawFn) -> Written:
    """Draw a valid block of any type."""
    kind = draw(st.sampled_from(list(BlockKind)))
    reply_to, heading = draw(headings(kind))
    if kind is BlockKind.WAIT:
        delay_s = draw(st.integers(0, 10**6).map(float) | st.sampled_from([0.5, 2.25]))
        shape = draw(st.sampled_from(["delay: {}", "{}", "{}s", "Delay: {} seconds"]))
        return Written(kind, reply_to, heading, (shape.format(delay_s),), {"delay": str(delay_s)})
    if kind is BlockKind.STICKER:
        names = draw(st.tuples(WORDS, WORDS))
        return Written(kind, reply_to, heading, names, {"set": names[0].strip(), "name": names[1].strip()})
    if kind is BlockKind.RETRIEVE:
        urls = tuple(
            f"https://example.org/{number}" for number in draw(st.lists(st.integers(0), min_size=1, max_size=3))
        )
        return Written(kind, reply_to, heading, urls, {"urls": "\n".join(urls)})
    least = 1 if kind in {BlockKind.SEND, BlockKind.REMEMBER} else 0
    return Written(kind, reply_to, heading, tuple(draw(st.lists(WORDS, min_size=least, max_size=3))))


@given(st.lists(st.tuples(written(), JUNK_LINES), max_size=8), JUNK_LINES)
def test_all_blocks_come_back_in_order_whatever_junk_stands_between(
    blocks: list[tuple[Written, list[str]]], above: list[str]
) -> None:
    reply = parse_reply("\n".join([*above, *(line for block, junk in blocks for line in [block.text, *junk])]))
    implicit = [block for block in reply.blocks if block.line <= len(above)]
    found = reply.blocks[len(implicit) :]
    assert [block.kind for block in implicit] in ([], [BlockKind.SEND])
    assert [(block.kind, block.reply_to) for block in found] == [(block.kind, block.reply_to) for block, _ in blocks]
    for block, (expected, _) in zip(found, blocks, strict=True):
        assert block.body.startswith("\n".join(expected.lines).strip())
        assert block.params.keys() == expected.params.keys()
        assert all(block.params[key].startswith(value) for key, value in expected.params.items())
        assert block.kind is BlockKind.RETRIEVE or block.params == expected.params
    assert all(problem.fault is ReplyFault.NO_PART for problem in reply.problems)


@given(st.lists(written(), max_size=8), st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(["", "```", "~~~~"]))
def test_valid_blocks_come_back_exactly_and_without_a_problem(blocks: list[Written], end: str, fence: str) -> None:
    lines = [fence, *"\n".join(block.text for block in blocks).split("\n"), fence]
    reply = parse_reply(end.join(lines))
    assert reply.problems == ()
    assert [(block.kind, block.reply_to, block.body, block.params) for block in reply.blocks] == [
        (block.kind, block.reply_to, "\n".join(block.lines).strip(), block.params) for block in blocks
    ]
    assert [lines[block.line - 1] for block in reply.blocks] == [block.heading for block in blocks]


FENCES = st.builds(
    lambda character, length, info: character * length + info,
    st.sampled_from("`~"),
    st.integers(3, 7),
    st.sampled_from(["", "", "py"]),
)


def headings_outside_closed_fences(lines: list[str]) -> list[int]:
    """Say it the slow and plain way: at each opening, go down and look for what closes it."""
    found = []
    index = 0
    while index < len(lines):
        marks = lines[index].removesuffix("py")
        closing = [later for later in range(index + 1, len(lines)) if lines[later].startswith(marks)]
        closing = [later for later in closing if set(lines[later]) == set(marks)] if marks[0] in "`~" else []
        if lines[index].startswith("#"):
            found.append(index)
        index = closing[0] + 1 if closing else index + 1
    return found


@given(st.lists(st.just("# «block»") | FENCES, max_size=20))
@example(["````py", "# «block»", "`````", "```", "# «block»", "```"])
def test_the_blocks_are_the_headings_outside_closed_fences(lines: list[str]) -> None:
    lines = ["Hi", *lines]
    blocks = [block for block in parse_reply("\n".join(lines)).blocks if block.kind is BlockKind.BLOCK]
    assert [block.line - 1 for block in blocks] == headings_outside_closed_fences(lines)


def check_shape(text: str) -> None:
    reply = parse_reply(text)
    count = len(split_lines(text)[0])
    for part in (reply.blocks, reply.problems):
        found = [item.line for item in part]
        assert found == sorted(found)
        assert all(1 <= line <= count for line in found)
    for block in reply.blocks:
        assert block.body == block.body.strip()
        assert block.body or block.kind not in {BlockKind.SEND, BlockKind.REMEMBER}
        assert block.reply_to is None or 0 < block.reply_to < 1 << 63
        assert block.kind is not BlockKind.WAIT or 0 <= float(block.params["delay"]) < 1e9


@given(st.text(st.characters()))
@example("\ud800\udfff\x00")
@example("# «send» \ud800\n\udfff\n# «\ud800»\n# «wait»\n\x00\n# «sticker»\n\ud800\n\x00")
def test_nothing_raises(text: str) -> None:
    check_shape(text)


@given(
    st.lists(NEAR_THE_GRAMMAR | st.sampled_from(["```", "~~~", "```py", "````"]) | written().map(lambda one: one.text))
)
def test_nothing_raises_near_the_grammar(lines: list[str]) -> None:
    check_shape("\n".join(lines))
