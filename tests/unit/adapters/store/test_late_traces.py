"""What a batch's work says of traces is written with few statements, and is all there, whatever else the work does."""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from chimein_gui.adapters.store.sql import Sql
from chimein_gui.adapters.store.traces.codec import pack, unpack
from chimein_gui.adapters.store.traces.late import FOLLOW_ALL
from chimein_gui.adapters.store.transaction import SqliteTransaction
from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.errors import StoreError, StoreWriteError
from chimein_gui.domain.ids import AgentId, ChatId, GraphId, TaskId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.domain.retrieval.refusals import RefusalRule
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.domain.traces.entries import AttemptEnded, Enriched, EnrichEnd, Parsed, RepairAsked, Replied, ToolUse
from chimein_gui.domain.traces.records import TraceBody, TraceRecord
from chimein_gui.domain.traces.summaries import EVERYTHING, TraceKind, TraceState
from chimein_gui.engine.ports import Store, Transaction
from tests.support.log_guard import ExpectedLogs
from tests.unit.adapters.store.builders import (
    NOW,
    Barrier,
    chat_in,
    connection_of,
    graph_in,
    later,
    opened,
    sql_of,
    started,
    turn,
)

CALL = ModelCall("gemini", "plan", NOW, 1.5, CallEnd.ANSWERED, Usage(10, 2), cost_usd=0.25)


def plan_of(chat_id: ChatId, **changes: object) -> TraceRecord:
    """Return what is recorded of a plan that waits for the operator."""
    record = TraceRecord(TraceKind.PLAN, chat_id, AgentId(1), TraceState.WAITING, NOW, later(2), (CALL,))
    return replace(record, **changes)  # type: ignore[arg-type]


def traced(tx: Transaction) -> tuple[ChatId, GraphId]:
    """Make a plan with its trace."""
    chat_id = chat_in(tx).chat_id
    graph_id = graph_in(tx, chat_id)
    tx.traces.record(plan_of(chat_id, graph_id=graph_id))
    return chat_id, graph_id


def states(tx: Transaction) -> list[str]:
    """Return the states of all traces, oldest first."""
    return [one.state.value for one in reversed(tx.traces.page(EVERYTHING, None, limit=99))]


def follow(graph_id: GraphId, state: TraceState) -> Callable[[Transaction], object]:
    """Return work that says what became of a plan, and the changes that it tells."""

    def work(tx: Transaction) -> object:
        tx.traces.follow(graph_id, state, rejected=False)
        return tx.traces.changed()

    return work


async def together(store: Store, *works: Callable[[Transaction], object]) -> list[object]:
    """Run works in one batch; return what they return or raise."""
    async with Barrier(store):
        tasks = started(*map(store.transact, works))
        await turn()
    return await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_batch_writes_its_traces_with_one_statement_a_table(store: Store) -> None:
    seen: list[str] = []
    await store.transact(lambda tx: sql_of(tx)._connection.set_trace_callback(seen.append))
    await store.transact(traced)
    plans: list[Any] = await together(store, *[traced] * 8)
    seen.clear()
    await together(store, *[traced] * 8, *(follow(graph_id, TraceState.SENT) for _, graph_id in plans))
    about = [one.split()[:3] for one in seen if "trace" in one and not one.startswith("--")]
    assert about == [["INSERT", "INTO", "traces"], ["INSERT", "INTO", "trace_bodies"], ["UPDATE", "traces", "SET"]]
    assert await store.read(states) == ["waiting"] + ["sent"] * 8 + ["waiting"] * 8


async def test_failed_work_takes_back_what_it_said_of_traces_and_nothing_else(store: Store) -> None:
    _, first = await store.transact(traced)
    _, second = await store.transact(traced)

    def fails(tx: Transaction) -> None:
        tx.traces.follow(first, TraceState.SENT, rejected=False)
        traced(tx)
        assert states(tx) == ["sent", "sending", "waiting", "waiting"]
        raise ZeroDivisionError

    def works(tx: Transaction) -> None:
        traced(tx)
        follow(second, TraceState.SENDING)(tx)

    *_, told = await together(store, works, fails, follow(first, TraceState.APPROVED))
    assert told == [(1, 1, TraceState.APPROVED)]
    assert await store.read(states) == ["approved", "sending", "waiting"]


async def test_what_waits_is_found_by_whatever_looks_for_it(store: Store) -> None:
    chat_id, graph_id = await store.transact(traced)

    def looks(tx: Transaction) -> list[TraceState]:
        trace_id = tx.traces.of_graph(graph_id)
        assert trace_id is not None
        found = []
        for state in (TraceState.APPROVED, TraceState.SENDING, TraceState.SENT):
            tx.traces.follow(graph_id, state, rejected=False)
            row = tx.traces.summary(trace_id)
            assert row is not None
            found.append(row.state)
        return found

    def forgets(tx: Transaction) -> int:
        traced(tx)
        tx.people.forget_chat(chat_id)
        return len(states(tx))

    found, left = await together(store, looks, forgets)
    assert found == [TraceState.APPROVED, TraceState.SENDING, TraceState.SENT]
    assert left == 0
    assert await store.read(states) == []


