"""Mechanical repairs of problems in agent files. A repair is a new text of the file, so that it can be undone."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from zoneinfo import available_timezones

from chimein_gui.domain.agent_files.checks import problems_of
from chimein_gui.domain.agent_files.edits import line_end_of, line_of, with_line, with_value, without_lines
from chimein_gui.domain.agent_files.parsing import FIELD_NAMES, KNOWN_NAMES, Problem, parse
from chimein_gui.domain.input.codes import in_western_digits
from chimein_gui.domain.input.names import MAX_CHARACTERS, has_path_character, name_problem, phone_of, phone_problem
from chimein_gui.domain.notes.files import FileReason

LISTS = frozenset(
    {"Role Prompt", "Agent Sticker Sets", "Agent Sticker Set", "Agent Stickers", "Aliases"}
    | {"Allowed Hosts", "Denied Hosts"}
)
"""Fields with one entry a line."""

_COUNT = re.compile(r"[0-9]+")
_ZONE_LIKE = 0.6
_NAME_LIKE = 0.6


class RepairKind(StrEnum):
    """What a repair does; where it has words, they are what it writes."""

    USE = "use"
    """Write `words` instead."""
    ADD_HEADING = "add heading"
    """Add the heading `words`."""
    RENAME_HEADING = "rename heading"
    """Write the heading as `words`."""
    JOIN = "join"
    """Put the lines of the second heading `words` below the first one."""
    REMOVE_LINE = "remove line"
    REMOVE_SECOND = "remove second"
    """Remove the second heading `words` with its value."""
    REMOVE_NUL = "remove nul"
    CREATE_PROMPT = "create prompt"
    """Create the prompt `words`; the file itself stays as it is."""


@dataclass(frozen=True, slots=True)
class Repair:
    """What one click does.

    Attributes:
        kind: What it does.
        words: A name or value, see `RepairKind`.
        text: The repaired file.
    """

    kind: RepairKind
    words: str
    text: str


def repair_of(text: str, problem: Problem, prompts: Collection[str] = (), stem: str = "") -> Repair | None:
    """Return the repair of a problem; None if only a person can tell what is meant.

    Args:
        text: The file.
        problem: One of its problems.
        prompts: Names of the existing prompts.
        stem: Name of the file without its ending, for an agent without a name.
    """
    kind, line = problem.note.kind, problem.line
    if kind in {FileReason.FIELD_MISSING, FileReason.FIELD_MISSING_BELOW}:
        return _heading_added(text, problem.note.words, stem)
    if kind is FileReason.PROMPT_MISSING:
        return _prompt_found(text, problem, prompts)
    if kind is FileReason.STANDS_TWICE:
        return _second_removed(text, problem)
    if kind is FileReason.NUL_BYTE:
        return Repair(RepairKind.REMOVE_NUL, "", text.replace("\x00", ""))
    heading = _heading_of(line_of(text, line), problem)
    if heading:
        return Repair(RepairKind.RENAME_HEADING, heading, with_line(text, line, f"# {heading}"))
    better = _better_value(line_of(text, line).strip(), problem)
    repaired = with_line(text, line, better)
    is_better = bool(better) and problem not in problems_of(parse(repaired))
    return Repair(RepairKind.USE, better, repaired) if is_better else None


def _prompt_found(text: str, problem: Problem, prompts: Collection[str]) -> Repair:
    """Use the prompt with the most similar name; without one, create the missing one."""
    near = _nearest(problem.note.words, prompts, _NAME_LIKE)
    if near:
        return Repair(RepairKind.USE, near, with_line(text, problem.line, near))
    return Repair(RepairKind.CREATE_PROMPT, problem.note.words, text)


def _heading_added(text: str, name: str, stem: str) -> Repair:
    words = stem if name == "Agent Name" and stem and name_problem(stem) is None else ""
    end = line_end_of(text)
    if words:
        return Repair(RepairKind.ADD_HEADING, name, with_value(text, name, words))
    gap = "" if not text.strip("\ufeff") or text.endswith(("\n", "\r")) else end
    return Repair(RepairKind.ADD_HEADING, name, f"{text}{gap}{end if text.strip() else ''}# {name}{end}")


def _second_removed(text: str, problem: Problem) -> Repair:
    """Remove the second of two equal lines, or of two equal headings; entries of a list are kept."""
    name, line = problem.note.words, problem.line
    if name not in KNOWN_NAMES:
        return Repair(RepairKind.REMOVE_LINE, "", without_lines(text, line, line))
    ends = [one.line for one in parse(text).fields.values() if one.line > line]
    ends += [one.line for one in parse(text).warnings if one.line > line]
    ends += [one.line for one in parse(text).problems if one.line > line]
    last = min(ends, default=text.count("\n") + text.count("\r") + 2) - 1
    second = parse(_lines(text, line, last)).fields.get(name)
    shorter = without_lines(text, line, last)
    first = parse(shorter).fields[name]
    if second is None or not second.value or second.value == first.value:
        return Repair(RepairKind.REMOVE_SECOND, name, shorter)
    if name in LISTS:
        had = {entry for _, entry in first.lines()}
        added = [entry for _, entry in second.lines() if entry not in had]
        joined = "\n".join([*filter(None, [first.value]), *added])
        return Repair(RepairKind.JOIN, name, with_value(shorter, name, joined))
    if name == "Agent Instructions":
        joined = "\n\n".join(filter(None, (first.value, second.value)))
        return Repair(RepairKind.JOIN, name, with_value(shorter, name, joined))
    return Repair(RepairKind.REMOVE_SECOND, name, shorter)


def _lines(text: str, first: int, last: int) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(lines[first - 1 : last])


def _heading_of(line: str, problem: Problem) -> str:
    """Return the heading that a line was meant to be; empty if it is none."""
    kind, bare = problem.note.kind, line.strip().strip("#").strip()
    if kind is FileReason.FIELD_TOO_DEEP or kind is FileReason.FIELD_WITHOUT_BLANK:
        return problem.note.words
    if kind is FileReason.UNKNOWN_FIELD:
        return _nearest(bare, FIELD_NAMES, 0.75)
    return ""


def _better_value(value: str, problem: Problem) -> str:
    """Return what a value was meant to be; empty if that is unclear."""
    kind = problem.note.kind
    better = _BETTER.get(kind) if isinstance(kind, FileReason) else None
    return better(value, problem) if better is not None else ""


def _level(value: str, problem: Problem) -> str:
    return _nearest(value, problem.note.words.split(", "), 0.5)


def _history(value: str, problem: Problem) -> str:
    cut = _COUNT.sub(lambda found: str(min(int(found.group()[:9]), problem.note.number)), value)
    return cut if cut != value else ""


def _sticker(value: str, _problem: Problem) -> str:
    set_name, _, name = (part.strip(" :") for part in value.partition(":"))
    return f"{set_name} :: {name}" if set_name and name else ""


def _prompt_name(value: str, _problem: Problem) -> str:
    return _bare_name(value.replace("\\", "/").rsplit("/", 1)[-1].lstrip("."))


def _agent_name(value: str, _problem: Problem) -> str:
    better = _bare_name(value)[:MAX_CHARACTERS].strip(" .")
    return better if better and name_problem(better) is None else ""


def _bare_name(value: str) -> str:
    return "".join(character for character in value if not has_path_character(character)).strip(" .")


def _zone(value: str, _problem: Problem) -> str:
    """Return the nearest time zone: one of the same region if the region is right."""
    region, _, place = value.replace(" ", "_").rpartition("/")
    zones = sorted(available_timezones())
    same_place = [zone for zone in zones if zone.rpartition("/")[2].casefold() == place.casefold()]
    if same_place and place:
        return same_place[0]
    near = _nearest(value, zones, _ZONE_LIKE)
    if near and region and not near.casefold().startswith(region.casefold() + "/"):
        inside = [zone for zone in zones if zone.casefold().startswith(region.casefold() + "/")]
        return _nearest(value, inside, _ZONE_LIKE) or near
    return near


def _phone(value: str, _problem: Problem) -> str:
    digits = phone_of(in_western_digits(value))
    tries = (digits, f"+{digits[2:]}" if digits.startswith("00") else f"+{digits.lstrip('+')}")
    return next((one for one in tries if one != value and phone_problem(one) is None), "")


def _nearest(word: str, words: Iterable[str], least: float) -> str:
    """Return the most similar word, whatever its case; empty if none is similar."""
    by_key = {one.casefold(): one for one in words}
    found = get_close_matches(word.casefold()[:200], by_key, 1, least)
    return by_key[found[0]] if found and by_key[found[0]] != word else ""


_BETTER: dict[FileReason, Callable[[str, Problem], str]] = {
    FileReason.TIME_ZONE_UNKNOWN: _zone,
    FileReason.PHONE_FORM: _phone,
    FileReason.ONE_OF: _level,
    FileReason.CONTEXT_FORM: _history,
    FileReason.STICKER_FORM: _sticker,
    FileReason.PROMPT_NAME: _prompt_name,
    FileReason.NAME_CHARACTERS: _agent_name,
    FileReason.NAME_ENDS: _agent_name,
    FileReason.NAME_TOO_LONG: _agent_name,
}
