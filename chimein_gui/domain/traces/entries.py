"""What is recorded while a plan is made, one small object a step.

Nothing here holds a thought of the model. All times are aware UTC, all durations are seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.costs import ModelCall
from chimein_gui.domain.retrieval.pages import PageFetched, RetrievalRound

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.replies.problems import ReplyProblem


@dataclass(frozen=True, slots=True)
class Debounced:
    """The quiet window before the plan.

    Attributes:
        began_at: When the first trigger came.
        took_s: Seconds until the plan could begin.
        triggers: Number of messages that the plan answers.
    """

    began_at: datetime
    took_s: float
    triggers: int


@dataclass(frozen=True, slots=True)
class Backfilled:
    """Missing history was fetched before the plan.

    Attributes:
        began_at: When it began.
        took_s: Seconds.
        is_complete: All of it is there; otherwise the plan was made without the rest.
    """

    began_at: datetime
    took_s: float
    is_complete: bool


@dataclass(frozen=True, slots=True)
class ContextChosen:
    """The messages of the prompt were chosen.

    Attributes:
        began_at: When it began.
        took_s: Seconds of the transaction that read all that the prompt needs.
        held: Number of messages in the prompt.
        considered: Number of messages it was chosen from.
        is_chosen: A model or the rule chose; otherwise the prompt holds all of them.
    """

    began_at: datetime
    took_s: float
    held: int
    considered: int
    is_chosen: bool


class EnricherName(StrEnum):
    """What adds to the inputs of a plan. Stored traces keep the values."""

    MEMORY = "memory"
    BY_MEANING = "memories by meaning"
    """The search in memories by vectors, where it failed and words were searched alone."""
    MEDIA = "media"
    RERANK = "rerank"
    """The choice of messages by meaning, after the first one."""
    ORDERS = "orders"


class EnrichEnd(StrEnum):
    """The result of an enricher."""

    DONE = "done"
    LATE = "late"
    """It was cancelled at its time limit; the plan continues without it."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Enriched:
    """An enricher of the plan's inputs has ended.

    Attributes:
        name: The enricher's name, a value of `EnricherName`.
        end: The result.
        took_s: The duration in seconds.
        error: The error, or empty.
        began_at: When it began; None for a part of another enricher.
    """

    name: str
    end: EnrichEnd
    took_s: float
    error: str = ""
    began_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PromptBuilt:
    """The prompt of a call was composed.

    Attributes:
        began_at: When it began.
        took_s: Seconds.
        sections: Number of sections, those of the last block included.
        turns: Number of turns; the last block is none, its sections count.
        without_pages: The operator wanted no (further) web pages for it.
    """

    began_at: datetime
    took_s: float
    sections: int
    turns: int
    without_pages: bool = False


@dataclass(frozen=True, slots=True)
class Replied:
    """What the model answered to the call recorded before it.

    Attributes:
        text: The reply; each thought is replaced by its length.
        finish_reason: The service's own word.
        tools: Names of the tools that it calls.
        is_cut_off: The text is incomplete.
    """

    text: str
    finish_reason: str = ""
    tools: tuple[str, ...] = ()
    is_cut_off: bool = False


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool was run for the model.

    Attributes:
        name: The name that the model used.
        messages: The number of messages or memories shown.
        error: Why none was shown, in the words for the model; or empty.
        began_at: When it began.
        took_s: Seconds.
        arguments: What the model asked for, as JSON; the model's words.
    """

    name: str
    messages: int
    error: str = ""
    began_at: datetime | None = None
    took_s: float = 0.0
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A reply was read.

    Attributes:
        began_at: When it began.
        took_s: Seconds.
        blocks: Type of each block, in order.
        problems: What was wrong.
    """

    began_at: datetime
    took_s: float
    blocks: tuple[str, ...]
    problems: tuple[ReplyProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class RepairAsked:
    """The model was asked to repair a reply."""

    problems: tuple[ReplyProblem, ...]


@dataclass(frozen=True, slots=True)
class AttemptEnded:
    """An attempt at the plan ended without a plan; what follows belongs to the next one.

    Attributes:
        at: When.
        attempt: Its number, from 1.
        reason: Why, or None.
        is_counted: It counts among the attempts after which a plan is given up; True in older traces.
    """

    at: datetime
    attempt: int
    reason: Note | None = None
    is_counted: bool = True


TraceEntry = (
    Debounced
    | Backfilled
    | ContextChosen
    | Enriched
    | PromptBuilt
    | ModelCall
    | Replied
    | ToolUse
    | RetrievalRound
    | PageFetched
    | Parsed
    | RepairAsked
    | AttemptEnded
)
