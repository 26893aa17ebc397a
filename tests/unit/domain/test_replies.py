"""The reply grammar, corner by corner (SPEC §3, Reply grammar)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chimein_gui.domain.replies import BlockKind, parse_reply


def bodies(text: str) -> list[tuple[str, int | None, str]]:
    return [(block.kind.value, block.reply_to, block.body) for block in parse_reply(text).blocks]


def test_a_send_with_its_text() -> None:
    assert bodies("# «send»\nHello!") == [("send", None, "Hello!")]


def test_a_send_as_a_reply() -> None:
    assert bodies("# «send» 1234\nHello!") == [("send", 1234, "Hello!")]


@pytest.mark.parametrize("argument", ["0", "", "  "])
def test_nothing_or_zero_means_no_reply(argument: str) -> None:
    assert bodies(f"# «send» {argument}\nHello!") == [("send", None, "Hello!")]


@pytest.mark.parametrize("argument", ["abc", "12a", "-5", "١٢", "²"])
def test_anything_but_digits_is_reported_and_ignored(argument: str) -> None:
    reply = parse_reply(f"# «send» {argument}\nHello!")
    assert [block.reply_to for block in reply.blocks] == [None]
    assert argument in reply.problems[0].text


@pytest.mark.parametrize("heading", ["# «SEND»", "#«send»", "#  « Send » ", "# «send»\t"])
def test_the_type_is_read_generously(heading: str) -> None:
    assert bodies(f"{heading}\nHello!") == [("send", None, "Hello!")]


@pytest.mark.parametrize("heading", ["# send", "## «send»", "# ‹send›", '# "send"', " # «send» x «y»"])
def test_other_headings_are_text(heading: str) -> None:
    assert bodies(f"# «send»\n{heading}\nHello!") == [("send", None, f"{heading.strip()}\nHello!")]


def test_text_before_the_first_block_is_a_send() -> None:
    assert bodies("Hi\n# «send»\nHello!") == [("send", None, "Hi"), ("send", None, "Hello!")]


def test_plain_text_is_a_send() -> None:
    assert bodies("  Hello!\n\n") == [("send", None, "Hello!")]


@pytest.mark.parametrize("text", ["", "  \n \n", "# «send»", "# «send»\n   \n\n"])
def test_a_blank_body_is_no_send(text: str) -> None:
    reply = parse_reply(text)
    assert (reply.blocks, reply.problems) == ((), ())


def test_blank_lines_inside_are_kept() -> None:
    assert bodies("# «send»\n\none\n\n two\n\n") == [("send", None, "one\n\n two")]


def test_a_heading_inside_a_closed_fence_is_text() -> None:
    text = "# «send»\nlook:\n```\n# «send»\nno\n```\nend"
    assert bodies(text) == [("send", None, "look:\n```\n# «send»\nno\n```\nend")]


def test_an_unclosed_fence_is_plain_text() -> None:
    assert bodies("# «send»\n```\n# «send»\nyes") == [("send", None, "```"), ("send", None, "yes")]


@pytest.mark.parametrize("opening", ["```", "```markdown", "~~~~"])
def test_one_fence_around_everything_is_removed(opening: str) -> None:
    closing = opening[:4].rstrip("m")
    assert bodies(f"{opening}\n# «send»\nHello!\n{closing}\n") == [("send", None, "Hello!")]


def test_a_fence_around_everything_may_hold_another() -> None:
    text = "````\n# «send»\n```py\nx = 1\n```\n````"
    assert bodies(text) == [("send", None, "```py\nx = 1\n```")]


def test_two_fences_are_not_one_around_everything() -> None:
    text = "```\na\n```\nand\n```\nb\n```"
    assert bodies(text) == [("send", None, text)]


def test_an_unknown_type_is_reported_with_its_line_and_the_good_blocks_stay() -> None:
    reply = parse_reply("# «send»\nHello!\n# «dance»\nwildly\n# «send»\nBye")
    assert [block.body for block in reply.blocks] == ["Hello!", "Bye"]
    assert [(problem.line, "dance" in problem.text) for problem in reply.problems] == [(3, True)]


def test_lines_of_our_own_header_grammar_are_stripped_from_a_send() -> None:
    assert bodies("# «send»\n⟦from: Nora | message 7⟧\nHello!") == [("send", None, "Hello!")]


def test_line_numbers_count_from_one_also_behind_an_outer_fence() -> None:
    assert [block.line for block in parse_reply("```\n# «send»\na\n# «send»\nb\n```").blocks] == [2, 4]


def test_windows_line_ends() -> None:
    assert bodies("# «send» 5\r\nHello!\r\nyou\r\n") == [("send", 5, "Hello!\nyou")]


def test_a_huge_number_does_not_raise() -> None:
    assert parse_reply("# «send» " + "9" * 5000 + "\nHello!").blocks[0].body == "Hello!"


@pytest.mark.parametrize(
    ("body", "delay"),
    [("delay: 5", "5.0"), ("5s", "5.0"), ("2.5", "2.5"), ("delay: -3", "0.0"), ("Delay: 1,5 s", "1.5")],
)
def test_a_wait(body: str, delay: str) -> None:
    assert parse_reply(f"# «wait»\n{body}").blocks[0].params == {"delay": delay}


def test_a_wait_without_a_number_and_a_sticker_of_one_line_are_reported() -> None:
    reply = parse_reply("# «wait»\na while\n# «sticker»\nFoxes")
    assert reply.blocks == ()
    assert [problem.line for problem in reply.problems] == [1, 3]


def test_a_sticker_has_a_set_and_a_name() -> None:
    block = parse_reply("# «sticker» 9\n\nFoxes\n\n 🦊 \n").blocks[0]
    assert (block.kind, block.reply_to, block.params) == (BlockKind.STICKER, 9, {"set": "Foxes", "name": "🦊"})


JUNK = st.text(st.characters(exclude_characters="«»`~⟦⟧\r", exclude_categories=["Cs"])).filter(
    lambda text: "#" not in text
)


@given(st.lists(st.tuples(st.integers(1, 10**9), st.text(alphabet="abc äß🙂\n", min_size=1)), max_size=6), JUNK)
def test_all_blocks_come_back_in_order(sends: list[tuple[int, str]], junk: str) -> None:
    sends = [(number, text) for number, text in sends if text.strip()]
    text = "\n".join(f"# «send» {number}\n{body}" for number, body in sends)
    reply = parse_reply(f"{junk}\n{text}")
    found = [(block.reply_to, block.body) for block in reply.blocks if block.reply_to is not None]
    assert [number for number, _ in found] == [number for number, _ in sends]
    assert reply.problems == ()


@given(st.text())
def test_nothing_raises(text: str) -> None:
    reply = parse_reply(text)
    assert all(block.body == block.body.strip() for block in reply.blocks)


@given(st.text(alphabet="#«»sendwait \n`~0a"))
def test_nothing_raises_near_the_grammar(text: str) -> None:
    parse_reply(text)
