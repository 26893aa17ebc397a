"""A trace says for what which models were called, so that a row of the costs leads to it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chimein_gui.adapters.store.migrations.m0036_calls_of_traces import THIRTY_SIXTH
from chimein_gui.adapters.store.rows.values import to_micros
from chimein_gui.adapters.store.schema import MIGRATIONS, migrate
from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.ids import AgentId
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.spending.sums import PlanCosts
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.domain.traces.records import TraceRecord
from chimein_gui.domain.traces.summaries import TraceFilter, TraceKind, TraceState
from tests.unit.adapters.store.builders import NOW, chat_in, later

if TYPE_CHECKING:
    from pathlib import Path

    from chimein_gui.domain.ids import TaskId
    from chimein_gui.domain.traces.summaries import TraceId
    from chimein_gui.engine.ports import Transaction

BEFORE = MIGRATIONS[: MIGRATIONS.index(THIRTY_SIXTH)]
CALL = ModelCall("gemini", "plan", NOW, 1.0, CallEnd.ANSWERED, Usage(1, 1))


def called(tx: Transaction, *calls: tuple[str, str], task_id: TaskId | None = None) -> TraceId:
    made = tuple(replace(CALL, purpose=purpose, model=model) for purpose, model in calls)
    chat_id = chat_in(tx).chat_id
    state = TraceState.RETRYING if task_id is not None else TraceState.SENT
    return tx.traces.record(
        TraceRecord(TraceKind.PLAN, chat_id, AgentId(1), state, NOW, later(2), made, task_id=task_id)
    )


def found(tx: Transaction, purpose: str = "", model: str = "") -> list[TraceId]:
    wanted = TraceFilter(purpose=purpose, model=model)
    rows = [row.trace_id for row in reversed(tx.traces.page(wanted, None, limit=9))]
    assert tx.traces.count(wanted).all == len(rows)
    return rows


def test_traces_are_found_by_what_their_calls_were_for_and_by_model(tx: Transaction) -> None:
    plain = called(tx, ("plan", "gemini"), ("embed", "gemini-e"))
    tools = called(tx, ("plan", "gemini"), ("tool round", "gemini"), ("tool round", "gemini"))
    other = called(tx, ("repair", "gemini-pro"), ("plan", "odd\n\tname"))
    called(tx)
    assert found(tx, model="gemini") == [plain, tools]
    assert found(tx, model="gemini-pro") == [other]
    assert found(tx, model="emini") == found(tx, model="gemin") == found(tx, purpose="round") == []
    assert found(tx, model="odd\n\tname") == found(tx, model="odd name") == [other]
    assert found(tx, purpose="tool round") == [tools]
    assert found(tx, purpose="plan") == [plain, tools, other]
    assert found(tx, "plan", "gemini") == [plain, tools]
    assert found(tx, "embed", "gemini") == []


def test_what_single_plans_cost(tx: Transaction) -> None:
    assert tx.traces.plan_costs(NOW, later(9)) == PlanCosts()
    chat_id = chat_in(tx).chat_id
    plan = TraceRecord(TraceKind.PLAN, chat_id, AgentId(1), TraceState.NO_ANSWER, NOW, later(2), ())
    tx.traces.record(plan)
    for cents in range(40, 0, -1):
        tx.traces.record(replace(plan, state=TraceState.SENT, entries=(replace(CALL, cost_usd=cents / 100),)))
    tx.traces.record(replace(plan, state=TraceState.CAPPED))  # it waits, and is made later
    tx.traces.record(replace(plan, kind=TraceKind.DRY_RUN, entries=(replace(CALL, cost_usd=9.0),)))
    tx.traces.record(replace(plan, ended_at=later(99), entries=(replace(CALL, cost_usd=9.0),)))
    costs = tx.traces.plan_costs(NOW, later(9))
    assert costs.median_usd == pytest.approx(0.205), "between 20 and 21 cents"
    assert costs == PlanCosts(41, 1, costs.median_usd, 0.38)


def test_a_later_attempt_adds_its_calls(tx: Transaction) -> None:
    task_id = tx.tasks.add(chat_in(tx).chat_id, TaskKind.RECEIVED, TaskStatus.DONE)
    first = called(tx, ("plan", "gemini"), task_id=task_id)
    assert called(tx, ("repair", "gemini"), task_id=task_id) == first
    assert found(tx, purpose="plan") == found(tx, purpose="repair") == [first]


def test_traces_of_earlier_versions_are_found_by_the_booked_calls_of_their_time(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        migrate(connection, BEFORE)
        connection.execute("PRAGMA foreign_keys = OFF")
        for trace_id, second in ((1, 0), (2, 100)):
            facts: dict[str, object] = {
                "trace_id": trace_id,
                "began_at": to_micros(later(second)),
                "ended_at": to_micros(later(second + 9)),
            }
            columns = connection.execute("PRAGMA table_info(traces)")
            facts = {row[1]: 7 if row[2] in ("INTEGER", "REAL") else "" for row in columns if row[3]} | facts
            names, marks = ", ".join(facts), ", ".join("?" * len(facts))
            connection.execute(f"INSERT INTO traces ({names}) VALUES ({marks})", tuple(facts.values()))
        for chat_id, second, purpose in (
            (7, 1, "plan"),
            (7, 2, "repair"),
            (7, 3, "plan"),
            (8, 4, "embed"),
            (7, 50, "x"),
        ):
            connection.execute(
                "INSERT INTO model_calls (chat_id, model, purpose, began_at, latency_s, ending, prompt_tokens,"
                " reply_tokens, thinking_tokens, estimated) VALUES (?, 'gemini', ?, ?, 1.0, 'answered', 1, 1, 0, 0)",
                (chat_id, purpose, to_micros(later(second))),
            )
        connection.commit()
        migrate(connection)
        rows = connection.execute("SELECT called FROM traces ORDER BY trace_id").fetchall()
    assert rows == [("\nplan\tgemini\nrepair\tgemini\n",), ("",)]
