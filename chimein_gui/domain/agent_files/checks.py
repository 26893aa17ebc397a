"""Validation and conversion of the fields of an agent file; pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from chimein_gui.domain.agent_files.parsing import AgentFile, Field, Problem
from chimein_gui.domain.agents import PictureChoice
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.input.names import has_path_character, name_problem, phone_problem
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason
from chimein_gui.domain.retrieval.host_lists import read_host
from chimein_gui.domain.settings.rules import MODEL_NAME

REQUIRED = ("Agent Name", "Agent Phone", "Agent Instructions", "Role Prompt")

_CONTEXT = re.compile(r"(?:(?P<where>DM|Group)\s*:\s*)?(?:chime-in|history\s+(?P<count>[0-9]{1,9}))", re.IGNORECASE)
_MAX_HISTORY = 500
_MEMORY_SCOPES = ("global", "per-partner")
_SET_NAME = re.compile(r"\w{1,64}", re.ASCII)
_MAX_ALIAS = 64
_MOST_LINES = {
    "Aliases": 100,
    "Role Prompt": 50,
    "Agent Sticker Sets": 100,
    "Agent Stickers": 1_000,
    "Allowed Hosts": 200,
    "Denied Hosts": 200,
}
"""Most lines of fields: group messages are compared with all aliases, and the lists are part of every prompt."""

_MOST_PROBLEMS = 20
"""Most reported problems of one file; a hundred thousand would block the window."""

_NONE = ("none", "null")

_MAX_PROMPT = 240
"""Bytes of a prompt's file name; file systems allow 255."""


def problems_of(file: AgentFile) -> tuple[Problem, ...]:
    """Return why a file can't be used, sorted by line, together with its warnings; empty if it can."""
    problems = list(file.problems)
    for name in REQUIRED:
        if name in file.deeper and name not in file.fields:
            problems.append(Problem(file.deeper[name], Note(FileReason.FIELD_TOO_DEEP, name)))
        elif name not in file.fields:
            why = FileReason.FIELD_MISSING_BELOW if file.last_line else FileReason.FIELD_MISSING
            problems.append(Problem(file.last_line, Note(why, name)))
        elif not file.fields[name].value:
            problems.append(Problem(file.fields[name].line, Note(FileReason.FIELD_EMPTY, name)))
    for name, check in _CHECKS.items():
        field = file.fields.get(name)
        if field is not None and field.value:
            problems.extend(_too_many(name, field) or check(field))
    return _first(sorted((*problems, *file.warnings), key=lambda problem: problem.line)) if problems else ()


def warnings_of(file: AgentFile) -> tuple[Problem, ...]:
    """Return the ignored parts of a usable file."""
    return _first(list(file.warnings))


def _too_many(name: str, field: Field) -> list[Problem]:
    most = _MOST_LINES.get(name)
    if most is None or len(field.lines()) <= most:
        return []
    return [Problem(field.lines()[most][0], Note(FileReason.TOO_MANY_LINES, name, most))]


def _first(problems: list[Problem]) -> tuple[Problem, ...]:
    further = len(problems) - _MOST_PROBLEMS
    if further <= 0:
        return tuple(problems)
    last = Problem(problems[_MOST_PROBLEMS].line, Note(FileReason.FURTHER_PROBLEMS, number=further))
    return (*problems[:_MOST_PROBLEMS], last)


def _name(field: Field) -> list[Problem]:
    why = name_problem(unicodedata.normalize("NFC", field.word))
    return [Problem(field.value_line, why)] if why is not None else []


def _phone(field: Field) -> list[Problem]:
    why = phone_problem(field.word)
    return [Problem(field.value_line, why)] if why is not None else []


def is_none(word: str) -> bool:
    """Return whether a value means "none", as in files of the earlier program."""
    return word.casefold() in _NONE


def _timezone(field: Field) -> list[Problem]:
    if is_none(field.word):
        return []
    if "\n" in field.word:
        return [Problem(field.value_line, Note(FileReason.TIME_ZONE_LINES))]
    try:
        ZoneInfo(field.word)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return [Problem(field.value_line, Note(FileReason.TIME_ZONE_UNKNOWN, field.word[:60]))]
    return []


def _prompt_names(field: Field) -> list[Problem]:
    wrong = []
    seen: dict[str, int] = {}
    for line, name in field.lines():
        key = name.removesuffix(".md")
        if not key or name.startswith(".") or len(name.encode("utf-8")) > _MAX_PROMPT or has_path_character(name):
            wrong.append(Problem(line, Note(FileReason.PROMPT_NAME, name[:60])))
        elif key in seen:
            wrong.append(Problem(line, Note(FileReason.STANDS_TWICE, key, seen[key])))
        seen.setdefault(key, line)
    return wrong


