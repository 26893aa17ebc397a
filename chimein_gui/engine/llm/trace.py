"""What is noted of a plan while it is made: model calls, tools, repairs, enrichers, in their order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.costs import ModelCall

if TYPE_CHECKING:
    from chimein_gui.domain.replies.problems import ReplyProblem


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool was run for the model.

    Attributes:
        name: What the model called it.
        messages: How many messages it has shown.
        error: Why it has shown none, as the model was told; or empty.
    """

    name: str
    messages: int
    error: str = ""


@dataclass(frozen=True, slots=True)
class RepairAsked:
    """A reply could not be used as it was, and the model was told so."""

    problems: tuple[ReplyProblem, ...]


class EnrichEnd(StrEnum):
    """How an enricher ended."""

    DONE = "done"
    LATE = "late"
    """It was given up at its bound; the plan goes on without it."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Enriched:
    """An enricher of the plan's inputs has ended.

    Attributes:
        name: The enricher's.
        end: How.
        took_s: Seconds.
        error: What went wrong, or empty.
    """

    name: str
    end: EnrichEnd
    took_s: float
    error: str = ""


TraceEntry = ModelCall | ToolUse | RepairAsked | Enriched


class PlanTrace:
    """The notes on one plan. Model calls among them are to be booked in the cost ledger, each once."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._entries: list[TraceEntry] = []
        self._unbooked: list[ModelCall] = []

    @property
    def entries(self) -> tuple[TraceEntry, ...]:
        """Return everything, oldest first."""
        return tuple(self._entries)

    @property
    def unbooked(self) -> tuple[ModelCall, ...]:
        """Return the calls that are not booked yet, oldest first."""
        return tuple(self._unbooked)

    def note(self, entry: TraceEntry) -> None:
        """Add what has just happened."""
        self._entries.append(entry)
        if isinstance(entry, ModelCall):
            self._unbooked.append(entry)

    def take_unbooked(self) -> tuple[ModelCall, ...]:
        """Return the calls that are not booked yet, and count them as booked: the caller stores them."""
        taken = self.unbooked
        self._unbooked.clear()
        return taken

    def give_back(self, calls: tuple[ModelCall, ...]) -> None:
        """Calls that were taken could not be stored: they are to be booked later."""
        self._unbooked[:0] = calls
