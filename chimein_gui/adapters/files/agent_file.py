"""The text of an agent file, cut into fields (SPEC §2); pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

FIELD_NAMES = (
    "Agent Name",
    "Agent Phone",
    "Agent Instructions",
    "Role Prompt",
    "Agent Timezone",
    "Agent Sticker Sets",
    "Agent Stickers",
    "Aliases",
    "LLM",
    "Context",
    "Memory Scope",
    "Approval",
)

_HEADING = re.compile(r"#[ \t]+(?P<name>.*?)(?:[ \t]+#+)?[ \t]*$")
_DEEPER = re.compile(r"##+[ \t]*(?P<name>[^#]*?)(?:[ \t]+#+)?[ \t]*$")
_GLUED = re.compile(r"#(?P<name>[^\s#].*?)[ \t]*$")
_FENCE = re.compile(r" {0,3}(?P<marks>`{3,}|~{3,})(?P<rest>.*)$")


@dataclass(frozen=True, slots=True)
class Field:
    """One heading and the text below it.

    Attributes:
        line: Of the heading, from 1.
        value: The text as written, without blank lines around it.
        value_line: Of the first line of `value`; the heading's if there is none.
    """

    line: int
    value: str
    value_line: int

    @property
    def word(self) -> str:
        """The value of a field that is one line, without blanks around it."""
        return self.value.strip()

    def lines(self) -> tuple[tuple[int, str], ...]:
        """Return the non-blank lines of the value, stripped, with their numbers."""
        numbered = enumerate(self.value.split("\n"), start=self.value_line)
        return tuple((number, line.strip()) for number, line in numbered if line.strip())


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in the text.

    Attributes:
        line: From 1; 0 for the file as a whole.
        reason: What is wrong and what to write instead.
    """

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class AgentFile:
    """The fields by name, and what is wrong with the file's structure.

    Attributes:
        fields: By name.
        problems: Of the structure.
        deeper: Lines of headings that are named like a field, and have more than one #.
    """

    fields: Mapping[str, Field]
    problems: tuple[Problem, ...]
    deeper: Mapping[str, int]


def parse(text: str) -> AgentFile:
    """Cut an agent file into its fields.

    A field begins with a level-1 heading; deeper headings, and headings inside a closed fence, belong to its value.
    An unclosed fence is plain text. Headings are matched without regard to case.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    fenced = lines_in_closed_fences(lines)
    starts = [
        (index, match["name"])
        for index, line in enumerate(lines)
        if index not in fenced and (match := _HEADING.match(line)) is not None
    ]
    problems = [*_text_before(lines, starts[0][0] if starts else len(lines)), *_odd_lines(lines, fenced)]
    fields: dict[str, Field] = {}
    ends = [*(index for index, _ in starts), len(lines)][1:]
    for (start, heading), end in zip(starts, ends, strict=False):
        name = _KNOWN.get(heading.casefold())
        if name is None:
            problems.append(Problem(start + 1, _unknown(heading)))
        elif name in fields:
            problems.append(
                Problem(start + 1, f"“{name}” stands here a second time; the first is in line {fields[name].line}.")
            )
        else:
            fields[name] = _field(lines, start, end)
    deeper = {
        _KNOWN[match["name"].casefold()]: index + 1
        for index, line in enumerate(lines)
        if index not in fenced and (match := _DEEPER.match(line)) and match["name"].casefold() in _KNOWN
    }
    return AgentFile(fields, tuple(problems), deeper)


_KNOWN = {name.casefold(): name for name in FIELD_NAMES}


def _unknown(heading: str) -> str:
    return f"“{heading[:60]}” is no field. Fields are: {', '.join(FIELD_NAMES)}. Text headings begin with ##."


def _text_before(lines: list[str], first_heading: int) -> list[Problem]:
    for index, line in enumerate(lines[:first_heading]):
        if line.strip():
            return [Problem(index + 1, "Text before the first heading belongs to no field.")]
    return []


def _odd_lines(lines: list[str], fenced: frozenset[int]) -> list[Problem]:
    """Report a heading that lacks its blank, which would end up in the value above it, and what is no text."""
    problems = []
    for index, line in enumerate(lines):
        glued = _GLUED.match(line)
        if glued is not None and index not in fenced and glued["name"].casefold() in _KNOWN:
            problems.append(Problem(index + 1, f"Write a blank behind the #: “# {_KNOWN[glued['name'].casefold()]}”."))
    nul = next((index for index, line in enumerate(lines) if "\x00" in line), None)
    if nul is not None:
        problems.append(Problem(nul + 1, "This line holds a NUL byte, so the file is no text; save it as UTF-8."))
    return problems


def _field(lines: list[str], start: int, end: int) -> Field:
    first, last = start + 1, end
    while first < last and not lines[first].strip():
        first += 1
    while last > first and not lines[last - 1].strip():
        last -= 1
    value_line = first + 1 if first < last else start + 1
    return Field(start + 1, "\n".join(lines[first:last]).rstrip(), value_line)


def lines_in_closed_fences(lines: list[str]) -> frozenset[int]:
    """Return the indices of lines inside fences, as Markdown has them: closed by the same mark, at least as long."""
    inside: set[int] = set()
    never_closed: dict[str, int] = {}  # mark → length that is closed nowhere below; without it this is quadratic
    index = 0
    while index < len(lines):
        marks = _opening_marks(lines[index])
        if marks and len(marks) < never_closed.get(marks[0], len(marks) + 1):
            end = _closing(lines, index, marks)
            if end is None:
                never_closed[marks[0]] = len(marks)
            else:
                inside.update(range(index, end + 1))
                index = end
        index += 1
    return frozenset(inside)


def _opening_marks(line: str) -> str:
    match = _FENCE.match(line)
    if match is None or (match["marks"][0] == "`" and "`" in match["rest"]):
        return ""  # the latter is code within a line
    return match["marks"]


def _closing(lines: list[str], start: int, marks: str) -> int | None:
    for index in range(start + 1, len(lines)):
        closed = _FENCE.match(lines[index])
        if closed and closed["marks"].startswith(marks) and not closed["rest"].strip():
            return index
    return None
