"""The reply grammar, corner by corner: fences."""

from __future__ import annotations

import pytest

from chimein_gui.domain.replies.replies import parse_reply

BLOCKS = "# «send» 4\nHello!\n# «wait»\n5"
READ = [("send", 4, "Hello!"), ("wait", None, "5")]


def bodies(text: str) -> list[tuple[str, int | None, str]]:
    return [(block.kind.value, block.reply_to, block.body) for block in parse_reply(text).blocks]


# ---------------------------------------------------------------- inside a reply


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("```", "```"), ("```py", "```"), ("~~~", "~~~"), ("~~~ a `b`", "~~~~"), ("   ````", "`````  ")],
)
def test_a_heading_inside_a_closed_fence_is_text(opening: str, closing: str) -> None:
    body = f"look:\n{opening}\n# «block»\nno\n{closing}\nend"
    assert bodies(f"# «send»\n{body}\n# «wait»\n5") == [("send", None, body), ("wait", None, "5")]


@pytest.mark.parametrize(
    ("opening", "other"),
    [
        ("````", "```"),
        ("```", "~~~"),
        ("~~~", "```"),
        ("```", "```py"),
        ("```", "``"),
        ("```", "    ```"),
        ("```", "``` x"),
    ],
)
def test_a_fence_is_closed_only_by_its_own_marks_as_many_and_bare(opening: str, other: str) -> None:
    assert bodies(f"# «send»\n{opening}\n{BLOCKS}\n# «send»\nend\n{other}") == [
        ("send", None, opening),
        *READ,
        ("send", None, f"end\n{other}"),
    ]


def test_code_between_backticks_in_one_line_opens_no_fence() -> None:
    assert bodies("# «send»\n```x = 1```\n# «send»\n```\ny\n```") == [
        ("send", None, "```x = 1```"),
        ("send", None, "```\ny\n```"),
    ]


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ("```markdown\n**hello**\nyou\n```", "**hello**\nyou"),
        ("\n  ~~~ MD\nhello\n~~~~\n\n", "hello"),
        ("````text\n```py\nx = 1\n```\n````", "```py\nx = 1\n```"),
        ("```text\n```text\nhello\n```", "```text\nhello"),
        ("```md\n# «wait»\n```", "# «wait»"),
        *[(text, text) for text in ("```\nhello\n```", "```py\nx = 1\n```", "```markdown x\nhello\n```")],
        *[
            (text, text)
            for text in ("look:\n```md\nhello\n```", "```md\nhello\n```\nend", "```md\na\n```\n```md\nb\n```")
        ],
        *[(text, text) for text in ("```md\nhello", "```md", "~~~md\nhello\n```")],
    ],
)
@pytest.mark.parametrize("kind", ["send", "remember"])
def test_a_fence_around_a_body_that_only_says_that_it_is_text_is_removed(kind: str, body: str, read: str) -> None:
    assert bodies(f"# «wait»\n5\n# «{kind}» \n{body}\n# «wait»\n6") == [
        ("wait", None, "5"),
        (kind, None, read),
        ("wait", None, "6"),
    ]


def test_a_body_of_which_only_such_a_fence_is_left_is_blank() -> None:
    assert bodies("# «wait»\n5\n# «send»\n```markdown\n\n```") == [("wait", None, "5")]


# ---------------------------------------------------------------- around the whole reply


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("```", "```"),
        ("```markdown", "```"),
        ("~~~~", "~~~~"),
        ("~~~ text", "~~~~~"),
        ("  ```", " ``` "),
        ("```", "````"),
    ],
)
def test_one_fence_around_the_whole_reply_is_removed(opening: str, closing: str) -> None:
    assert bodies(f"{opening}\n{BLOCKS}\n{closing}") == READ
    assert bodies(f"\n \n{opening}\r\n{BLOCKS}\r\n{closing}\n\n") == READ


def test_only_one_fence_around_the_whole_reply_is_removed() -> None:
    assert bodies(f"````\n```\n{BLOCKS}\n```\n````") == [("send", None, f"```\n{BLOCKS}\n```")]


@pytest.mark.parametrize(
    ("opening", "inner", "inner_end", "closing"),
    [
        pytest.param("````", "```py", "```", "````", id="a shorter one inside"),
        pytest.param("````", "```", "```", "````", id="a shorter one without a language inside"),
        pytest.param("```", "```py", "```", "```", id="one of the same length inside"),
        pytest.param("~~~", "```", "```", "~~~", id="backticks in tildes"),
        pytest.param("```", "~~~", "~~~", "```", id="tildes in backticks"),
        pytest.param("```", "~~~", "", "```", id="an unclosed one of the other kind inside"),
        pytest.param("```", "```py", "", "```", id="an unclosed one of the same kind inside"),
    ],
)
def test_the_fence_around_everything_may_hold_others(opening: str, inner: str, inner_end: str, closing: str) -> None:
    code = f"{inner}\nx = 1\n{inner_end}".strip()
    assert bodies(f"{opening}\n# «send»\n{code}\n{BLOCKS}\n{closing}") == [("send", None, code), *READ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("```\na\n```\nand\n```\nb\n```", id="two fences"),
        pytest.param("```\n# «wait»\n1\n```\n```\n# «wait»\n1\n```", id="two fences with headings"),
        pytest.param("```\n# «send»\n```py\nx\n```\n```\nand\n```\nb\n```", id="two fences, one of them nested"),
        pytest.param("```\na\n~~~\n```\n# «send\n~~~\n```", id="closed inside a fence of the other kind"),
        pytest.param("```\n# «wait»\n1\n```\nBye", id="text below"),
        pytest.param("So:\n```\n# «wait»\n1\n```", id="text above"),
        pytest.param("```\nHi\n~~~", id="closed by nothing"),
        pytest.param("```", id="a single line"),
    ],
)
def test_a_fence_that_is_not_around_everything_stays(text: str) -> None:
    assert bodies(text) == [("send", None, text)]


def test_an_empty_fence_is_a_blank_reply() -> None:
    assert (bodies("```\n```"), parse_reply("```\n\n```").is_no_answer) == ([], True)


def test_line_numbers_count_from_one_in_the_reply_as_it_came() -> None:
    text = "\n```\n# «send»\na\n# «dance»\n# «send» x\nb\n# «sticker»\nFoxes\n🦊\nJunk\n# «wait»\n```"
    reply = parse_reply(text)
    assert [block.line for block in reply.blocks] == [3, 6, 8]
    assert [problem.line for problem in reply.problems] == [5, 6, 11, 12]