async def test_a_change_is_told_once_and_only_if_it_is_one(store: Store) -> None:
    _, graph_id = await store.transact(traced)

    def there_and_back(tx: Transaction) -> object:
        for state in (TraceState.APPROVED, TraceState.SENDING, TraceState.SENDING):
            tx.traces.follow(graph_id, state, rejected=False)
        return tx.traces.changed()

    def remakes(tx: Transaction) -> object:
        chat_id = chat_in(tx).chat_id
        new = graph_in(tx, chat_id)
        tx.traces.follow(new, TraceState.WAITING, rejected=False)
        tx.traces.record(plan_of(chat_id, graph_id=new, state=TraceState.APPROVED))
        return tx.traces.changed()

    await store.transact(lambda tx: tx.traces.changed())
    told = await together(store, there_and_back, follow(graph_id, TraceState.SENDING), remakes)
    assert told == [[(1, 1, TraceState.SENDING)], [], [(2, 1, TraceState.APPROVED)]]


async def test_a_batch_that_cannot_be_written_leaves_nothing_waiting(store: Store) -> None:
    _, graph_id = await store.transact(traced)

    def breaks(tx: Transaction) -> None:
        sql = sql_of(tx)
        sql.failure = StoreWriteError("full")

    results = await together(store, traced, follow(graph_id, TraceState.SENT), breaks)
    assert all(isinstance(one, StoreWriteError) for one in results)
    assert await store.read(states) == ["waiting"]
    await store.transact(traced)
    assert await store.read(states) == ["waiting", "waiting"]


