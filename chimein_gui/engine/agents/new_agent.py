"""Checks the fields of a new persona while the operator types."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from chimein_gui.domain.input.codes import in_western_digits
from chimein_gui.domain.input.names import folded, has_path_character, name_problem, phone_of, phone_problem
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.engine.ports import NewAgent


class NewAgentField(StrEnum):
    """The fields of a `NewAgent`."""

    NAME = "name"
    PHONE = "phone"
    INSTRUCTIONS = "instructions"
    ROLE_PROMPTS = "role_prompts"
    TIMEZONE = "timezone"


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """Why a field can't be as it is.

    Attributes:
        field: The field.
        note: The problem, and what to write instead.
    """

    field: NewAgentField
    note: Note


def tidied(new: NewAgent) -> NewAgent:
    """Return a persona as it is written to its file: without surrounding blanks, its name NFC, its number in digits."""
    return replace(
        new,
        name=unicodedata.normalize("NFC", new.name.strip()),
        phone=phone_of(in_western_digits(new.phone)),
        instructions=new.instructions.strip("\r\n"),
        role_prompts=tuple(name.strip().removesuffix(".md") for name in new.role_prompts if name.strip()),
        timezone=new.timezone.strip(),
    )


def problems_of(
    new: NewAgent, taken: Iterable[AgentSpec] = (), prompts: Collection[str] | None = None
) -> tuple[FieldProblem, ...]:
    """Check a persona, in the order of its fields, without side effects.

    Args:
        new: The persona as typed.
        taken: The existing agents.
        prompts: Names of the existing role prompts; None if they are unknown.
    """
    agent = tidied(new)
    others = tuple(taken)
    reasons = {
        NewAgentField.NAME: _name(agent.name, others),
        NewAgentField.PHONE: _phone(agent.phone, others),
        NewAgentField.INSTRUCTIONS: None if agent.instructions.strip() else Note(FileReason.NO_INSTRUCTIONS),
        NewAgentField.ROLE_PROMPTS: _role_prompts(agent.role_prompts, prompts),
        NewAgentField.TIMEZONE: _timezone(agent.timezone),
    }
    return tuple(FieldProblem(field, why) for field, why in reasons.items() if why is not None)


def _name(name: str, others: tuple[AgentSpec, ...]) -> Note | None:
    other = next((spec for spec in others if folded(spec.name) == folded(name)), None)
    if not name:
        return Note(FileReason.NO_NAME)
    return name_problem(name) or (Note(FileReason.AGENT_EXISTS, other.name) if other is not None else None)


def _phone(phone: str, others: tuple[AgentSpec, ...]) -> Note | None:
    other = next((spec for spec in others if spec.phone == phone), None)
    return phone_problem(phone) or (Note(FileReason.NUMBER_OF_AGENT, other.name) if other is not None else None)


def _role_prompts(names: tuple[str, ...], prompts: Collection[str] | None) -> Note | None:
    if not names:
        return Note(FileReason.NO_ROLE_PROMPT)
    if len(set(names)) < len(names):
        return Note(FileReason.PROMPT_TWICE)
    odd = next((name for name in names if name.startswith(".") or has_path_character(name)), None)
    if odd is not None:
        return Note(FileReason.PROMPT_NAME, odd)
    missing = next((name for name in names if prompts is not None and name not in prompts), None)
    return Note(FileReason.PROMPT_UNKNOWN, missing) if missing is not None else None


def _timezone(name: str) -> Note | None:
    try:
        ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return Note(FileReason.TIME_ZONE_UNKNOWN, name[:60])
    return None
