"""Replies made to be slow take work in proportion to their length: what a model writes must not stop the loop."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chimein_gui.domain.replies.replies import parse_reply
from chimein_gui.domain.replies.think import without_thoughts
from tests.support.steps import steps

MOST_GROWTH = 2.2
"""Steps on twice the length: linear work gives 2, quadratic 4."""

REPLIES = [
    pytest.param(lambda count: "# «" + " " * (count // 100) + "\n", id="a heading with many blanks"),
    pytest.param(lambda count: "```a\n" * (count // 100), id="many fences that nothing closes"),
    pytest.param(lambda count: "~~~a\n```a\n" * (count // 200), id="many fences of both kinds"),
    pytest.param("x".__mul__, id="one long line"),
    pytest.param(lambda count: "`" * count + "a`", id="one long fence that is none"),
    pytest.param("⟦".__mul__, id="a header that never ends"),
    pytest.param(lambda count: "⟦⟧ " * (count // 3) + "x", id="many headers and then text"),
]
DIGITS = [
    pytest.param("9".__mul__, id="nines"),
    pytest.param("0".__mul__, id="noughts"),
    pytest.param(lambda count: "1." + "1" * count, id="decimals"),
    pytest.param(lambda count: "1" * count + "x", id="then a letter"),
]


@pytest.mark.parametrize("reply", REPLIES)
def test_a_bulky_reply_is_kept_as_text(reply: Callable[[int], str]) -> None:
    text = reply(500_000)
    assert [block.body for block in parse_reply(text).blocks] == [text.strip()]
    assert steps(parse_reply, reply(400_000)) < MOST_GROWTH * steps(parse_reply, reply(200_000))


@pytest.mark.parametrize("digits", DIGITS)
def test_a_wait_of_a_million_digits_takes_no_more_steps_than_a_short_one(digits: Callable[[int], str]) -> None:
    short, long = [steps(parse_reply, f"# «wait» {number}\ndelay: {number}") for number in map(digits, (10, 1_000_000))]
    assert long < short + 50


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
    pytest.param(lambda count: "```\n# «think»\n" * count + "````\n", id="thoughts and fences"),
    pytest.param(lambda count: "# «dance»\n" * count, id="unknown types"),
    pytest.param(lambda count: "# «wait»\n" + "soon\n" * count, id="a wait without a number"),
    pytest.param(lambda count: "# «retrieve»\n" + "https://example.org\n" * count, id="addresses"),
]


@pytest.mark.parametrize("function", [parse_reply, without_thoughts])
@pytest.mark.parametrize("text", HOSTILE)
def test_twice_the_lines_take_twice_the_steps(function: Callable[[str], object], text: Callable[[int], str]) -> None:
    once, twice = steps(function, text(1_000)), steps(function, text(2_000))
    assert once > 1_000
    assert twice < MOST_GROWTH * once
