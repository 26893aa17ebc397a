"""Why a message was linked to another one, for the Context pane."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Evidence(StrEnum):
    """Kinds of signals that speak for a link or against it."""

    WORDS = "words"
    QUESTION = "question"
    TURNS = "turns"
    PEOPLE = "people"
    NAMES = "names"
    TIME = "time"


class ParentChance(NamedTuple):
    """A message that may have been answered; None stands for "none: it starts something new"."""

    message_id: int | None
    probability: float


class Spoke(NamedTuple):
    """How much a kind of signals spoke for a link.

    `weight` is the difference of the link's log odds to those with the signals of an average candidate.
    """

    kind: Evidence
    weight: float


@dataclass(frozen=True, slots=True)
class LinkExplanation:
    """The chances of one message's links, and what spoke for the best one.

    Attributes:
        message_id: The message.
        parents: The likeliest, best first, and what else the model gives a chance of its own; with `others` they sum
            to 1.
        others: The chance of all other messages together.
        best: The message that the evidence is about; None if there is no candidate.
        evidence: What spoke for it, strongest first.
        words: Words in common with it.
        turns: How many messages it is back.
        seconds: The time between.
        names_it: The message names the author of the other one, or the other way round.
    """

    message_id: int
    parents: tuple[ParentChance, ...]
    others: float
    best: int | None
    evidence: tuple[Spoke, ...] = ()
    words: tuple[str, ...] = ()
    turns: int = 0
    seconds: float = 0.0
    names_it: bool = False
