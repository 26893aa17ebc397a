"""Cutting an agent file into fields, and what fields may hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chimein_gui.adapters.files.agent_fields import problems_of
from chimein_gui.adapters.files.agent_file import FIELD_NAMES, parse
from chimein_gui.domain.agent_names import folded, name_problem

GOOD = """# Agent Name
Nora Vale

# Agent Phone
+999 66 21-001

# Role Prompt
Person
Retrieve

# Agent Instructions

You are Nora.

## What you like
- maps
```
# Agent Phone
+1
```

# Agent Timezone
Europe/Lisbon
# Agent Sticker Sets
HotCherry
# Agent Stickers
HotCherry :: 🍒
# Aliases
nora
# LLM
gemini-2.5-pro
# Context
DM: history 500
Group: chime-in
# Memory Scope
per-partner
# Approval
countdown
"""


def with_field(name: str, value: str) -> str:
    """Return GOOD with another value for one field."""
    return f"# {name}\n{value}\n" + "".join(
        f"# {other}\n{field.value}\n" for other, field in parse(GOOD).fields.items() if other != name
    )


def test_all_fields_are_known_and_good() -> None:
    file = parse(GOOD)
    assert problems_of(file) == ()
    assert set(file.fields) == set(FIELD_NAMES)
    assert file.fields["Agent Name"].value == "Nora Vale"
    assert file.fields["Role Prompt"].lines() == ((8, "Person"), (9, "Retrieve"))


def test_deeper_headings_and_fenced_ones_belong_to_the_value() -> None:
    value = parse(GOOD).fields["Agent Instructions"].value
    assert value == "You are Nora.\n\n## What you like\n- maps\n```\n# Agent Phone\n+1\n```"
    assert parse(GOOD).fields["Agent Instructions"].value_line == 13


@pytest.mark.parametrize("fence", ["```", "~~~", "````", "   ```"])
def test_closed_fences_hide_headings(fence: str) -> None:
    text = f"# Agent Instructions\n{fence}md\n# LLM\n{fence}\nafter\n# LLM\nm\n"
    file = parse(text)
    assert list(file.fields) == ["Agent Instructions", "LLM"]
    assert file.fields["LLM"].line == 6


@pytest.mark.parametrize("fence", ["```", "~~~", "```\n~~~", "````\n```", "``` `x`\n```"])
def test_an_unclosed_fence_is_plain_text(fence: str) -> None:
    assert "LLM" in parse(f"# Agent Instructions\n{fence}\n# LLM\nm\n").fields


def test_windows_line_ends_and_a_byte_order_mark_do_not_matter() -> None:
    file = parse("\ufeff" + GOOD.replace("\n", "\r\n"))
    assert problems_of(file) == ()
    assert file.fields == parse(GOOD).fields


def test_trailing_blanks_that_markdown_means_are_kept() -> None:
    assert parse("# Agent Instructions\none  \ntwo\n\n").fields["Agent Instructions"].value == "one  \ntwo"


@pytest.mark.parametrize("name", ["Agent Name", "Agent Phone", "Agent Instructions", "Role Prompt"])
def test_required_fields(name: str) -> None:
    problems = problems_of(parse(GOOD.replace(f"# {name}\n", f"## {name}\n", 1)))
    assert any(f"# {name}" in problem.reason for problem in problems)
    [empty] = problems_of(parse(with_field(name, "")))
    assert (empty.line, "empty" in empty.reason) == (1, True)


def test_structure_problems_name_their_line() -> None:
    text = "hello\n" + GOOD + "# Agent Naem\nx\n# LLM\ny\n"
    lines = text.split("\n")
    problems = {problem.line: problem.reason for problem in problems_of(parse(text))}
    assert set(problems) == {1, lines.index("# Agent Naem") + 1, len(lines) - 2}
    assert "no field" in problems[lines.index("# Agent Naem") + 1]
    assert "second time" in problems[len(lines) - 2]


@pytest.mark.parametrize(
    "name",
    [
        "media", "Logs", "MEMORY", "backups", "chimein", "Chimein.db", "CON", "nul", "com1", "LPT9", "aux.Nora", "COM¹",
        ".hidden", "dot.", "a/b", "a\\b", "a:b", "a*b", "a?b", 'a"b', "a<b", "a>b", "a|b", "..", "a\tb", "a\u202eb",
        "two\nlines", "x" * 65, "a\x00b", "", "   ", "con.md", "NUL.tar.gz", "lpt1 .x", "conin$",
        "a\u200bb", "a\u2800b", "\u3164",
        "a\u00a0b", "world", "Preferences.toml", "secrets.toml", "中" * 61, " front", "back ", "a\udcffb", "a\u0085b",
    ],
)  # fmt: skip
def test_refused_names(name: str) -> None:
    assert name_problem(name) != ""


@pytest.mark.parametrize(
    "name",
    [
        "Nora",
        "Nora Vale",
        "Анна",
        "José",
        "O'Neill",
        "console",
        "a.b",
        "李雷",
        "media 2",
        "ريم",
        "中" * 60,
        "x" * 64,
        "com10",
        "a-b_c",
    ],
)
def test_allowed_names(name: str) -> None:
    assert name_problem(name) == ""


def test_names_are_the_same_after_nfc_and_casefold() -> None:
    assert folded("JOSE\u0301") == folded("josé")
    assert folded("STRASSE") == folded("Straße")


@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [
        ("Agent Phone", "+49 (170) 123-45 67", True),
        ("Agent Phone", "0170 1234567", False),
        ("Agent Phone", "+0170123456", False),
        ("Agent Phone", "+123", False),
        ("Agent Phone", "+49170\n1234567", False),
        ("Agent Phone", "+\uff14\uff19\uff11\uff17\uff10\uff11\uff12", False),
        ("Agent Timezone", "Asia/Kolkata", True),
        ("Agent Timezone", "Europe", False),
        ("Agent Timezone", "../../etc/passwd", False),
        ("Agent Timezone", "MESZ", False),
        ("Role Prompt", "../secret", False),
        ("Role Prompt", ".hidden", False),
        ("Role Prompt", "Ordinary person, polite", True),
        ("Agent Stickers", "A :: B\n\nC::D", True),
        ("Agent Stickers", "A : B", False),
        ("LLM", "models/gemini-3.8-flash", True),
        ("LLM", "gemini flash", False),
        ("Context", "history 500", True),
        ("Context", "chime-in", True),
        ("Context", "group: History 20", True),
        ("Context", "history 501", False),
        ("Context", "everything", False),
        ("Memory Scope", "Global", True),
        ("Memory Scope", "all", False),
        ("Approval", "Auto", True),
        ("Approval", "yes", False),
        ("Aliases", "whatever, really: #1", True),
    ],
)
def test_values(name: str, value: str, fits: bool) -> None:
    problems = problems_of(parse(with_field(name, value)))
    assert (problems == ()) == fits
    assert all(problem.line >= 2 for problem in problems)


@given(st.text(alphabet="# \n`~abAgentNm\t\r«", max_size=200))
def test_parsing_never_fails_and_lines_exist(text: str) -> None:
    file = parse(text)
    count = text.count("\n") + text.count("\r") + 1
    assert all(0 <= problem.line <= count for problem in problems_of(file))


def test_a_file_full_of_open_fences_takes_no_time() -> None:
    assert "LLM" in parse("```x\n" * 200_000 + "# LLM\nm\n").fields
