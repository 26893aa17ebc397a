"""Thoughts never leave the room: they are replaced before anything is logged, published or written."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from chimein_gui.domain.replies.replies import Block, BlockKind, parse_reply
from chimein_gui.domain.replies.think import may_think, without_thoughts

SECRET = "\U0001f92b"


def test_a_thought_behind_the_heading_leaves_a_heading_and_a_body() -> None:
    assert without_thoughts("# «think» hm") == "# «think»\n(think, 2 characters)"
    assert without_thoughts("# «think» 7 x\r\n# «send»") == "# «think»\r\n(think, 3 characters)\r\n# «send»"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello!\r\nyou\r",
        "# «send»\n# think\nnot a thought",
        "# «think»\n\n# «send»\nHi",
        "# «send»\nSo:\n```\n# «think»\ntext of a send\n```",
        "# «remember»\nI think\n",
        "# «dance»\nHi\n\ud800\x00",
    ],
)
def test_a_reply_without_a_thought_comes_back_as_it_was(text: str) -> None:
    assert without_thoughts(text) == text


@pytest.mark.parametrize("heading", ["# «think»", "# « THINK » 7", "# «Think» hm", "# «\u017fend»\n# «thin\u212a»"])
def test_every_heading_of_a_thought_is_told_from_a_reply_without_one(heading: str) -> None:
    text = f"Hi\n{heading}\n{SECRET}"
    assert SECRET not in without_thoughts(text)
    assert may_think(text)
    assert not may_think(f"Hi\n# «send»\n{SECRET} thin king")


def shape(text: str) -> list[tuple[BlockKind, int | None, object, object]]:
    """All of a reply but its thoughts."""
    return [(block.kind, block.reply_to, *said(block)) for block in parse_reply(text).blocks]


def said(block: Block) -> tuple[object, object]:
    return (None, None) if block.kind is BlockKind.THINK else (block.body, block.params)


LINES = st.lists(
    st.sampled_from(
        [
            *[
                "# «think»",
                "# «Think» 5",
                "# «think» so",
                "# «send»",
                "# «send» 7",
                "# «wait»",
                "# «dance»",
                "# «remember»",
            ],
            *[
                "```",
                "```py",
                "````",
                "~~~",
                "~~~~ x",
                " ```",
                "",
                "delay: 5",
                "Hi",
                "⟦message 7⟧",
                "a b",
                "\ud800\x00",
            ],
        ]
    ),
    max_size=14,
)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@given(LINES, ENDS)
@example(["```", "```py", "```", "# «think»", "````", "# «send»", "c", "```"], "\n")
def test_what_parse_reply_takes_for_a_thought_is_gone_and_nothing_else(lines: list[str], end: str) -> None:
    # Every line is made unlike all others, without changing what it is to the grammar.
    marked = [f"{line}{number}!" if line[:1] in {"H", "a"} else line for number, line in enumerate(lines)]
    text = end.join(marked)
    thoughts = [block.body for block in parse_reply(text).blocks if block.kind is BlockKind.THINK]
    thought_of = {word for thought in thoughts for word in thought.split("\n") if word.endswith("!")}
    left = without_thoughts(text).split(end)
    words = [line for line in marked if line.endswith("!")]
    assert [line for line in left if line.endswith("!")] == [word for word in words if word not in thought_of]
    assert may_think(text) or without_thoughts(text) == text


@given(LINES, ENDS)
def test_the_other_blocks_are_read_as_before(lines: list[str], end: str) -> None:
    # A reply that begins with a fence has its own tests: what that fence is depends on all that follows.
    assume(not any(line.strip() for line in lines[:1]) or lines[0].lstrip()[:3] not in {"```", "~~~"})
    text = end.join(["Hi", *lines])
    assert shape(without_thoughts(text)) == shape(text)


@given(LINES, ENDS, st.sampled_from(["`````", "~~~~~"]))
def test_in_one_fence_around_the_whole_reply_they_are_read_as_before(lines: list[str], end: str, fence: str) -> None:
    text = end.join([fence, *lines, fence])
    assert shape(without_thoughts(text)) == shape(text)
