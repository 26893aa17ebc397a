"""The exact requests of attempts that brought no plan: stored, shown, copied as a command, and forgotten in time."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from chimein_gui.adapters.store.migrations.m0037_prompts_of_attempts import THIRTY_SEVENTH
from chimein_gui.adapters.store.schema import MIGRATIONS, migrate
from chimein_gui.domain.errors import ModelError, ModelKeyError, ModelRefusedError, ModelTransientError
from chimein_gui.domain.traces.steps import CallStep, Trace
from chimein_gui.domain.traces.summaries import EVERYTHING, TraceState
from tests.support.engine_room import Room, engine_room


async def shown(room: Room) -> Trace:
    """Return the newest trace, once its prompts are stored."""
    await room.worked_off()
    await room.engine.prompts.of_chat((await room.engine.queries.chats()).rows[0].chat_id)
    [row] = await room.engine.traces.page(EVERYTHING, None, limit=1)
    return await room.engine.traces.trace(row.trace_id)


def calls_of(trace: Trace) -> list[tuple[int, CallStep]]:
    return [(step.step_id, step.detail) for step in trace.steps if isinstance(step.detail, CallStep)]


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (ModelTransientError("HTTP 500"), TraceState.RETRYING),
        (ModelKeyError("HTTP 403"), TraceState.NO_KEY),
        (ModelRefusedError("Blocked"), TraceState.REFUSED),
    ],
)
async def test_the_request_of_a_call_that_failed_can_be_read_and_copied(
    tmp_path: Path, error: ModelError, state: TraceState
) -> None:
    async with engine_room(tmp_path) as room:
        room.model.script.append(error)
        room.telegram.partner_writes("where is my umbrella?")
        await room.chat(lambda chat: chat.planning_problem)
        trace = await shown(room)
        assert trace.summary.state is state
        [(step_id, call)] = calls_of(trace)
        assert call.call_id is not None
        view = await room.engine.prompts.sent(call.call_id)
        assert "umbrella" in str(view.text.turns)
        assert "generateContent" in await room.engine.traces.curl(trace.summary.trace_id, step_id)


async def test_each_attempt_keeps_its_own_request_and_the_plan_its_own(tmp_path: Path) -> None:
    async with engine_room(tmp_path) as room:
        room.model.script += [ModelTransientError("HTTP 500"), ModelTransientError("HTTP 503")]
        room.telegram.partner_writes("hello")
        await room.chat(lambda chat: chat.planning_problem)
        await room.pass_time(30)
        trace = await shown(room)
        assert trace.summary.state is TraceState.WAITING
        ids = [call.call_id for _, call in calls_of(trace)]
        assert len(set(ids) - {None}) == len(ids) == 3
        assert trace.summary.graph_id is not None
        of_plan = await room.engine.prompts.calls(trace.summary.graph_id)
        assert [one.call_id for one in of_plan] == ids[2:]


async def test_they_are_kept_as_long_as_those_of_plans_and_with_a_kept_trace(tmp_path: Path) -> None:
    async with engine_room(tmp_path) as room:
        room.model.script.append(ModelKeyError("HTTP 403"))
        room.telegram.partner_writes("hello")
        await room.chat(lambda chat: chat.planning_problem)
        trace = await shown(room)
        later = room.clock.now() + timedelta(days=40)
        [(_, call)] = calls_of(trace)
        assert await room.store.read(lambda tx: tx.retention.prompts_before(later, limit=9)) == (call.call_id,)
        await room.engine.traces.keep(trace.summary.trace_id, is_kept=True)
        assert await room.store.read(lambda tx: tx.retention.prompts_before(later, limit=9)) == ()


def test_prompts_that_were_stored_before_stay(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        migrate(connection, MIGRATIONS[: MIGRATIONS.index(THIRTY_SEVENTH)])
        connection.execute("INSERT INTO prompts VALUES (7, 9, '[[], []]', x'00')")
        connection.commit()
        migrate(connection)
        found = connection.execute("SELECT call_id, graph_id, task_id, outline, body FROM prompts").fetchall()
        assert found == [(7, 9, None, "[[], []]", b"\0")]
