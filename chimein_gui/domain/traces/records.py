"""What is stored of a plan when it ends, and the figures of its row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.domain.costs import ModelCall
from chimein_gui.domain.retrieval.pages import PageFetched, RetrievalRound
from chimein_gui.domain.traces.entries import Backfilled, ContextChosen, Enriched, Parsed, PromptBuilt, ToolUse
from chimein_gui.domain.traces.summaries import EXPENSIVE_USD, SLOW_S, TraceKind

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from chimein_gui.domain.ids import AgentId, ChatId, GraphId, MessageId, TaskId
    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.traces.entries import TraceEntry
    from chimein_gui.domain.traces.summaries import TraceState

FIRST_WORDS = 120
"""Most characters of a message in the row of its trace."""

_WORK = frozenset({Backfilled, ContextChosen, PromptBuilt, ToolUse, RetrievalRound, Parsed})


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """One attempt at a plan, to be stored.

    Attributes:
        kind: What was made.
        chat_id: The conversation.
        agent_id: The agent.
        state: What became of it.
        began_at: When its first step began, aware UTC.
        ended_at: When it ended, aware UTC.
        entries: Its steps in their order.
        problem: Why it failed or waits, or None.
        first_words: The message that it answers, foreign text.
        graph_id: The plan that came of it, or None.
        task_id: Its `received` step: attempts with the same one are one trace. None for other kinds.
        trigger_ids: The messages that it answers.
        instruction: The operator's instruction for a variant, or empty.
    """

    kind: TraceKind
    chat_id: ChatId
    agent_id: AgentId
    state: TraceState
    began_at: datetime
    ended_at: datetime
    entries: tuple[TraceEntry, ...]
    problem: Note | None = None
    first_words: str = ""
    graph_id: GraphId | None = None
    task_id: TaskId | None = None
    trigger_ids: tuple[MessageId, ...] = ()
    instruction: str = ""


class TraceBody(NamedTuple):
    """The part of a trace that its row does not have."""

    entries: tuple[TraceEntry, ...] = ()
    trigger_ids: tuple[MessageId, ...] = ()
    instruction: str = ""


class TraceFigures(NamedTuple):
    """The figures of a row; see `TraceSummary`."""

    usd: float | None
    unpriced: int
    tokens_in: int
    tokens_out: int
    tokens_cached: int
    model_calls: int
    pages: int
    refused_pages: int
    work_s: float

    @property
    def is_slow(self) -> bool:
        """Return whether the work took long."""
        return self.work_s >= SLOW_S

    @property
    def is_expensive(self) -> bool:
        """Return whether it cost much."""
        return self.usd is not None and self.usd >= EXPENSIVE_USD


def figures_of(entries: Iterable[TraceEntry]) -> TraceFigures:
    """Return the figures of a trace; calls inside an enricher count for its time once."""
    total: float | None = None
    unpriced = tokens_in = tokens_out = cached = calls = pages = refused = 0
    work_s = 0.0
    for one in entries:
        if isinstance(one, ModelCall):
            calls += 1
            tokens_in += one.usage.prompt_tokens
            tokens_out += one.usage.reply_tokens + one.usage.thinking_tokens
            cached += one.usage.cached_tokens
            work_s += one.latency_s
            if one.cost_usd is None:
                unpriced += 1
            else:
                total = (total or 0.0) + one.cost_usd
        elif isinstance(one, PageFetched):
            if one.refusal is not None:
                refused += 1
            elif one.error is None:
                pages += 1
        elif isinstance(one, Enriched):
            work_s += 0.0 if one.began_at is None else one.took_s
        elif type(one) in _WORK:
            work_s += one.took_s  # type: ignore[union-attr]
    return TraceFigures(total, unpriced, tokens_in, tokens_out, cached, calls, pages, refused, work_s)
