"""What the Traces pane asks of the engine; the facade of the engine has this shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.traces.summaries import NO_STANDINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.ids import ChatId, MessageId
    from chimein_gui.domain.traces.steps import Trace
    from chimein_gui.domain.traces.summaries import (
        ExportOptions,
        Standings,
        TraceCounts,
        TraceFilter,
        TraceId,
        TraceSizes,
        TraceSummary,
    )


class TraceQueries(Protocol):
    """The traces of plans. Every method may raise StoreError."""

    async def page(
        self,
        wanted: TraceFilter,
        before: TraceId | None,
        *,
        skip: int = 0,
        limit: int,
        standings: Standings = NO_STANDINGS,
    ) -> tuple[TraceSummary, ...]:
        """Return at most `limit` traces, older than one and without the next `skip`; None begins with the newest."""
        ...

    async def count(self, wanted: TraceFilter, standings: Standings = NO_STANDINGS) -> TraceCounts:
        """Count the traces that match a filter."""
        ...

    async def place(self, wanted: TraceFilter, trace_id: TraceId, standings: Standings = NO_STANDINGS) -> int | None:
        """Return how many traces that a filter takes are newer than one of them; None if it is none of them."""
        ...

    async def summary(self, trace_id: TraceId) -> TraceSummary | None:
        """Return one row as it is now; None if there is no such trace any more."""
        ...

    async def of_graph(self, graph_id: int) -> TraceId | None:
        """Return the trace of a plan or a variant; None if there is none."""
        ...

    async def of_task(self, task_id: int) -> TraceId | None:
        """Return the trace of the attempts at a `received` step; None if there is none."""
        ...

    async def of_message(self, chat_id: ChatId, message_id: MessageId) -> TraceId | None:
        """Return the trace of the plan that sent a message; None if there is none."""
        ...

    async def trace(self, trace_id: TraceId) -> Trace:
        """Return a whole trace; raises NotFoundError."""
        ...

    async def keep(self, trace_id: TraceId, *, is_kept: bool) -> None:
        """Keep a trace from being deleted by retention, or no longer; raises NotFoundError."""
        ...

    async def export(self, trace_ids: Sequence[TraceId], options: ExportOptions) -> bytes:
        """Return the contents of a file with these traces; those that are gone are left out."""
        ...

    async def curl(self, trace_id: TraceId, step_id: int) -> str:
        """Return the command that makes the model call of a step once more, without the key.

        Raises:
            NotFoundError: There is no such call, or its prompt is not stored any more.
        """
        ...

    async def page_source(self, trace_id: TraceId, step_id: int) -> str:
        """Return the source of a page; raises NotFoundError if it is not kept."""
        ...

    async def size(self) -> TraceSizes:
        """Return how much is kept."""
        ...


class TracesApi(Protocol):
    """The part of the engine that the Traces pane uses."""

    @property
    def traces(self) -> TraceQueries: ...
