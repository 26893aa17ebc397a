"""A change of one field of an agent file keeps every other character; problems that a machine can repair."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chimein_gui.domain.agent_files.checks import problems_of
from chimein_gui.domain.agent_files.edits import ORDER, UnfitValueError, splice_between, with_value
from chimein_gui.domain.agent_files.parsing import Problem, parse
from chimein_gui.domain.agent_files.repairs import RepairKind, repair_of
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason

BLANKS = st.sampled_from(["", " ", "\t", "  "])
ODD_LINES = st.sampled_from(
    [
        "",
        "  ",
        "words",
        "## What you like",
        "- maps",
        "<!-- # LLM -->",
        "```python",
        "```",
        "~~~~",
        "#tag",
        "\u2028",
        "é",
    ]
)
WORDS = st.text("abcXYZ0189 +/_.-é猫{}", min_size=1, max_size=12).filter(lambda text: bool(text.strip()))
LINES = st.lists(st.one_of(WORDS, ODD_LINES, st.just("# no field"), st.just("# LLM")), max_size=6)


@st.composite
def files(draw: st.DrawFn) -> str:
    """Return any file: known and unknown headings, some twice, fences, blanks and mixed line ends."""
    names = draw(st.lists(st.sampled_from([*ORDER, "Mystery", "agent NAME"]), max_size=9))
    lines = draw(LINES) if draw(st.booleans()) else []
    for name in names:
        lines += [f"# {name}{draw(BLANKS)}", *draw(LINES), *([""] * draw(st.integers(0, 2)))]
    ends = draw(st.sampled_from([["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"]]))
    text = "".join(line + draw(st.sampled_from(ends)) for line in lines)
    return draw(st.sampled_from(["", "\ufeff"])) + (text if draw(st.booleans()) else text.rstrip("\r\n"))


VALUES = st.one_of(WORDS.map(str.strip), st.lists(WORDS, min_size=1, max_size=4).map("\n".join), st.just(""))


@given(files(), st.sampled_from(ORDER), VALUES)
def test_a_field_is_changed_and_nothing_else(text: str, name: str, value: str) -> None:
    before = parse(text)
    try:
        changed = with_value(text, name, value)
    except UnfitValueError:
        return  # what would change another field is refused: the next test says when
    after = parse(changed)
    wanted = value.rstrip() if "\n" in value else value.strip()
    had = after.fields[name].value if name in after.fields else ""
    assert wanted in (had, had.strip())
    for other in before.fields.keys() - {name}:
        assert after.fields[other].value == before.fields[other].value
    piece = splice_between(text, changed)
    assert piece.apply(text) == changed
    if name in before.fields:
        # Every byte outside of the lines of the value is the same, line ends and blanks included.
        lines = text.splitlines(keepends=True) if not any(end in text for end in "\u2028") else None
        field = before.fields[name]
        first = field.line if not field.value else field.value_line - 1
        if lines is not None:
            assert changed.startswith("".join(lines[: field.line - 1]))
            assert changed.endswith("".join(lines[first + field.value.count("\n") + 1 :]))


@given(files(), st.sampled_from(ORDER))
def test_what_stands_there_already_changes_nothing(text: str, name: str) -> None:
    field = parse(text).fields.get(name)
    assert with_value(text, name, field.value if field is not None else "") == text


@pytest.mark.parametrize("value", ["# LLM\nx", "ok\n# Agent Name\nEve", "a\x00b", "```"])
def test_a_value_that_would_change_another_field_is_refused(value: str) -> None:
    text = "# Agent Name\nNora\n# Role Prompt\nPerson\n# Agent Instructions\n```\ncode\n```\nBe kind.\n"
    with pytest.raises(UnfitValueError):
        with_value(text, "Role Prompt", value)


def test_a_missing_field_gets_its_place_and_an_emptied_one_keeps_its_heading() -> None:
    text = "\ufeff# Agent Name\r\nNora\r\n\r\n# Agent Instructions\r\nBe kind.  \r\n"
    added = with_value(text, "LLM", "gemini-2.5-pro")
    assert added == text.replace("# Agent Instructions", "# LLM\r\ngemini-2.5-pro\r\n\r\n# Agent Instructions")
    emptied = with_value(added, "LLM", "")
    assert with_value(emptied, "LLM", "gemini-2.5-pro") == added
    assert with_value(text, "Agent Name", "Nora Vale") == text.replace("Nora", "Nora Vale")


GOOD = "# Agent Name\nNora\n# Agent Phone\n+99966 2 1001\n# Role Prompt\nPerson\n# Agent Instructions\nBe kind.\n"


@pytest.mark.parametrize(
    ("wrong", "kind", "words"),
    [
        (GOOD + "# Agent Timezone\nEurope/Lodnon\n", RepairKind.USE, "Europe/London"),
        (GOOD + "# Agent Timezone\nlisbon\n", RepairKind.USE, "Europe/Lisbon"),
        (GOOD.replace("+99966 2", "0099966 2"), RepairKind.USE, "+9996621001"),
        (GOOD.replace("+99966", "99966"), RepairKind.USE, "+9996621001"),
        (GOOD + "# Approval\nreveiw\n", RepairKind.USE, "review"),
        (GOOD + "# Context\nDM: history 900\n", RepairKind.USE, "DM: history 500"),
        (GOOD + "# Agent Stickers\nPuffins: wave\n", RepairKind.USE, "Puffins :: wave"),
        (GOOD.replace("Person", "prompts/Person.md"), RepairKind.USE, "Person.md"),
        (GOOD.replace("Nora", "Nora/Vale."), RepairKind.USE, "NoraVale"),
        (GOOD.replace("# Agent Name\nNora\n", ""), RepairKind.ADD_HEADING, "Agent Name"),
        (GOOD.replace("# Agent Phone", "## Agent Phone"), RepairKind.RENAME_HEADING, "Agent Phone"),
        (GOOD.replace("# Agent Instr", "#Agent Instr"), RepairKind.RENAME_HEADING, "Agent Instructions"),
        (GOOD.replace("Be kind", "Be\x00 kind"), RepairKind.REMOVE_NUL, ""),
        (GOOD + "# Role Prompt\nGroups\nPerson\n", RepairKind.JOIN, "Role Prompt"),
        (GOOD + "# Agent Name\nNora\n", RepairKind.REMOVE_SECOND, "Agent Name"),
        (GOOD.replace("Person\n", "Person\nPerson\n"), RepairKind.REMOVE_LINE, ""),
    ],
)
def test_a_problem_is_repaired_with_one_click(wrong: str, kind: RepairKind, words: str) -> None:
    assert not problems_of(parse(GOOD))
    repaired = [repair_of(wrong, problem, stem="Nora") for problem in problems_of(parse(wrong))]
    repair = next(one for one in repaired if one is not None)
    assert (repair.kind, repair.words) == (kind, words)
    assert problems_of(parse(repair.text)) == ()


def test_a_missing_prompt_is_replaced_by_a_similar_one_or_created() -> None:
    text = GOOD.replace("Person", "Persn")
    problem = Problem(6, Note(FileReason.PROMPT_MISSING, "Persn"))
    near = repair_of(text, problem, ("Person", "Groups"))
    assert near is not None
    assert near.text == GOOD
    none = repair_of(text, problem, ("Groups",))
    assert none is not None
    assert (none.kind, none.text) == (RepairKind.CREATE_PROMPT, text)
