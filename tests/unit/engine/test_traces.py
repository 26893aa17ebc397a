"""Traces of plans: what is stored when a plan ends, and what follows it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from chimein_gui.domain.approvals import Approval, ApproveEdited, Reject
from chimein_gui.domain.costs import ModelCall
from chimein_gui.domain.errors import ModelRefusedError, ModelTransientError
from chimein_gui.domain.events import TraceChanged
from chimein_gui.domain.traces.entries import AttemptEnded, Debounced, Replied
from chimein_gui.domain.traces.records import TraceBody
from chimein_gui.domain.traces.summaries import EVERYTHING, TraceFilter, TraceKind, TraceState, TraceSummary
from tests.support.planning_room import PlanningRoom, planning_room
from tests.support.variant_jobs import begin


async def rows(room: PlanningRoom, wanted: TraceFilter = EVERYTHING) -> tuple[TraceSummary, ...]:
    """Return the rows of traces, newest first."""
    return await room.room.do(lambda tx: tx.traces.page(wanted, None, limit=100))


async def only(room: PlanningRoom) -> TraceSummary:
    """Return the row of the one trace."""
    [row] = await rows(room)
    return row


async def body(room: PlanningRoom, row: TraceSummary) -> TraceBody:
    """Return the rest of a trace."""
    return await room.room.do(lambda tx: tx.traces.body(row.trace_id))


async def test_a_plan_is_traced_with_its_card_and_the_trace_goes_with_it(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        room.model.script.append("# «think»\nhe is annoyed\n# «send»\nat six")
        [draft] = await _planned(room, "when does   it leave?")
        row = await only(room)
        assert (row.kind, row.state, row.graph_id) == (TraceKind.PLAN, TraceState.WAITING, draft.graph_id)
        assert (row.first_words, row.model_calls, row.attempts) == ("when does it leave?", 1, 1)
        assert (row.agent_name, row.chat_title) == (draft.agent_name, draft.chat_title)
        stored = await body(room, row)
        assert isinstance(stored.entries[0], Debounced)
        assert stored.entries[0].took_s == 1.5
        [reply] = [one for one in stored.entries if isinstance(one, Replied)]
        assert reply.text == "# «think»\n(think, 13 characters)\n# «send»\nat six"
        await room.room.press(draft)
        assert (await only(room)).state is TraceState.APPROVED
        await room.deliver(await room.room.now(draft))
        assert (await only(room)).state is TraceState.SENT
        told = [one.state for one in room.room.events if isinstance(one, TraceChanged)]
        assert told[:2] == [TraceState.WAITING, TraceState.APPROVED]


async def test_an_edit_a_rejection_and_a_newer_plan_are_told_apart(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        [first] = await _planned(room)
        await room.room.press(first, ApproveEdited("at seven"))
        edited = await only(room)
        assert (edited.state, edited.is_edited, edited.is_rejected) == (TraceState.APPROVED, True, False)
        await _planned(room)
        newer, older = await rows(room)
        assert (older.state, newer.state) == (TraceState.REPLACED, TraceState.WAITING)
        [second] = await room.drafts()
        await room.room.press(second, Reject("no"))
        assert [(one.state, one.is_rejected) for one in await rows(room)] == [
            (TraceState.REJECTED, True),
            (TraceState.REPLACED, False),
        ]
        assert [one.trace_id for one in await rows(room, TraceFilter(edited=True))] == [older.trace_id]
        assert [one.trace_id for one in await rows(room, TraceFilter(rejected=True))] == [newer.trace_id]


async def test_attempts_are_one_trace_and_what_they_cost_is_kept(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        room.model.script += [ModelTransientError("overloaded"), "# «send»\nat six"]
        await room.plan()
        failed = await only(room)
        assert (failed.state, failed.graph_id) == (TraceState.RETRYING, None)
        assert failed.problem is not None
        await room.later(10)
        row = await only(room)
        assert (row.trace_id, row.state, row.attempts, row.model_calls) == (
            failed.trace_id,
            TraceState.WAITING,
            2,
            2,
        )
        assert row.problem is None
        stored = await body(room, row)
        assert [one.attempt for one in stored.entries if isinstance(one, AttemptEnded)] == [1]
        calls = [one for one in stored.entries if isinstance(one, ModelCall)]
        assert sorted(await room.booked(), key=calls.index) == calls


async def test_a_newer_message_ends_an_attempt_whose_price_is_kept(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        gate = room.close_gate()
        await room.due()
        job = await room.asking()
        await room.trigger("and back?")
        await job
        interrupted = await only(room)
        assert (interrupted.state, interrupted.model_calls) == (TraceState.BEGUN_ANEW, 1)
        assert interrupted.usd is not None
        gate.set()
        await room.later(2)
        row = await only(room)
        assert (row.trace_id, row.state, row.model_calls) == (interrupted.trace_id, TraceState.WAITING, 2)
        assert row.usd is not None
        assert row.usd > interrupted.usd


async def test_a_refusal_and_an_answer_without_words_are_told_apart(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        room.model.script += [ModelRefusedError("blocked"), "# «think»\nnothing to say"]
        await room.plan()
        await room.plan()
        assert [one.state for one in await rows(room)] == [TraceState.NO_ANSWER, TraceState.REFUSED]
        [refused] = await rows(room, TraceFilter(states=frozenset({TraceState.REFUSED})))
        assert refused.problem is not None


async def test_another_version_has_a_trace_of_its_own(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        await _planned(room)
        job = begin(room, (await room.graph()).graph_id, "shorter")
        await job.task
        variant = job.result
        assert variant is not None
        row, base = await rows(room)
        assert (row.kind, row.state, row.graph_id) == (TraceKind.VARIANT, TraceState.PARKED, variant.graph_id)
        assert (await body(room, row)).instruction == "shorter"
        assert variant.graph_id is not None
        await room.variants.choose(variant.graph_id)
        assert [one.state for one in await rows(room)] == [TraceState.WAITING, TraceState.REPLACED]
        assert base.state is TraceState.WAITING


async def test_an_orderly_end_leaves_the_trace_of_what_was_paid(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        room.close_gate()
        await room.due()
        job = await room.asking()
        job.cancel()
        await asyncio.wait([job])
        row = await only(room)
        assert (row.state, row.model_calls) == (TraceState.BEGUN_ANEW, 1)


async def _planned(room: PlanningRoom, text: str = "hello") -> list[Approval]:
    await room.plan(text)
    return await room.drafts()
