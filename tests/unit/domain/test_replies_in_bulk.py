"""Replies made to be slow are read at once: what a model writes must not stop the loop."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import pytest

from chimein_gui.domain.replies import parse_reply
from chimein_gui.domain.think import without_thoughts

AT_ONCE_S = 2.0
"""Generous: these take some hundredths of a second; with one more power of the length they take over 15 s."""


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param("# «" + " " * 4_000 + "\n", id="a heading with many blanks"),
        pytest.param("```a\n" * 6_000, id="many fences that nothing closes"),
        pytest.param("~~~a\n```a\n" * 3_000, id="many fences of both kinds"),
        pytest.param("x" * 1_000_000, id="one long line"),
        pytest.param("`" * 1_000_000 + "a`", id="one long fence that is none"),
        pytest.param("⟦" * 500_000, id="a header that never ends"),
        pytest.param("⟦⟧ " * 300_000 + "x", id="many headers and then text"),
    ],
)
def test_it_is_read_at_once_and_kept_as_text(reply: str) -> None:
    began = time.process_time()
    blocks = parse_reply(reply).blocks
    assert time.process_time() - began < AT_ONCE_S
    assert [block.body for block in blocks] == [reply.strip()]


@pytest.mark.parametrize("digits", ["9" * 1_000_000, "0" * 1_000_000, "1." + "1" * 1_000_000, "1" * 500_000 + "x"])
def test_a_wait_of_a_million_digits_is_read_at_once(digits: str) -> None:
    began = time.process_time()
    parse_reply(f"# «wait» {digits}\ndelay: {digits}")
    assert time.process_time() - began < AT_ONCE_S


def steps(function: Callable[[str], object], text: str) -> int:
    """Count the calls, of Python and of C, that reading a text takes: the same on every machine."""
    count = 0

    def seen(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        function(text)
    finally:
        sys.setprofile(before)
    return count


def growing_fences(count: int) -> str:
    return "".join("`" * (3 + number % 40) + "a\n" for number in range(count))


HOSTILE = [
    pytest.param(lambda count: "```a\n" * count, id="openings"),
    pytest.param(lambda count: "```\n" * (2 * count + 1), id="pairs and one more"),
    pytest.param(lambda count: "~~~a\n```a\n" * count, id="openings of both kinds"),
    pytest.param(growing_fences, id="openings that grow"),
    pytest.param(
        lambda count: "\n".join("`" * (3 + count - number) + "a" for number in range(count)), id="that shrink"
    ),
    pytest.param(lambda count: "```\n" + "```a\n" * count + "```\n" * count, id="openings, then closings"),
    pytest.param(lambda count: "```\n# «think»\n" * count + "````\n", id="thoughts and fences"),
    pytest.param(lambda count: "# «send» 5\nHi\n" * count, id="sends"),
    pytest.param(lambda count: "# «dance»\n" * count, id="unknown types"),
    pytest.param(lambda count: "# «think»\nhm\n" * count, id="thoughts"),
    pytest.param(lambda count: "# «wait»\n" + "soon\n" * count, id="a wait without a number"),
    pytest.param(lambda count: "# «sticker»\na\nb\n" + "c\n" * count, id="a sticker and more"),
    pytest.param(lambda count: "# «retrieve»\n" + "https://example.org\n" * count, id="addresses"),
]


@pytest.mark.parametrize("function", [parse_reply, without_thoughts])
@pytest.mark.parametrize("text", HOSTILE)
def test_twice_the_lines_take_twice_the_steps(function: Callable[[str], object], text: Callable[[int], str]) -> None:
    once, twice = steps(function, text(1_000)), steps(function, text(2_000))
    assert once > 1_000
    assert twice < 2.2 * once
