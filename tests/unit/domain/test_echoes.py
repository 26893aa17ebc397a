"""Echoes of a prompt's marks in a reply: no partner ever sees one, and no text of a message is lost with them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chimein_gui.domain.replies.line_rules import LINE_ENDS
from chimein_gui.domain.replies.replies import BlockKind, parse_reply
from chimein_gui.domain.replies.think import without_thoughts

HEADER = "⟦from: Zora (id 5001) | message 9 | reply to 7 | 2026-11-20 14:02⟧"


def body_of(line: str) -> str:
    """What would be sent of a message with this line in the middle."""
    (block,) = parse_reply(f"# «send»\nabove\n{line}\nbelow").blocks
    return block.body.removeprefix("above").removesuffix("below").strip("\n")


@pytest.mark.parametrize(
    "echo",
    [
        HEADER,
        "⟦from: Zora (id 5001) | message 9 | …⟧",
        "  ⟦from: Zora⟧",
        "⟦From: Zora (no id) | message 9⟧",
        "⟦message 9 | 2026-11-20 14:02⟧",
        "⟦Zora | message 9⟧",
        "⟦Zora | 2026-11-20 14:02⟧",
        "⟦message_id: 9⟧",
        "⟦metadata⟧",
        "⟦metadata | sender: Zora⟧",
        "⟦metadata⟧ sender=Zora sender_id=5001",
        '⟦metadata⟧ sender="Zora Vale" sender_id=5001 message_id=9 time="2026-11-20 14:02"',
        "⟦metadata⟧ sender=Zora Vale message_id=9 time=2026-11-20 14:02",
        f"{HEADER} ⟦photo⟧",
        f"{HEADER}{HEADER}",
        "⟦round video⟧",
        "⟦section: Operator's note⟧",
        "⟦quote⟧",
    ],
)
def test_an_echo_goes_and_the_text_behind_it_on_its_line_stays(echo: str) -> None:
    assert body_of(f"{echo} hello, it = 5 o'clock") == "hello, it = 5 o'clock"
    assert body_of(f"{echo}hello") == "hello" or echo[-1] not in "⟧"
    assert body_of(echo) == ""


@pytest.mark.parametrize(
    "line",
    [
        "see ⟦message 7⟧",
        "⟦x + y⟧ = ⟦x⟧ + ⟦y⟧",
        "⟦x⟧ is the meaning of x",
        "⟦⟧ is empty",
        "⟦message 7",
        "message 7⟧ hello",
        "[message 7] hello",
        "\u3014message 7\u3015 hello",
        "⟦from⟧ and ⟦to⟧ are vertices",
        "⟦photos⟧ of us",
        "sender=Zora hello",
    ],
)
def test_what_is_no_mark_of_ours_is_somebodys_text(line: str) -> None:
    assert body_of(line) == line


def test_a_name_is_taken_out_of_its_mark_wherever_it_stands() -> None:
    assert body_of("Hi ⟦name: Bob⟧, and ⟦name:Ida⟧!") == "Hi Bob, and Ida!"
    assert body_of("⟦name: Bob⟧") == "Bob"


def test_a_name_is_remembered_without_its_mark() -> None:
    (block,) = parse_reply("# «remember»\n⟦name: Bob⟧ likes ⟦tea⟧").blocks
    assert block.body == "Bob likes ⟦tea⟧"


def test_a_heading_behind_an_echo_is_one() -> None:
    text = f"{HEADER} # «think»\nshe must not know\n{HEADER} # «send» 9\nHello!"
    assert [(block.kind, block.reply_to, block.body) for block in parse_reply(text).blocks] == [
        (BlockKind.THINK, None, "she must not know"),
        (BlockKind.SEND, 9, "Hello!"),
    ]
    assert "know" not in without_thoughts(text)


PLAIN = st.text(st.characters(exclude_characters=f"{LINE_ENDS}⟦⟧«»`~", exclude_categories=["Cs"]), max_size=40)
ANY_LINE = st.lists(
    st.sampled_from(["⟦", "⟧", HEADER, "⟦metadata⟧", "sender=Zora", "|", "⟦photo⟧", "message 9", "name: ", " "])
    | PLAIN,
    max_size=8,
).map("".join)


@given(PLAIN)
@example("a=b")
def test_all_text_behind_a_header_is_kept(text: str) -> None:
    assert body_of(f"{HEADER} {text}").strip() == text.strip()
    assert body_of(text).strip() == text.strip()


@given(ANY_LINE)
def test_no_message_begins_with_a_header(line: str) -> None:
    for block in parse_reply(f"# «send»\n{line}").blocks:
        assert not block.body.startswith((HEADER, "⟦metadata⟧", "⟦photo⟧"))
