"""The reply grammar, corner by corner: headings, numbers, sends and what a reply as a whole means."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.chats import Chat, ChatInfo, ChatKind
from chimein_gui.domain.ids import AccountId, AgentId, ChatId, MessageId, PeerId, UserId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.prompt.foreign import mask
from chimein_gui.domain.replies.line_rules import LINE_ENDS
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.domain.replies.replies import parse_reply
from chimein_gui.engine.planning.model_loop import problem_words
from chimein_gui.engine.prompt.builder import PromptInputs, build_prompt

NOW = datetime(2026, 11, 20, 14, 2, tzinfo=UTC)


def bodies(text: str) -> list[tuple[str, int | None, str]]:
    return [(block.kind.value, block.reply_to, block.body) for block in parse_reply(text).blocks]


def problems(text: str) -> list[tuple[int, str]]:
    return [(problem.line, problem_words(problem)) for problem in parse_reply(text).problems]


# ---------------------------------------------------------------- headings


@pytest.mark.parametrize(
    "heading",
    [
        "# «SEND»",
        "# «Send»",
        "#«send»",
        "#\t«send»",
        "#  « Send » ",
        "# «\u00a0send\u202f»",
        "# «send»\t",
        "# «send»\u3000",
    ],
)
def test_the_type_is_read_in_any_case_and_with_any_blanks(heading: str) -> None:
    assert bodies(f"{heading}\nHello!") == [("send", None, "Hello!")]


@pytest.mark.parametrize(
    "heading",
    [
        *["# send", "# <<send>>", "# ‹send›", "# »send«", '# "send"', "# “send”", "# «send", "# send»"],
        *["# Title", "## «send»", "Part # «send»", "> # «send»", "«send»", "#"],
    ],
)
def test_the_guillemets_are_needed_and_other_headings_are_text(heading: str) -> None:
    assert bodies(f"# «send»\nLook:\n{heading}\nHello!") == [("send", None, f"Look:\n{heading}\nHello!")]


def test_an_unknown_type_is_reported_with_its_line_and_the_good_blocks_stay() -> None:
    reply = parse_reply("# «send»\nHello!\n# «dance»\nwildly\n# «send»\nBye")
    assert [block.body for block in reply.blocks] == ["Hello!", "Bye"]
    assert reply.problems == (ReplyProblem(ReplyFault.UNKNOWN_TYPE, 3, said=("dance",)),)


@pytest.mark.parametrize("name", ["", " ", "send message", "sen d", "clear conversation", "delay"])
def test_a_name_near_a_type_is_unknown(name: str) -> None:
    assert (bodies(f"# «{name}»\n5"), problems(f"# «{name}»\n5")) == (
        [],
        [(1, f"«{name.strip()}» is not a type of block")],
    )


def test_a_problem_quotes_only_the_beginning_of_what_the_model_wrote() -> None:
    (unknown,) = problems(f"# «{'x' * 5_000}»")
    (number,) = problems(f"# «send» {'x' * 5_000}\nHello!")
    assert len(unknown[1]) < 120
    assert len(number[1]) < 120


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize("blank", ["", "0", "000", "  ", "\u00a0", "0" * 40])
def test_zeros_and_blanks_mean_no_reply_and_do_not_change_a_number(blank: str) -> None:
    for argument, number in ((blank, None), (f"{blank}1234\u3000", 1234)):
        text = f"# «send» {argument}\nHello!"
        assert (bodies(text), problems(text)) == ([("send", number, "Hello!")], [])


@pytest.mark.parametrize(
    "argument", ["abc", "12a", "-5", "+5", "1.0", "1 2", "#7", "0x1F", "١٢", "²", "\uff11\uff12", "«7»"]
)
def test_anything_but_digits_is_reported_and_ignored(argument: str) -> None:
    text = f"Hi\n# «send» {argument}\nHello!"
    assert bodies(text) == [("send", None, "Hi"), ("send", None, "Hello!")]
    assert problems(text) == [(2, f"“{argument}” behind «send» is not a message number")]


def test_a_huge_number_does_not_raise_and_fits_the_database() -> None:
    (block,) = parse_reply("# «send» " + "9" * 5_000 + "\nHello!").blocks
    assert block.reply_to is not None
    assert 1 << 31 < block.reply_to < 1 << 63


# ---------------------------------------------------------------- sends


@pytest.mark.parametrize("blank", ["", "  \n \n", "\r\n\t\r\n", "\u3000\n\u2003", "\u2028"])
def test_a_blank_body_is_no_send_and_no_problem(blank: str) -> None:
    for text in (blank, f"# «send»\n{blank}", f"# «send» 5\n{blank}\n# «send»", f"{blank}\n# «send»\n{blank}"):
        assert (bodies(text), problems(text)) == ([], [])


def test_blank_lines_inside_are_kept_and_those_around_are_not() -> None:
    assert bodies("# «send»\n\none\n\n two\n\n") == [("send", None, "one\n\n two")]


@pytest.mark.parametrize("separator", list(LINE_ENDS))
def test_whatever_ends_a_line_for_a_reader_begins_one(separator: str) -> None:
    assert bodies(f"# «send»\nHello{separator}# «block»") == [("send", None, "Hello"), ("block", None, "")]


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_other_separators_inside_a_message_are_kept(separator: str) -> None:
    text = f"one{separator}two\r\nthree\rfour"
    assert bodies(f"# «send»\n{text}") == [("send", None, f"one{separator}two\nthree\nfour")]


@pytest.mark.parametrize(
    "heading",
    ["# «block»", " # «block»", "\u3000#\xa0«block»", "\u200b#\u200b«block»", "\uff03«block»", "\ufe5f \ufeff«block»"],
)
def test_a_heading_is_read_whatever_blanks_and_sign_it_is_made_of(heading: str) -> None:
    assert bodies(f"Hello\n{heading}") == [("send", None, "Hello"), ("block", None, "")]
    assert bodies(mask(f"Hello\n{heading}")) == [("send", None, f"Hello\n{heading}".replace("«", "‹"))]


def header_of_a_prompt() -> str:
    """What stands above a message in a prompt, written by the builder of prompts."""
    key = MessageKey(AccountId(1), PeerId(7), MessageId(7))
    message = Message(key, UserId(7), "Marta", False, NOW, "Hi", reply_to_id=MessageId(3))
    chat = Chat(ChatId(1), AgentId(1), ChatInfo(AccountId(1), PeerId(7), ChatKind.DM, "Marta"))
    agent = AgentSpec("Nora", "+9996621001", "You are {{char}}.", ("Person",), ("Talk with {user}.",), "Asia/Tokyo")
    prompt = build_prompt(PromptInputs(agent, chat, [message], None, (), "", "gemini-x", NOW))
    return prompt.turns[0].parts[0]


def test_the_header_that_a_prompt_shows_is_stripped_where_the_model_echoes_it() -> None:
    header = header_of_a_prompt()
    assert "Marta" in header
    assert bodies(f"{header}\n# «send» 7\n{header}\nHello!") == [("send", 7, "Hello!")]


def test_a_send_of_nothing_but_our_header_is_blank() -> None:
    text = "⟦message 7 | 2026-11-20 14:02⟧\n# «send»\n⟦from: Nora | message 7⟧\n"
    assert (bodies(text), problems(text)) == ([], [])


def test_other_blocks_keep_lines_of_our_header_grammar() -> None:
    assert bodies("# «remember»\n⟦Nora⟧") == [("remember", None, "⟦Nora⟧")]


# ---------------------------------------------------------------- the reply as a whole


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "# «send»\n",
        "# «think»\nno",
        "# «remember»\nA fact.",
        "# «think»\nno\n# «remember»\nA fact.\n# «send»",
    ],
)
def test_nothing_but_think_and_remember_or_blank_is_no_answer(text: str) -> None:
    reply = parse_reply(text)
    assert (reply.is_no_answer, reply.needs_repair) == (True, False)


@pytest.mark.parametrize("text", ["# «think»\nyes\n# «send»\nHi", "# «retrieve»\nhttps://example.org", "# «block»"])
@pytest.mark.parametrize("problem", ["", "\n# «dance»", "\n# «wait»\na while", "\n# «send» x\n"])
def test_what_does_something_or_has_a_problem_is_not_taken_for_silence(text: str, problem: str) -> None:
    for reply in (parse_reply(text + problem), parse_reply(problem or text)):
        assert (reply.is_no_answer, reply.needs_repair) == (False, bool(problem))
