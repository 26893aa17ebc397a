"""What is wrong in the shown text of an agent file: in itself, and beside other prompts and agents."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.domain.agent_files.checks import problems_of
from chimein_gui.domain.agent_files.edits import LINE_END
from chimein_gui.domain.agent_files.parsing import AgentFile, Problem
from chimein_gui.domain.agent_files.repairs import Repair, repair_of
from chimein_gui.domain.input.names import folded, phone_of
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason

if TYPE_CHECKING:
    from collections.abc import Iterator

_MISSING = frozenset({FileReason.FIELD_MISSING, FileReason.FIELD_MISSING_BELOW, FileReason.FIELD_TOO_DEEP})


MOST_IN_LINE = 20_000
"""Longest line that is shown: Qt lays a longer one out in minutes, in which the window would stand still."""


def too_long_line(text: str) -> int:
    """Return the number of the first line that is too long to be shown, from 1; 0 if there is none."""
    if len(text) <= MOST_IN_LINE:
        return 0
    return next((place for place, line in enumerate(LINE_END.split(text)) if len(line) > MOST_IN_LINE), -2) // 2 + 1


class FileProblemRow(NamedTuple):
    """A problem in the shown text.

    Attributes:
        problem: Line and note.
        field: The field that it is in; empty for none.
        is_warning: The file is used all the same.
        repair: What one click does; None if a person must say what is meant.
    """

    problem: Problem
    field: str
    is_warning: bool
    repair: Repair | None


class Surroundings(NamedTuple):
    """What an agent file must fit to.

    Attributes:
        prompts: The prompts, as (agent, name); agent is empty for shared ones.
        others: Name, number and path of the other agents.
    """

    prompts: frozenset[tuple[str, str]] = frozenset()
    others: tuple[tuple[str, str, str], ...] = ()

    def prompts_of(self, agent: str) -> frozenset[str]:
        """Return the names of the prompts that an agent can use."""
        return frozenset(name for owner, name in self.prompts if owner in ("", agent))


def field_at(file: AgentFile, line: int) -> str:
    """Return the field whose heading or value is in a line, from 1; empty for none."""
    above = [(field.line, name) for name, field in file.fields.items() if field.line <= line]
    return max(above)[1] if above else ""


def rows_of(text: str, file: AgentFile, path: str, around: Surroundings) -> tuple[FileProblemRow, ...]:
    """Return the problems of an agent file, by line.

    Args:
        text: The file.
        file: Its fields.
        path: Where it is.
        around: The other prompts and agents.
    """
    own = problems_of(file)
    name = file.fields["Agent Name"].word if "Agent Name" in file.fields else ""
    prompts = around.prompts_of(name)
    found = [*own, *(file.warnings if not own else ())]
    if around.prompts:
        found += _missing_prompts(file, prompts)
    found += _taken(file, path, around)
    stem = PurePath(path).stem
    return tuple(
        FileProblemRow(one, _field_of(one, file), one in file.warnings, repair_of(text, one, sorted(prompts), stem))
        for one in sorted(found, key=lambda one: one.line)
    )


def _field_of(problem: Problem, file: AgentFile) -> str:
    return problem.note.words if problem.note.kind in _MISSING else field_at(file, problem.line)


def _missing_prompts(file: AgentFile, prompts: frozenset[str]) -> Iterator[Problem]:
    field = file.fields.get("Role Prompt")
    for line, written in field.lines() if field is not None else ():
        name = written.removesuffix(".md")
        if name not in prompts:
            yield Problem(line, Note(FileReason.PROMPT_MISSING, name))


def _taken(file: AgentFile, path: str, around: Surroundings) -> Iterator[Problem]:
    """Return where the name or the number is that of another agent."""
    name, number = file.fields.get("Agent Name"), file.fields.get("Agent Phone")
    for other, phone, source in around.others:
        if source == path:
            continue
        if name is not None and name.value and folded(name.word) == folded(other):
            yield Problem(name.value_line, Note(FileReason.AGENT_EXISTS, other))
        if number is not None and number.value and phone_of(number.word) == phone:
            yield Problem(number.value_line, Note(FileReason.NUMBER_OF_AGENT, other))
