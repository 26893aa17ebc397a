"""Traces for tests of the window: in memory, with the filter of the store."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.errors import NotFoundError, StoreError
from chimein_gui.domain.events import TraceChanged, TracesRemoved
from chimein_gui.domain.ids import AccountId, AgentId, ChatId, GraphId, Revision
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.traces.entries import ContextChosen, Debounced, Parsed
from chimein_gui.domain.traces.steps import CallStep, StepKind, Trace, TraceStep
from chimein_gui.domain.traces.summaries import (
    NO_STANDINGS,
    Standings,
    TraceCounts,
    TraceFilter,
    TraceGroup,
    TraceId,
    TraceKind,
    TraceSizes,
    TraceState,
    TraceSummary,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.ids import MessageId
    from chimein_gui.domain.traces.summaries import ExportOptions
    from tests.fakes.engine_api import FakeEngineApi


def traced(number: int, **changes: Any) -> TraceSummary:
    """Return the row of a plan that is `number` minutes old and was sent."""
    ended_at = datetime(2026, 11, 20, 14, 30, tzinfo=UTC) - timedelta(minutes=number)
    one = TraceSummary(
        TraceId(100_000 - number),
        TraceKind.PLAN,
        ChatId(1),
        AccountId(1),
        AgentId(1),
        "Nora Vale",
        "Marta Oliveira",
        is_group=False,
        began_at=ended_at - timedelta(seconds=4),
        ended_at=ended_at,
        state=TraceState.SENT,
        first_words=f"is the 10:{number % 60:02} still running",
        usd=0.0018,
        tokens_in=5_038,
        tokens_out=121,
        model_calls=1,
        work_s=2.4,
        graph_id=GraphId(number + 1),
    )
    return replace(one, **changes)


def steps_of(row: TraceSummary) -> tuple[TraceStep, ...]:
    """Return a debounce, a context, a call and the reading of its reply."""
    began_at = row.began_at
    after = [began_at + timedelta(seconds=second) for second in (0.0, 1.5, 1.505, 3.905)]
    usage = Usage(row.tokens_in, row.tokens_out)
    call = ModelCall("gemini-2.5-flash", "plan", after[2], 2.4, CallEnd.ANSWERED, usage, cost_usd=row.usd)
    return (
        TraceStep(1, StepKind.DEBOUNCE, after[0], 1.5, Debounced(after[0], 1.5, 1), shown_s=1.5),
        TraceStep(
            2,
            StepKind.CONTEXT,
            after[1],
            0.005,
            ContextChosen(after[1], 0.005, 11, 64, is_chosen=True),
            offset_s=1.5,
            shown_s=0.005,
        ),
        TraceStep(
            3,
            StepKind.MODEL_CALL,
            after[2],
            2.4,
            CallStep(call, 1, "# «send»\nYes, until 16:00.", "STOP"),
            name=call.model,
            offset_s=1.505,
            shown_s=2.4,
            tokens_in=row.tokens_in,
            tokens_out=row.tokens_out,
            usd=row.usd,
        ),
        TraceStep(
            4, StepKind.PARSE, after[3], 0.002, Parsed(after[3], 0.002, ("send",)), offset_s=3.905, shown_s=0.002
        ),
    )


class FakeTraces:
    """Keeps traces in a dict.

    Attributes:
        rows: The traces by their ids; a test that changes them calls `touch`.
        whole: Whole traces, where a test wants other ones than `steps_of` makes.
        called: Purposes and models of the calls of a trace, where it is not the one of `steps_of`.
        words: What the full text of a trace holds beside its first words.
        sent: The traces of messages that were sent.
        sources: The sources of pages, by trace and step.
        exports: What was given out: ids and options.
        fail: Raised by every method, if set.
        sizes: What `size` returns, but for the numbers that it counts.
    """

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self.rows: dict[TraceId, TraceSummary] = {}
        self.whole: dict[TraceId, Trace] = {}
        self.called: dict[TraceId, tuple[tuple[str, str], ...]] = {}
        self.words: dict[TraceId, str] = {}
        self.sent: dict[tuple[ChatId, MessageId], TraceId] = {}
        self.asked: dict[int, TraceId] = {}
        self.sources: dict[tuple[TraceId, int], str] = {}
        self.exports: list[tuple[tuple[TraceId, ...], ExportOptions]] = []
        self.fail: StoreError | None = None
        self.sizes = TraceSizes(limit_bytes=2_000_000_000, days=30)

    def put(self, *rows: TraceSummary) -> None:
        """Store rows and publish them."""
        for row in rows:
            self.rows[row.trace_id] = row
            self.touch(row.trace_id)

    def touch(self, trace_id: TraceId) -> None:
        """Publish a row."""
        row = self.rows[trace_id]
        self._api.publish(TraceChanged(trace_id, row.chat_id, row.state, self._later()))

    def remove(self, *trace_ids: TraceId) -> None:
        """Delete rows, as retention does."""
        for trace_id in trace_ids:
            del self.rows[trace_id]
        self._api.publish(TracesRemoved(self._later()))

    async def page(
        self,
        wanted: TraceFilter,
        before: TraceId | None,
        *,
        skip: int = 0,
        limit: int,
        standings: Standings = NO_STANDINGS,
    ) -> tuple[TraceSummary, ...]:
        """Return rows older than one, without the next `skip`, newest first."""
        found = sorted(self._matching(wanted, standings), key=lambda row: row.trace_id, reverse=True)
        return tuple(row for row in found if before is None or row.trace_id < before)[skip : skip + limit]

    async def count(self, wanted: TraceFilter, standings: Standings = NO_STANDINGS) -> TraceCounts:
        """Count what matches."""
        found = self._matching(wanted, standings)
        groups = [standings.groups_of(row) for row in found]
        return TraceCounts(
            len(found),
            sum(TraceGroup.NEEDS_YOU in one for one in groups),
            sum(TraceGroup.PROBLEMS in one for one in groups),
            sum(row.kind is TraceKind.DRY_RUN for row in found),
        )

    async def place(self, wanted: TraceFilter, trace_id: TraceId, standings: Standings = NO_STANDINGS) -> int | None:
        """Return how many matching rows are newer than one of them."""
        found = [row.trace_id for row in self._matching(wanted, standings)]
        return sum(one > trace_id for one in found) if trace_id in found else None

    async def summary(self, trace_id: TraceId) -> TraceSummary | None:
        """Return one row."""
        self._look()
        return self.rows.get(trace_id)

    async def of_graph(self, graph_id: int) -> TraceId | None:
        """Return the trace of a plan."""
        self._look()
        return next((row.trace_id for row in self.rows.values() if row.graph_id == graph_id), None)

    async def of_task(self, task_id: int) -> TraceId | None:
        """Return what `asked` says of a step."""
        self._look()
        return self.asked.get(task_id)

    async def of_message(self, chat_id: ChatId, message_id: MessageId) -> TraceId | None:
        """Return what `sent` says of a message."""
        self._look()
        return self.sent.get((chat_id, message_id))

    async def trace(self, trace_id: TraceId) -> Trace:
        """Return a whole trace."""
        self._look()
        if trace_id not in self.rows:
            raise NotFoundError(f"no trace {trace_id}")
        row = self.rows[trace_id]
        steps = steps_of(row)
        last = steps[-1]
        made = Trace(row, steps, axis_s=last.offset_s + last.shown_s, reply="# «send»\nYes, until 16:00.")
        return replace(self.whole.get(trace_id, made), summary=row)

    async def keep(self, trace_id: TraceId, *, is_kept: bool) -> None:
        """Keep a trace."""
        self._look()
        if trace_id not in self.rows:
            raise NotFoundError(f"no trace {trace_id}")
        self.put(replace(self.rows[trace_id], is_kept=is_kept))

    async def export(self, trace_ids: Sequence[TraceId], options: ExportOptions) -> bytes:
        """Note what was asked for."""
        self._look()
        self.exports.append((tuple(trace_ids), options))
        return f"{options.form} {[int(one) for one in trace_ids]}".encode()

    async def curl(self, trace_id: TraceId, step_id: int) -> str:
        """Return a command."""
        self._look()
        return f"curl --data @- # {trace_id} {step_id}"

    async def page_source(self, trace_id: TraceId, step_id: int) -> str:
        """Return the source of a page."""
        self._look()
        if (trace_id, step_id) not in self.sources:
            raise NotFoundError(f"no source of {trace_id} {step_id}")
        return self.sources[trace_id, step_id]

    async def size(self) -> TraceSizes:
        """Return the sizes."""
        self._look()
        rows = self.rows.values()
        return replace(
            self.sizes,
            traces=len(rows),
            trace_bytes=sum(row.size for row in rows),
            kept=sum(row.is_kept for row in rows),
        )

    def _matching(self, wanted: TraceFilter, standings: Standings) -> list[TraceSummary]:
        self._look()
        found = [row for row in self.rows.values() if self._matches(row, wanted)]
        return [row for row in found if wanted.group is None or wanted.group in standings.groups_of(row)]

    def _matches(self, row: TraceSummary, wanted: TraceFilter) -> bool:
        flags = (
            (wanted.slow, row.is_slow),
            (wanted.expensive, row.is_expensive),
            (wanted.edited, row.is_edited),
            (wanted.rejected, row.is_rejected),
            (wanted.kept, row.is_kept),
        )
        said = f"{row.first_words} {row.chat_title} {row.agent_name} {self.words.get(row.trace_id, '')}".casefold()
        return (
            wanted.agent_id in (None, row.agent_id)
            and wanted.chat_id in (None, row.chat_id)
            and wanted.kind in (None, row.kind)
            and (not wanted.states or row.state in wanted.states)
            and all(there for asked, there in flags if asked)
            and (wanted.since is None or row.ended_at >= wanted.since)
            and (wanted.until is None or row.ended_at < wanted.until)
            and any(
                wanted.purpose in ("", purpose) and wanted.model in ("", model)
                for purpose, model in self.called.get(row.trace_id, (("plan", "gemini-2.5-flash"),))
            )
            and all(any(one.startswith(word) for one in said.split()) for word in wanted.words.casefold().split())
        )

    def _later(self) -> Revision:
        self._api.revision += 1
        return Revision(self._api.revision)

    def _look(self) -> None:
        if self.fail is not None:
            raise self.fail
