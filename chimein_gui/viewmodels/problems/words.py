"""The data of a problem bar: severity, cause, consequence and actions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Severity(IntEnum):
    """Severity of a problem; the smallest value is the most severe."""

    BROKEN = 0
    DECIDE = 1
    WAITS = 2


class ProblemCommand(StrEnum):
    """The actions that the shell can run for a bar."""

    LOG_IN = "log in"
    OPEN_AGENTS = "open agents"
    OPEN_CHAT = "open chat"
    PLAN_NOW = "plan now"
    OPEN_FOLDER = "open folder"
    REVIEW = "review"
    DETAILS = "details"
    ADD_TO_CAP = "add to cap"
    """Add an amount to a cap for today; the target is its `CapKey`."""
    LIFT_CAP = "lift cap"
    """No cap until midnight; the target is its `CapKey`."""
    OPEN_COSTS = "open costs"
    WRITTEN_ANSWERS = "written answers"
    """In the sandbox: use the written answers again, and plan again."""
    OPEN_KEYS = "open keys"
    OPEN_CARD = "open card"
    """Show a planned send; the target is its approval's id."""
    OPEN_PROMPT = "open prompt"
    """Show the stored prompt of a plan, or what another one would bring; the target is a `ShowPrompt`'s."""
    OPEN_TRACE = "open trace"
    """Show how a plan came about; the target is its trace's id."""
    ASK_AGAIN = "ask again"
    """Make a new card of a send that was not sent; the target is the card."""
    EDIT_FIRST = "edit first"
    """The same, and the new card is opened to be edited; the target is the card."""
    OPEN_CONTEXT = "open context"
    """Show which messages a plan took, where some can be left out; the target is its chat and its id."""
    WITHOUT_PAGES = "without pages"
    """Plan again without looking up web pages; the target is a card, or the ids of chats without a plan."""
    TO_DRAFT = "to draft"
    """Withdraw an approval, so that the send asks again; the target is the card."""


SEVERITY_TOKENS = {Severity.BROKEN: "danger", Severity.DECIDE: "attention", Severity.WAITS: "info"}
"""The colour of a problem in each place that shows one."""


@dataclass(frozen=True, slots=True)
class ProblemAction:
    """One button of a bar.

    Attributes:
        command: What it does.
        word: Its label.
        target: What it applies to: an id, several ids, a card, a path or a text; None for none.
    """

    command: ProblemCommand
    word: str
    target: object = None


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem that a bar shows.

    Attributes:
        key: Stable id of its cause.
        severity: Its order and its colour.
        icon: Name of an icon.
        cause: What happened, one short sentence; the direction of foreign names in it is isolated.
        consequence: What it means for messages.
        actions: Its buttons; the first is the prominent one.
        raw: The service's own words on the cause, foreign text; the first to be cut where there is little room.
    """

    key: str
    severity: Severity
    icon: str
    cause: str
    consequence: str
    actions: tuple[ProblemAction, ...] = ()
    raw: str = ""