async def test_a_trace_that_cannot_be_written_is_logged_and_loses_no_other(
    store: Store, expected_logs: ExpectedLogs
) -> None:
    """One of which no row can be made, two that SQLite refuses, and one whose body it refuses."""
    expected_logs(r"ERROR chimein_gui.adapters.store.*Trace \d+ can't be stored")
    await store.transact(chat_in)

    def bad(**changes: object) -> Callable[[Transaction], object]:
        return lambda tx: tx.traces.record(plan_of(chat_in(tx).chat_id, **changes))

    page = PageFetched("a", "b", NOW, 1.0, 1, 200, source=b"packed")
    huge = replace(CALL, usage=Usage(2**63, 2))
    works = bad(entries=(object(),)), traced, bad(agent_id=None), bad(agent_id=None, entries=(page,)), traced
    results = await together(store, *works, traced, bad(entries=(huge,)), traced, traced)
    assert not [one for one in results if isinstance(one, BaseException)]
    assert await store.read(states) == ["waiting"] * 5
    refused = (
        "CREATE TRIGGER t BEFORE INSERT ON trace_bodies WHEN new.trace_id % 2 BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    await store.transact(lambda tx: sql_of(tx).run(refused))
    before = len(await store.read(states))
    assert not [one for one in await together(store, *[traced] * 4) if isinstance(one, BaseException)]
    assert len(await store.read(states)) == before + 2
    assert (await store.read(lambda tx: sql_of(tx).one("SELECT count(*) FROM trace_bodies"))) == (before + 2,)


async def test_attempts_of_one_step_are_one_trace_also_of_a_step_from_before(tmp_path) -> None:
    def tries(tx: Transaction, task_id: TaskId, **changes: object) -> None:
        chat_id = chat_in(tx).chat_id
        tx.traces.record(plan_of(chat_id, task_id=task_id, state=TraceState.RETRYING, **changes))

    def received(tx: Transaction) -> TaskId:
        return tx.tasks.add(chat_in(tx).chat_id, TaskKind.RECEIVED, TaskStatus.DONE)

    async with opened(tmp_path) as store:
        first = await store.transact(received)
        await together(store, *[lambda tx: tries(tx, first)] * 2)
        second = await store.transact(received)
        await together(store, *[lambda tx: tries(tx, second)] * 3)
    async with opened(tmp_path) as store:
        await store.transact(lambda tx: tries(tx, first))
        rows = await store.read(lambda tx: tx.traces.page(EVERYTHING, None, limit=9))
        assert [(one.attempts, one.model_calls) for one in rows] == [(3, 3), (3, 3)]


def test_outcomes_are_written_by_the_ids_of_their_traces(tx: Transaction) -> None:
    steps = [row[3] for row in sql_of(tx).all(f"EXPLAIN QUERY PLAN {FOLLOW_ALL}", "[]")]
    assert steps == ["SCAN json_each VIRTUAL TABLE INDEX 1:", "SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)"]


async def test_a_reader_can_write_no_trace(store: Store) -> None:
    chat_id, graph_id = await store.transact(traced)
    for work in (follow(graph_id, TraceState.SENT), lambda tx: tx.traces.record(plan_of(chat_id))):
        with pytest.raises(StoreError):
            await store.read(work)


class _Chances:
    """Does what work may do with traces, one thing at a time."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._graphs: list[GraphId] = []

    def __call__(self, tx: Transaction) -> object:
        chat_id = chat_in(tx, peer=self._chance.choice((77, 78))).chat_id
        doing = (self._plan, self._plan, self._move, self._move, self._move, self._attempt, self._attempt, self._rest)
        for _ in range(self._chance.randrange(1, 4)):
            self._chance.choice(doing)(tx, chat_id)
        if self._chance.random() < 0.2:
            raise ZeroDivisionError
        return sorted(tx.traces.changed()) if self._chance.random() < 0.8 else None

    def _state(self) -> TraceState:
        return self._chance.choice((TraceState.WAITING, TraceState.APPROVED, TraceState.SENDING, TraceState.SENT))

    def _plan(self, tx: Transaction, chat_id: ChatId) -> None:
        graph_id = graph_in(tx, chat_id)
        self._graphs.append(graph_id)
        if self._chance.random() < 0.8:
            tx.traces.record(plan_of(chat_id, graph_id=graph_id, state=self._state()))

    def _move(self, tx: Transaction, _chat_id: ChatId) -> None:
        if self._graphs:
            graph_id = self._chance.choice(self._graphs)
            tx.traces.follow(graph_id, self._state(), rejected=self._chance.random() < 0.2)

    def _attempt(self, tx: Transaction, chat_id: ChatId) -> None:
        if not self._tasks(tx) or self._chance.random() < 0.4:
            tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.DONE)
        tx.traces.record(plan_of(chat_id, task_id=self._chance.choice(self._tasks(tx)), state=TraceState.RETRYING))

    def _tasks(self, tx: Transaction) -> list[TaskId]:
        return [row[0] for row in sql_of(tx).all("SELECT task_id FROM tasks ORDER BY task_id")]

    def _rest(self, tx: Transaction, chat_id: ChatId) -> None:
        match self._chance.randrange(5):
            case 0:
                tx.traces.remove(tx.traces.oldest(None, limit=1))
            case 1 if self._graphs:
                tx.traces.mark_edited(self._chance.choice(self._graphs))
            case 2 if tasks := self._tasks(tx):
                tx.traces.end_attempts(self._chance.choice(tasks), TraceState.UNNEEDED)
            case 3:
                tx.traces.count(EVERYTHING)
            case _:
                sql_of(tx).run("DELETE FROM waits")


@pytest.mark.parametrize("seed", range(12))
async def test_batches_leave_what_one_piece_of_work_after_the_other_leaves(tmp_path, seed: int) -> None:
    """Work in batches of twelve, and the same work on rows that let nothing wait."""
    columns = "trace_id, chat_id, state, graph_id, task_id, attempts, calls, edited, rejected, size, body"
    everything = f"SELECT {columns} FROM traces JOIN trace_bodies USING (trace_id) ORDER BY graph_id, task_id"

    def rows(tx: Transaction) -> list[object]:
        # A number that failed work had is not used again in batches.
        return [row[1:] for row in sql_of(tx).all(everything)]

    found = []
    for folder, waits in ((tmp_path / "batches", True), (tmp_path / "single", False)):
        folder.mkdir()
        chances = _Chances(seed)

        def at_once(tx: Transaction, chances: _Chances = chances) -> object:
            plain = SqliteTransaction(Sql(connection_of(tx)), lambda: NOW)
            return chances(plain)

        async with opened(folder) as store:
            for _ in range(8):
                if waits:
                    await together(store, *[chances] * 12)
                else:
                    for _ in range(12):
                        with suppress(ZeroDivisionError):
                            await store.transact(at_once)
            found.append(await store.transact(rows))
    batches, single = found
    assert batches == single
    assert len(batches) > 10


BODY = TraceBody(
    (
        Enriched("memories", EnrichEnd.LATE, 0.5),
        CALL,
        Replied("# «send»\nça va ☺ 两个", "STOP", ("search", "page"), is_cut_off=True),
        ToolUse("search", 3, began_at=NOW, took_s=0.25, arguments='{"a": "\\u00e9"}'),
        PageFetched("a", "b", NOW, 1.0, 1, 301, ((301, "b"),), refusal=RefusalRule.LOOPBACK, address="::1"),
        Parsed(NOW, 0.001, ("send",), (ReplyProblem(ReplyFault.OTHER, 3, said=("x",)),)),
        RepairAsked((ReplyProblem(ReplyFault.OTHER, said=("half a",)),)),
        AttemptEnded(NOW, 2, Note(NoteKind.MODEL_FAILED, "why")),
    ),
    (7, 8),  # type: ignore[arg-type]
    "shorter",
)


def test_a_body_is_read_as_it_was_written_long_or_short() -> None:
    assert unpack(pack(BODY)) == BODY
    long = TraceBody((Replied("word " * 1_000),))
    assert len(pack(long)) < 500
    assert unpack(pack(long)) == long


def test_a_body_that_is_no_text_is_repaired_and_one_of_before_is_read() -> None:
    assert unpack(pack(TraceBody((Replied("half a \ud83d smile"),)))) == TraceBody((Replied("half a \ufffd smile"),))
    before = b'[[["r","\\u00e7a \\ud83d\\ude00","STOP",[],false]],[7],"\\u00fc"]'
    assert unpack(before) == TraceBody((Replied("ça 😀", "STOP"),), (7,), "ü")  # type: ignore[arg-type]
