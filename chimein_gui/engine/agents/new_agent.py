"""Checks the fields of a new persona while the operator types."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from chimein_gui.domain.input.codes import in_western_digits
from chimein_gui.domain.input.names import folded, has_path_character, name_problem, phone_of, phone_problem

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
        words: The problem, and what to write instead.
    """

    field: NewAgentField
    words: str


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
        NewAgentField.INSTRUCTIONS: "" if agent.instructions.strip() else "Say who the agent is and how it writes.",
        NewAgentField.ROLE_PROMPTS: _role_prompts(agent.role_prompts, prompts),
        NewAgentField.TIMEZONE: _timezone(agent.timezone),
    }
    return tuple(FieldProblem(field, words) for field, words in reasons.items() if words)


def _name(name: str, others: tuple[AgentSpec, ...]) -> str:
    other = next((spec for spec in others if folded(spec.name) == folded(name)), None)
    if not name:
        return "Give the agent a name."
    return name_problem(name) or (f"There is already an agent “{other.name}”." if other is not None else "")


def _phone(phone: str, others: tuple[AgentSpec, ...]) -> str:
    other = next((spec for spec in others if spec.phone == phone), None)
    return phone_problem(phone) or (f"This number is {other.name}’s." if other is not None else "")


def _role_prompts(names: tuple[str, ...], prompts: Collection[str] | None) -> str:
    if not names:
        return "Choose at least one role prompt."
    if len(set(names)) < len(names):
        return "Each role prompt can be chosen once."
    odd = next((name for name in names if name.startswith(".") or has_path_character(name)), None)
    if odd is not None:
        return f"“{odd}” can't be the name of a prompt file."
    missing = next((name for name in names if prompts is not None and name not in prompts), None)
    return f"There is no role prompt “{missing}”." if missing is not None else ""


def _timezone(name: str) -> str:
    try:
        ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return f"“{name[:60]}” is no IANA time zone; write one like Europe/Lisbon."
    return ""
