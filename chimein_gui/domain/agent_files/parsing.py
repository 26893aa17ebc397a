"""The text of an agent file, cut into fields (docs/behaviour.md, "The agent file"); pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason

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
    "Pictures",
    "Allowed Hosts",
    "Denied Hosts",
)

EARLIER_NAMES = ("Agent Sticker Set", "Disabled", "Gagged")
"""Headings of an earlier program whose agent files are read, too; each has an equivalent here."""

KNOWN_NAMES = (*FIELD_NAMES, *EARLIER_NAMES)

_BLANKS = " \t"
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
        """Return the value of a one-line field, without blanks around it."""
        return self.value.strip()

    def lines(self) -> tuple[tuple[int, str], ...]:
        """Return the non-blank lines of the value, stripped, with their numbers."""
        numbered = enumerate(self.value.split("\n"), start=self.value_line)
        return tuple((number, line.strip()) for number, line in numbered if line.strip())


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem in the text.

    Attributes:
        line: From 1; 0 for the file as a whole.
        note: What is wrong and what to write instead.
        leads_to: The target of a link outside the config directories; else empty.
    """

    line: int
    note: Note
    leads_to: str = ""


@dataclass(frozen=True, slots=True)
class AgentFile:
    """The fields by name, and problems of the file's structure.

    Attributes:
        fields: By name.
        problems: Structural problems: the file can't be used.
        warnings: Ignored parts of a file that can be used.
        deeper: Lines of headings that are named like a field, but have more than one #.
        last_line: The last line that is not blank, from 1; 0 for an empty file.
    """

    fields: Mapping[str, Field]
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    deeper: Mapping[str, int]
    last_line: int


@dataclass(frozen=True, slots=True)
class _Heading:
    """A line that begins with #.

    Attributes:
        level: How many # it begins with.
        name: Its text, without blanks and closing # around it.
        is_glued: There is no blank behind the #.
    """

    level: int
    name: str
    is_glued: bool


def parse(text: str) -> AgentFile:
    """Split an agent file into its fields.

    A field begins with a level-1 heading; deeper headings, and headings inside a closed fence, belong to its value. An
    unclosed fence is plain text. Case is ignored in headings.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    fenced = lines_in_closed_fences(lines)
    headings = {
        index: heading
        for index, line in enumerate(lines)
        if index not in fenced and (heading := _heading(line)) is not None
    }
    starts = [(index, one.name) for index, one in headings.items() if one.level == 1 and not one.is_glued]
    problems = [*_text_before(lines, starts[0][0] if starts else len(lines)), *_odd_lines(lines, headings)]
    warnings: list[Problem] = []
    fields: dict[str, Field] = {}
    ends = [*(index for index, _ in starts), len(lines)][1:]
    for (start, written), end in zip(starts, ends, strict=False):
        name = _KNOWN.get(written.casefold())
        if name is None:
            warnings.append(Problem(start + 1, _unknown(written)))
        elif name in fields:
            problems.append(Problem(start + 1, Note(FileReason.STANDS_TWICE, name, fields[name].line)))
        else:
            fields[name] = _field(lines, start, end)
    deeper = {
        _KNOWN[one.name.casefold()]: index + 1
        for index, one in headings.items()
        if one.level > 1 and one.name.casefold() in _KNOWN
    }
    last_line = next((index + 1 for index in reversed(range(len(lines))) if lines[index].strip()), 0)
    return AgentFile(fields, tuple(problems), tuple(warnings), deeper, last_line)


_KNOWN = {name.casefold(): name for name in KNOWN_NAMES}


def _heading(line: str) -> _Heading | None:
    """Parse a heading without a regular expression, which would take quadratic time on hostile lines."""
    if not line.startswith("#"):
        return None
    text = line.lstrip("#")
    level, name = len(line) - len(text), text.strip(_BLANKS)
    is_glued = text == text.lstrip(_BLANKS)
    without_marks = name.rstrip("#")
    if without_marks != name and without_marks != without_marks.rstrip(_BLANKS):
        name = without_marks.rstrip(_BLANKS)
    return _Heading(level, name, is_glued) if name or not is_glued else None


def _unknown(heading: str) -> Note:
    return Note(FileReason.UNKNOWN_FIELD, heading[:60], more=", ".join(FIELD_NAMES))


def _text_before(lines: list[str], first_heading: int) -> list[Problem]:
    for index, line in enumerate(lines[:first_heading]):
        if line.strip():
            return [Problem(index + 1, Note(FileReason.TEXT_BEFORE_FIELDS))]
    return []


def _odd_lines(lines: list[str], headings: Mapping[int, _Heading]) -> list[Problem]:
    """Report field headings without a blank behind the #, which would become part of the value above, and NUL bytes."""
    problems = []
    for index, heading in headings.items():
        name = _KNOWN.get(heading.name.casefold())
        if heading.level == 1 and heading.is_glued and name is not None:
            problems.append(Problem(index + 1, Note(FileReason.FIELD_WITHOUT_BLANK, name)))
    nul = next((index for index, line in enumerate(lines) if "\x00" in line), None)
    if nul is not None:
        problems.append(Problem(nul + 1, Note(FileReason.NUL_BYTE)))
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
    """Return the indexes of lines inside Markdown fences: closed by the same mark, at least as long."""
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
