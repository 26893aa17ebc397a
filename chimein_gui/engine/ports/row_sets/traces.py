"""Row set of the traces of plans."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from chimein_gui.domain.ids import ChatId, GraphId, MessageId, TaskId
from chimein_gui.domain.spending.sums import PlanCosts
from chimein_gui.domain.traces.records import TraceBody, TraceRecord
from chimein_gui.domain.traces.summaries import (
    NO_STANDINGS,
    Standings,
    TraceCounts,
    TraceFilter,
    TraceId,
    TraceSizes,
    TraceState,
    TraceSummary,
)


class TraceRows(Protocol):
    """Traces: rows for lists, and a body each."""

    def changed(self) -> list[tuple[TraceId, ChatId, TraceState]]:
        """Return the traces that were stored or changed since the last call, with their chats and states."""
        ...

    def record(self, record: TraceRecord) -> TraceId:
        """Store an attempt at a plan; with that of an earlier attempt of the same step it is one trace."""
        ...

    def follow(self, graph_id: GraphId, state: TraceState, *, rejected: bool) -> None:
        """Store what became of a plan; nothing happens if it has no trace, or if nothing is new."""
        ...

    def mark_edited(self, graph_id: GraphId) -> None:
        """Store that the operator changed a text of a plan."""
        ...

    def end_attempts(self, task_id: TaskId, state: TraceState) -> None:
        """Store that a `received` step is not tried again."""
        ...

    def keep(self, trace_id: TraceId, *, is_kept: bool) -> None:
        """Keep a trace, or no longer; raises NotFoundError."""
        ...

    def page(
        self,
        wanted: TraceFilter,
        before: TraceId | None,
        *,
        skip: int = 0,
        limit: int,
        standings: Standings = NO_STANDINGS,
    ) -> tuple[TraceSummary, ...]:
        """Return at most `limit` traces, older than one and without the next `skip`, newest first."""
        ...

    def count(self, wanted: TraceFilter, standings: Standings = NO_STANDINGS) -> TraceCounts:
        """Count the traces that match a filter."""
        ...

    def place(self, wanted: TraceFilter, trace_id: TraceId, standings: Standings = NO_STANDINGS) -> int | None:
        """Return how many traces that a filter takes are newer than one of them; None if it is none of them."""
        ...

    def summary(self, trace_id: TraceId) -> TraceSummary | None:
        """Return one row, or None."""
        ...

    def of_graph(self, graph_id: GraphId) -> TraceId | None:
        """Return the trace of a plan, or None."""
        ...

    def of_task(self, task_id: TaskId) -> TraceId | None:
        """Return the trace of the attempts at a `received` step, or None."""
        ...

    def of_message(self, chat_id: ChatId, message_id: MessageId) -> TraceId | None:
        """Return the trace of the plan that sent a message, or None."""
        ...

    def body(self, trace_id: TraceId) -> TraceBody:
        """Return the rest of a trace; raises NotFoundError."""
        ...

    def source(self, trace_id: TraceId, place: int) -> bytes | None:
        """Return the packed source of a page, by its place among the pages of the trace; None if there is none."""
        ...

    def plan_costs(self, since: datetime, until: datetime) -> PlanCosts:
        """Return what plans cost that ended in a time, other versions included; it reads all rows."""
        ...

    def sizes(self) -> TraceSizes:
        """Return how much is stored, without the operator's limits; it reads all rows."""
        ...

    def has_words_to_index(self) -> bool:
        """Return whether the words of a trace are not in the index yet."""
        ...

    def index_words(self, limit: int) -> None:
        """Put the words of at most so many traces into the index."""
        ...

    def oldest(self, before: datetime | None, *, limit: int) -> tuple[TraceId, ...]:
        """Return the oldest traces that are over and not kept, ended before then; None for any."""
        ...

    def remove(self, trace_ids: Sequence[TraceId]) -> None:
        """Delete traces, their words included; the calls stay booked."""
        ...