def aliases_of(field: Field) -> tuple[str, ...]:
    """Return the names that call the agent, without duplicates."""
    return tuple(dict.fromkeys(unicodedata.normalize("NFC", name) for _, name in field.lines()))


def sticker_sets_of(*fields: Field) -> tuple[str, ...]:
    """Return the short names of sets, without duplicates."""
    return tuple(dict.fromkeys(name for field in fields for _, name in field.lines() if not is_none(name)))


def stickers_of(field: Field) -> tuple[tuple[str, str], ...]:
    """Return single stickers as (set, sticker), without duplicates."""
    pairs = (text.partition("::") for _, text in field.lines())
    return tuple(dict.fromkeys((set_name.strip(), name.strip()) for set_name, _, name in pairs))


def hosts_of(field: Field) -> tuple[str, ...]:
    """Return the hosts of a list, as addresses have them, without duplicates."""
    return tuple(dict.fromkeys(host for _, text in field.lines() if (host := read_host(text)) is not None))


def histories_of(field: Field) -> tuple[int | None, int | None]:
    """Return the number of messages in a prompt for DMs and groups; None means the context selection chooses.

    A value without a place applies to both.
    """
    found: dict[str, int | None] = {"dm": _MAX_HISTORY, "group": None}
    for _, text in field.lines():
        match = _CONTEXT.fullmatch(text)
        if match is not None:
            count = None if match["count"] is None else int(match["count"])
            places = [match["where"].casefold()] if match["where"] else list(found)
            found.update(dict.fromkeys(places, count))
    return found["dm"], found["group"]


def _aliases(field: Field) -> list[Problem]:
    return [
        Problem(line, Note(FileReason.ALIAS_FORM, name[:60], _MAX_ALIAS))
        for line, name in field.lines()
        if len(name) > _MAX_ALIAS or not any(character.isalnum() for character in name)
    ]


def _sticker_sets(field: Field) -> list[Problem]:
    return [
        Problem(line, Note(FileReason.STICKER_SET_FORM, name[:60]))
        for line, name in field.lines()
        if not _SET_NAME.fullmatch(name)
    ]


def _stickers(field: Field) -> list[Problem]:
    wrong = []
    for line, text in field.lines():
        set_name, _, name = text.partition("::")
        if not _SET_NAME.fullmatch(set_name.strip()) or not name.strip():
            wrong.append(Problem(line, Note(FileReason.STICKER_FORM)))
    return wrong


def _hosts(field: Field) -> list[Problem]:
    return [
        Problem(line, Note(FileReason.HOST_FORM, text[:60])) for line, text in field.lines() if read_host(text) is None
    ]


def _model(field: Field) -> list[Problem]:
    if MODEL_NAME.fullmatch(field.word):
        return []
    return [Problem(field.value_line, Note(FileReason.MODEL_FORM))]


def _context(field: Field) -> list[Problem]:
    wrong = []
    for line, text in field.lines():
        match = _CONTEXT.fullmatch(text)
        if match is None or int(match["count"] or 0) > _MAX_HISTORY:
            wrong.append(Problem(line, Note(FileReason.CONTEXT_FORM, number=_MAX_HISTORY)))
    return wrong


def _one_of(words: Sequence[str]) -> Callable[[Field], list[Problem]]:
    def check(field: Field) -> list[Problem]:
        if field.word.casefold() in words:
            return []
        return [Problem(field.value_line, Note(FileReason.ONE_OF, ", ".join(words)))]

    return check


_CHECKS: dict[str, Callable[[Field], list[Problem]]] = {
    "Agent Name": _name,
    "Agent Phone": _phone,
    "Agent Timezone": _timezone,
    "Role Prompt": _prompt_names,
    "Agent Sticker Sets": _sticker_sets,
    "Agent Sticker Set": _sticker_sets,
    "Agent Stickers": _stickers,
    "Aliases": _aliases,
    "Allowed Hosts": _hosts,
    "Denied Hosts": _hosts,
    "LLM": _model,
    "Context": _context,
    "Memory Scope": _one_of(_MEMORY_SCOPES),
    "Approval": _one_of([level.value for level in TrustLevel]),
    "Pictures": _one_of([choice.value for choice in PictureChoice]),
}
