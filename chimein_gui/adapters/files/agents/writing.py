"""Composes agent files, and changes the number in one; pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chimein_gui.domain.agent_files.edits import LINE_END, with_value
from chimein_gui.domain.agent_files.parsing import KNOWN_NAMES, lines_in_closed_fences, parse
from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.configs import ConfigReason

if TYPE_CHECKING:
    from chimein_gui.engine.ports import NewAgent

_PHONE = "Agent Phone"
_LEVEL_ONE = re.compile(rf"^#(?=[ \t]|(?:{'|'.join(KNOWN_NAMES)})[ \t]*$|$)", re.IGNORECASE)


def new_file(new: NewAgent) -> str:
    """Compose an agent file; level-1 headings in its instructions, outside of fences, become level 2."""
    fields = [
        ("Agent Name", new.name),
        (_PHONE, new.phone),
        ("Agent Timezone", new.timezone),
        ("Role Prompt", "\n".join(new.role_prompts)),
        ("Agent Instructions", _instructions(new.instructions)),
    ]
    return "\n".join(f"# {heading}\n{value}\n" for heading, value in fields if value)


def with_phone(text: str, phone: str) -> str:
    """Replace the number in an agent file; every other character stays the same.

    Raises:
        ConfigError: The file does not have exactly one number.
    """
    field = parse(text).fields.get(_PHONE)
    if field is None or "\n" in field.value:
        raise ConfigError(Note(ConfigReason.NO_ONE_NUMBER, phone))
    return with_value(text, _PHONE, phone)


def _instructions(text: str) -> str:
    lines = LINE_END.sub("\n", text.replace("\x00", "")).strip("\n").split("\n")
    fenced = lines_in_closed_fences(lines)
    return "\n".join(
        line if index in fenced else _LEVEL_ONE.sub("##", line, count=1) if line.startswith("#") else line
        for index, line in enumerate(lines)
    ).rstrip()
