"""Traces with words are listed, counted and placed in the order of the index, as far as they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.ids import AgentId
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.traces.entries import Replied
from chimein_gui.domain.traces.records import TraceRecord
from chimein_gui.domain.traces.summaries import TraceFilter, TraceKind, TraceState
from tests.unit.adapters.store.builders import NOW, chat_in, later, sql_of
from tests.unit.adapters.store.statements import steps_of, traced

if TYPE_CHECKING:
    from chimein_gui.domain.traces.summaries import TraceId
    from chimein_gui.engine.ports import Transaction

CALL = ModelCall("gemini", "plan", NOW, 1.0, CallEnd.ANSWERED, Usage(1, 1))
STATES = (TraceState.SENT, TraceState.WAITING, TraceState.FAILED)


def said(tx: Transaction, chat_id: int, number: int) -> TraceId:
    kind = TraceKind.DRY_RUN if number % 5 == 0 else TraceKind.PLAN
    words = ("ferry" if number % 2 else "bridge", "lighthouse" if number % 3 else "heron")
    made = (CALL, Replied("# «send»\n" + " ".join(words), "STOP"))
    state = STATES[number % len(STATES)]
    return tx.traces.record(TraceRecord(kind, chat_id, AgentId(1), state, NOW, later(2), made))  # type: ignore[arg-type]


def many(tx: Transaction, count: int = 30) -> list[TraceId]:
    chat_id = chat_in(tx).chat_id
    found = [said(tx, chat_id, number) for number in range(count)]
    tx.traces.index_words(count)
    return found


def test_pages_counts_and_places_are_those_of_the_traces_with_these_words(tx: Transaction) -> None:
    ids = many(tx)
    wanted = TraceFilter(words="ferr")
    expected = [ids[number] for number in reversed(range(30)) if number % 2]
    assert [row.trace_id for row in tx.traces.page(wanted, None, limit=99)] == expected
    assert [row.trace_id for row in tx.traces.page(wanted, expected[3], skip=2, limit=4)] == expected[6:10]
    assert [tx.traces.place(wanted, one) for one in expected] == list(range(15))
    assert tx.traces.place(wanted, ids[0]) is None, "it has other words"
    counts = tx.traces.count(wanted)
    numbers = range(1, 30, 2)
    assert (counts.all, counts.waiting) == (15, sum(one % 3 == 1 for one in numbers))
    assert (counts.problems, counts.what_if) == (
        sum(one % 3 == 2 for one in numbers),
        sum(one % 5 == 0 for one in numbers),
    )
    both = TraceFilter(words="ferry light", states=frozenset({TraceState.WAITING}), kind=TraceKind.PLAN)
    expected = [ids[one] for one in reversed(range(30)) if one % 2 and one % 3 == 1 and one % 5]
    assert [row.trace_id for row in tx.traces.page(both, None, limit=99)] == expected
    assert tx.traces.count(both).all == len(expected)
    for nothing in ("zebra", "ferry zebra"):
        assert tx.traces.page(TraceFilter(words=nothing), None, limit=9) == ()
        assert tx.traces.count(TraceFilter(words=nothing)).all == 0
    assert tx.traces.count(TraceFilter(words="!?")).all == 30, "no word at all"


def test_no_list_of_all_matches_is_made_for_a_page_a_count_or_a_place(tx: Transaction) -> None:
    ids = many(tx)
    wanted = TraceFilter(words="ferry")
    for work in (
        lambda tx: tx.traces.page(wanted, ids[9], limit=2),
        lambda tx: tx.traces.count(wanted),
        lambda tx: tx.traces.place(wanted, ids[1]),
    ):
        (statement,) = traced(tx, work)
        steps = steps_of(tx, statement)
        assert any("trace_words VIRTUAL TABLE" in step for step in steps)
        assert not [step for step in steps if "LIST SUBQUERY" in step], steps


def test_a_frequent_word_costs_its_page_and_not_all_its_traces(tx: Transaction) -> None:
    """Counted in steps of SQLite's machine, which are the same on every machine."""
    many(tx, 120)
    connection = sql_of(tx)._connection

    def steps(word: str) -> int:
        taken = []

        def note() -> int:
            taken.append(1)
            return 0

        connection.set_progress_handler(note, 1)
        tx.traces.page(TraceFilter(words=word), None, limit=2)
        connection.set_progress_handler(None, 1)
        return len(taken)

    assert abs(steps("lighthouse") - steps("heron")) < 40, "80 traces have the one, and 40 the other"
