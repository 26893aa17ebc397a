"""The reply grammar, corner by corner: what the body of each type means."""

from __future__ import annotations

from datetime import timedelta

import pytest

from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.domain.replies.replies import Block, BlockKind, parse_reply


def only(text: str) -> Block:
    reply = parse_reply(text)
    assert reply.problems == ()
    (block,) = reply.blocks
    return block


def lost(text: str) -> ReplyProblem:
    reply = parse_reply(text)
    assert reply.blocks == ()
    (problem,) = reply.problems
    return problem


# ---------------------------------------------------------------- wait


@pytest.mark.parametrize(
    ("body", "delay_s"),
    [
        ("delay: 5", 5.0),
        ("\n  DELAY:5  \n", 5.0),
        ("delay: 2.5", 2.5),
        ("delay: 1,5 s", 1.5),
        ("delay: .5", 0.5),
        ("delay: 5.", 5.0),
        ("5s", 5.0),
        ("delay: 10 seconds", 10.0),
        ("0", 0.0),
        ("+3", 3.0),
        ("007", 7.0),
    ],
)
def test_a_wait_takes_a_delay_decimals_seconds_or_a_bare_number(body: str, delay_s: float) -> None:
    assert only(f"# «wait»\n{body}").params == {"delay": str(delay_s)}


@pytest.mark.parametrize("body", ["delay: -3", "-0.5s", "-0", "-" + "9" * 400])
def test_a_negative_wait_is_none(body: str) -> None:
    assert only(f"# «wait»\n{body}").params == {"delay": "0.0"}


@pytest.mark.parametrize("body", ["", "a while", "delay:", "5 minutes", "1h", "5 econds", "1,000", "1.2.3", "--5"])
def test_a_wait_without_a_number_of_seconds_is_a_problem(body: str) -> None:
    assert lost(f"# «wait»\n{body}") == ReplyProblem(ReplyFault.WAIT_NEEDS_DELAY, 1)


@pytest.mark.parametrize(
    "body", ["nan", "inf", "-inf", "Infinity", "1e999", "1e3", "0x10", "\uff15", "١٢", "²", "½", "1_000"]
)
def test_a_wait_with_an_absurd_number_is_a_problem(body: str) -> None:
    assert lost(f"# «wait»\ndelay: {body}").line == 1


@pytest.mark.parametrize("body", ["86401", "999999999", "9999999999", "9" * 5_000, "9" * 400 + "." + "9" * 400])
def test_a_huge_wait_stays_longer_than_a_day_and_can_be_added_to_a_time(body: str) -> None:
    delay_s = float(only(f"# «wait»\ndelay: {body}").params["delay"])
    assert timedelta(hours=24) < timedelta(seconds=delay_s) < timedelta(days=40 * 365)


def test_the_first_line_that_is_a_delay_counts_and_other_text_beside_it_is_reported_but_costs_nothing() -> None:
    reply = parse_reply("# «wait» 3\nlet me think\ndelay: 5\n\nHello again!\n7\n# «send»\nHi")
    assert [(block.kind, block.reply_to) for block in reply.blocks] == [(BlockKind.WAIT, 3), (BlockKind.SEND, None)]
    assert reply.blocks[0].params == {"delay": "5.0"}
    assert reply.problems == (ReplyProblem(ReplyFault.NO_PART, 2, said=("wait",)),)


# ---------------------------------------------------------------- sticker


@pytest.mark.parametrize("body", ["", "Foxes", "\n\nFoxes\n \n", "Foxes 🦊"])
def test_a_sticker_of_one_line_or_none_is_a_problem(body: str) -> None:
    assert lost(f"# «sticker»\n{body}") == ReplyProblem(ReplyFault.STICKER_NEEDS_NAME, 1)


def test_text_below_a_sticker_is_reported_but_does_not_cost_the_sticker() -> None:
    reply = parse_reply("# «sticker»\nFoxes\n🦊\n\nIsn't it nice?\nYes\n# «send»\nHi")
    assert [block.kind for block in reply.blocks] == [BlockKind.STICKER, BlockKind.SEND]
    assert reply.blocks[0].params == {"set": "Foxes", "name": "🦊"}
    assert reply.problems == (ReplyProblem(ReplyFault.NO_PART, 5, said=("sticker",)),)


# ---------------------------------------------------------------- remember, think


@pytest.mark.parametrize("blank", ["", "\n \n", "\u3000"])
def test_a_blank_remember_is_nothing_to_remember(blank: str) -> None:
    reply = parse_reply(f"# «remember»\n{blank}")
    assert (reply.blocks, reply.problems) == ((), ())


def test_a_thought_that_begins_behind_its_heading_is_part_of_it_and_never_quoted_as_a_problem() -> None:
    block = only("# «think» He is lying.\nBut why?")
    assert (block.body, block.reply_to) == ("He is lying.\nBut why?", None)


# ---------------------------------------------------------------- retrieve


def test_a_retrieve_takes_the_http_and_https_lines_in_order() -> None:
    body = "Let me look:\n https://example.org/a?b=c#d \n\nHTTP://example.com\nftp://example.net\nhttps://a b\n"
    assert only(f"# «retrieve»\n{body}").params == {"urls": "https://example.org/a?b=c#d\nHTTP://example.com"}


@pytest.mark.parametrize(
    "body", ["", "example.org", "ftp://example.org", "see https://example.org", "https://", "file:///etc"]
)
def test_a_retrieve_without_an_address_is_a_problem(body: str) -> None:
    assert lost(f"# «retrieve»\n{body}") == ReplyProblem(ReplyFault.RETRIEVE_NEEDS_ADDRESS, 1)
