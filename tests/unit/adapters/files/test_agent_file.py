"""Cutting an agent file into fields, and what fields may hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chimein_gui.domain.agent_files.checks import problems_of
from chimein_gui.domain.agent_files.parsing import parse
from chimein_gui.domain.input.names import folded, name_problem


@pytest.mark.parametrize("fence", ["```", "~~~", "```\n~~~", "````\n```", "``` `x`\n```"])
def test_an_unclosed_fence_is_plain_text(fence: str) -> None:
    assert "LLM" in parse(f"# Agent Instructions\n{fence}\n# LLM\nm\n").fields


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
    assert name_problem(name) is not None


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
    assert name_problem(name) is None


def test_names_are_the_same_after_nfc_and_casefold() -> None:
    assert folded("JOSE\u0301") == folded("josé")
    assert folded("STRASSE") == folded("Straße")


@given(st.text(alphabet="# \n`~abAgentNm\t\r«", max_size=200))
def test_parsing_never_fails_and_lines_exist(text: str) -> None:
    file = parse(text)
    count = text.count("\n") + text.count("\r") + 1
    assert all(0 <= problem.line <= count for problem in problems_of(file))


def test_a_file_full_of_open_fences_takes_no_time() -> None:
    assert "LLM" in parse("```x\n" * 200_000 + "# LLM\nm\n").fields
