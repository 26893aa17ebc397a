"""What a bar is: how bad, what happened, what it means for messages, what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Severity(IntEnum):
    """The most severe is the smallest."""

    BROKEN = 0
    DECIDE = 1
    WAITS = 2


class BarVerb(StrEnum):
    """What the shell can do about a bar."""

    LOG_IN = "log in"
    OPEN_AGENTS = "open agents"
    OPEN_CHAT = "open chat"
    PLAN_NOW = "plan now"
    OPEN_FOLDER = "open folder"
    REVIEW = "review"
    DETAILS = "details"
    WRITTEN_ANSWERS = "written answers"
    """In the sandbox: let the written model answer again, and plan anew."""


@dataclass(frozen=True, slots=True)
class ProblemAction:
    """One button of a bar.

    Attributes:
        verb: What it does.
        word: What it says.
        target: Whom it concerns: an agent's or chat's id, or a path.
    """

    verb: BarVerb
    word: str
    target: object = None


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing the operator should know of.

    Attributes:
        key: Stable id of its cause.
        severity: Its order and its colour.
        icon: Name of an icon.
        cause: What happened, one short sentence, foreign names in it already made safe.
        consequence: What it means for messages.
        actions: What to do; the first is the loud one.
    """

    key: str
    severity: Severity
    icon: str
    cause: str
    consequence: str
    actions: tuple[ProblemAction, ...] = ()
