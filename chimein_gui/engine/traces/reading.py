"""Reads traces for the operator, keeps and exports them.

Functions that take a transaction run on the reader thread unless they say otherwise.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui import __version__
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.events import TraceChanged
from chimein_gui.domain.ids import GraphId, TaskId
from chimein_gui.domain.plans.step_edits import added_by_hand
from chimein_gui.domain.replies.replies import Block, BlockKind, parse_reply
from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.domain.retrieval.sources import unpacked
from chimein_gui.domain.tasks import TaskKind
from chimein_gui.domain.traces.axis import on_axis, time_of
from chimein_gui.domain.traces.entries import AttemptEnded, Debounced, Replied
from chimein_gui.domain.traces.steps import ApprovalStep, CallStep, SendStep, StepKind, Trace, TraceBlock
from chimein_gui.domain.traces.summaries import NO_STANDINGS, TraceState
from chimein_gui.engine.ports import MemoryState
from chimein_gui.engine.traces.assembly import later_steps, numbered, recorded_steps
from chimein_gui.engine.traces.exports import curl_of, file_of
from chimein_gui.engine.traces.next_tries import end_of_wait, with_waits
from chimein_gui.engine.traces.prompt_archive import unpack

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence
    from datetime import datetime

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId, MessageId
    from chimein_gui.domain.traces.records import TraceBody
    from chimein_gui.domain.traces.steps import TraceStep
    from chimein_gui.domain.traces.summaries import (
        ExportOptions,
        Standings,
        TraceCounts,
        TraceFilter,
        TraceId,
        TraceSizes,
        TraceSummary,
    )
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import TaskRow, Transaction

AT_ONCE = 100
"""Traces whose words are indexed in one transaction."""

_STEPS_OF = {
    BlockKind.SEND: {TaskKind.SEND, TaskKind.FILE},
    BlockKind.STICKER: {TaskKind.STICKER, TaskKind.SEND},  # one that is not known is sent as text
    BlockKind.WAIT: {TaskKind.WAIT},
    BlockKind.BLOCK: {TaskKind.BLOCK},
    BlockKind.UNBLOCK: {TaskKind.UNBLOCK},
    BlockKind.CLEAR_CONVERSATION: {TaskKind.CLEAR_CONVERSATION},
    BlockKind.SHUTDOWN: {TaskKind.SHUTDOWN},
}


class Traces:
    """The traces of plans."""

    def __init__(
        self, unit: UnitOfWork, environment: TransactionEnvironment, flush: Callable[[], Awaitable[None]]
    ) -> None:
        """`flush` stores the prompts that wait to be stored."""
        self._unit, self._environment, self._flush = unit, environment, flush

    async def page(
        self,
        wanted: TraceFilter,
        before: TraceId | None,
        *,
        skip: int = 0,
        limit: int,
        standings: Standings = NO_STANDINGS,
    ) -> tuple[TraceSummary, ...]:
        """Return at most `limit` traces, older than one and without the next `skip`; None begins with the newest.

        `standings` count where the filter asks for a group.

        Raises:
            StoreError: The database can't be read.
        """
        await self._index(wanted)
        return await self._unit.read(
            lambda tx: tx.traces.page(wanted, before, skip=skip, limit=limit, standings=standings)
        )

    async def count(self, wanted: TraceFilter, standings: Standings = NO_STANDINGS) -> TraceCounts:
        """Count the traces that match a filter; raises as `page`."""
        await self._index(wanted)
        return await self._unit.read(lambda tx: tx.traces.count(wanted, standings))

    async def place(self, wanted: TraceFilter, trace_id: TraceId, standings: Standings = NO_STANDINGS) -> int | None:
        """Return how many traces that a filter takes are newer than one of them, or None; raises as `page`."""
        await self._index(wanted)
        return await self._unit.read(lambda tx: tx.traces.place(wanted, trace_id, standings))

    async def summary(self, trace_id: TraceId) -> TraceSummary | None:
        """Return one row as it is now, or None; raises as `page`."""
        return await self._unit.read(lambda tx: tx.traces.summary(trace_id))

    async def of_graph(self, graph_id: int) -> TraceId | None:
        """Return the trace of a plan or of another version of one, or None; raises as `page`."""
        return await self._unit.read(lambda tx: tx.traces.of_graph(GraphId(graph_id)))

    async def of_task(self, task_id: int) -> TraceId | None:
        """Return the trace of the attempts at a `received` step, or None; raises as `page`."""
        return await self._unit.read(lambda tx: tx.traces.of_task(TaskId(task_id)))

    async def of_message(self, chat_id: ChatId, message_id: MessageId) -> TraceId | None:
        """Return the trace of the plan that sent a message, or None; raises as `page`."""
        return await self._unit.read(lambda tx: tx.traces.of_message(chat_id, message_id))

    async def trace(self, trace_id: TraceId) -> Trace:
        """Return a whole trace.

        Raises:
            NotFoundError: There is no such trace any more.
            StoreError: The database can't be read or written.
        """
        await self._flush()
        return await self._unit.read(lambda tx: whole_trace(tx, trace_id, self._environment))

    async def keep(self, trace_id: TraceId, *, is_kept: bool) -> None:
        """Keep a trace from being deleted after some time, or no longer.

        Raises:
            NotFoundError: There is no such trace any more.
            StoreError: Nothing is stored.
        """

        def work(tx: Transaction) -> list[EngineEvent]:
            tx.traces.keep(trace_id, is_kept=is_kept)
            row = tx.traces.summary(trace_id)
            assert row is not None  # it was there a statement ago
            return [TraceChanged(trace_id, row.chat_id, row.state, tx.revision)]

        await self._unit.apply(work, wakes=False)

    async def export(self, trace_ids: Sequence[TraceId], options: ExportOptions) -> bytes:
        """Return the contents of a file with these traces; those that are gone are left out. Raises as `page`."""
        found = []
        for trace_id in trace_ids:
            with suppress(NotFoundError):
                found.append(await self.trace(trace_id))
        return await asyncio.to_thread(file_of, found, options, __version__)

    async def curl(self, trace_id: TraceId, step_id: int) -> str:
        """Return the command that makes the model call of a step once more, without the key.

        Raises:
            NotFoundError: There is no such call, or its prompt is not stored any more.
            StoreError: The database can't be read.
        """
        await self._flush()
        trace = await self.trace(trace_id)
        detail = next((step.detail for step in trace.steps if step.step_id == step_id), None)
        call_id = detail.call_id if isinstance(detail, CallStep) else None
        if call_id is None:
            raise NotFoundError(f"no prompt of step {step_id}")
        stored = await self._unit.read(lambda tx: tx.prompts.get(call_id))
        if stored is None:
            raise NotFoundError(f"no prompt of call {call_id}")
        prompt = stored[1]
        return await asyncio.to_thread(lambda: curl_of(prompt.sent.call.model, unpack(prompt.body)))

    async def page_source(self, trace_id: TraceId, step_id: int) -> str:
        """Return the source of a page, as far as it is kept.

        Raises:
            NotFoundError: There is no such page, or its source is not kept.
            StoreError: The database can't be read.
        """
        trace = await self.trace(trace_id)
        pages = [step.step_id for step in trace.steps if isinstance(step.detail, PageFetched)]
        place = pages.index(step_id) if step_id in pages else -1
        kept = await self._unit.read(lambda tx: tx.traces.source(trace_id, place))
        if kept is None:
            raise NotFoundError(f"no source of step {step_id}")
        return await asyncio.to_thread(unpacked, kept)

    async def size(self) -> TraceSizes:
        """Return how much is kept; raises as `page`."""
        preferences = self._environment.preferences
        found = await self._unit.read(lambda tx: tx.traces.sizes())
        return replace(found, limit_bytes=preferences.keep_mb * 1_000_000, days=preferences.keep_days)

    async def _index(self, wanted: TraceFilter) -> None:
        """Index the words of traces that are not indexed yet, before words are searched for."""
        if not wanted.words.strip():
            return
        while await self._unit.read(lambda tx: tx.traces.has_words_to_index()):
            await self._unit.write(lambda tx: tx.traces.index_words(AT_ONCE))


def whole_trace(tx: Transaction, trace_id: TraceId, environment: TransactionEnvironment) -> Trace:
    """Return a whole trace; raises NotFoundError."""
    row = tx.traces.summary(trace_id)
    if row is None:
        raise NotFoundError(f"no trace {trace_id}")
    body = tx.traces.body(trace_id)
    sent = tx.prompts.of_attempts(trace_id) + (() if row.graph_id is None else tx.prompts.of_graph(row.graph_id))
    recorded = recorded_steps(body.entries, {one.call.began_at: one.call_id for one in sent}, row.began_at)
    recorded = with_waits(recorded, end_of_wait(tx, row, environment.now()))
    steps, cuts, axis_s = on_axis(numbered(recorded, later_steps(tx, row, environment)))
    reply = _reply_of(body)
    graph = None if row.graph_id is None else tx.graphs.get(row.graph_id)
    return Trace(
        row,
        steps,
        cuts,
        axis_s,
        reply,
        _blocks(tx, row, reply),
        () if graph is None else graph.problems,
        body.trigger_ids,
        body.instruction,
        _until_sent(steps, body, row.began_at),
        time_of(step for step in steps if step.kind is StepKind.APPROVAL and _is_by_hand(step)),
        _successor(tx, row),
    )


def _successor(tx: Transaction, row: TraceSummary) -> TraceId | None:
    """Return the trace of the plan that replaced this one: the next of the chat, or the version that was chosen."""
    if row.graph_id is None or row.state is not TraceState.REPLACED:
        return None
    later = tx.graphs.after(row.chat_id, row.graph_id)
    return None if later is None else tx.traces.of_graph(later.graph_id)


def _reply_of(body: TraceBody) -> str:
    """Return the reply that counted: the last one of the last attempt that says something."""
    reply = ""
    for one in body.entries:
        if isinstance(one, AttemptEnded):
            reply = ""
        elif isinstance(one, Replied) and one.text:
            reply = one.text
    return reply


def _blocks(tx: Transaction, row: TraceSummary, reply: str) -> tuple[TraceBlock, ...]:
    """Return the blocks of the reply with the steps that came of them, which stand in the same order."""
    blocks = parse_reply(reply).blocks
    steps: list[TaskRow] = []
    if row.graph_id is not None:
        by_hand = added_by_hand(tx.plan_edits.of_graph(row.graph_id))
        made = (one for one in tx.tasks.of_graph(row.graph_id) if one.task_id not in by_hand)
        steps = sorted((one for one in made if one.kind is not TaskKind.RECEIVED), key=lambda one: one.task_id)
    cards = {} if row.graph_id is None else {one.task_id: one for one in tx.approvals.of_graph(row.graph_id)}
    found, memories = [], 0
    for block in blocks:
        if block.kind is BlockKind.REMEMBER:
            found.append(replace(_block(block), remembered=_is_remembered(tx, row, memories)))
            memories += 1
            continue
        step = steps[0] if steps and steps[0].kind in _STEPS_OF.get(block.kind, ()) else None
        if step is None:
            found.append(_block(block))
            continue
        del steps[0]
        card = cards.get(step.task_id)
        made_of = replace(_block(block), task_id=step.task_id, status=step.status, reason=step.reason, approval=card)
        found.append(made_of)
    return tuple(found)


def _block(block: Block) -> TraceBlock:
    return TraceBlock(block.kind, block.reply_to, block.body, block.line, tuple(block.params.items()))


def _is_remembered(tx: Transaction, row: TraceSummary, index: int) -> bool | None:
    effect = None if row.graph_id is None else tx.effects.memory(row.graph_id, index)
    if effect is None or effect.state is MemoryState.UNDONE:
        return None
    return effect.state in {MemoryState.WRITTEN, MemoryState.KNOWN}


def _until_sent(steps: Iterable[TraceStep], body: TraceBody, began_at: datetime) -> float | None:
    sends = [one for one in steps if isinstance(one.detail, SendStep) and one.detail.approval.message_id is not None]
    if not sends:
        return None
    first = next((one.began_at for one in body.entries if isinstance(one, Debounced)), began_at)
    ends = (one.began_at + timedelta(seconds=one.took_s) for one in sends)
    return max(0.0, (max(ends) - first).total_seconds())


def _is_by_hand(step: TraceStep) -> bool:
    detail = step.detail
    return isinstance(detail, ApprovalStep) and not detail.approval.by_rule
