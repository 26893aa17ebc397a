"""The groups of traces, by what plans wait for now: the database finds what the rules of a row say."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from chimein_gui.domain.ids import AgentId, GraphId
from chimein_gui.domain.traces.records import TraceRecord
from chimein_gui.domain.traces.summaries import (
    EVERYTHING,
    Standings,
    TraceFilter,
    TraceGroup,
    TraceKind,
    TraceState,
)
from tests.unit.adapters.store.builders import NOW, chat_in, graph_in, later

if TYPE_CHECKING:
    from chimein_gui.engine.ports import Transaction


def stored(tx: Transaction) -> list[GraphId]:
    """Store a trace of each state for two agents, each of a plan of its own; return the plans."""
    chats = [chat_in(tx), chat_in(tx, peer=78, account=8, agent="Bo")]
    graphs = []
    for state, chat in product(TraceState, chats):
        graphs.append(graph_in(tx, chat.chat_id))
        record = TraceRecord(TraceKind.PLAN, chat.chat_id, chat.agent_id, state, NOW, later(2), (), graph_id=graphs[-1])
        tx.traces.record(record)
    return graphs


@pytest.mark.parametrize("postponed", [False, True])
@pytest.mark.parametrize("logged_out", [frozenset(), frozenset({AgentId(1)}), frozenset({AgentId(1), AgentId(2)})])
@pytest.mark.parametrize("asked_to_wait", [frozenset(), frozenset({AgentId(2)})])
def test_filters_and_counts_say_what_the_rules_say(
    tx: Transaction, logged_out: frozenset[AgentId], asked_to_wait: frozenset[AgentId], *, postponed: bool
) -> None:
    graphs = stored(tx)
    put_off = frozenset(graphs[::2]) if postponed else frozenset[GraphId]()
    standings = Standings(put_off, logged_out, asked_to_wait)
    rows = tx.traces.page(EVERYTHING, None, limit=99)
    assert len(rows) == len(graphs)
    numbers = []
    for group in TraceGroup:
        expected = [row.trace_id for row in rows if group in standings.groups_of(row)]
        wanted = TraceFilter(group=group)
        found = [row.trace_id for row in tx.traces.page(wanted, None, limit=99, standings=standings)]
        assert found == expected
        assert tx.traces.count(wanted, standings).all == len(expected)
        assert [tx.traces.place(wanted, one, standings) for one in expected] == [*range(len(expected))]
        numbers.append(len(expected))
    counts = tx.traces.count(EVERYTHING, standings)
    assert [counts.waiting, counts.problems] == numbers


def test_what_is_postponed_does_not_need_the_operator_and_a_log_in_does(tx: Transaction) -> None:
    graphs = stored(tx)
    wanted = TraceFilter(group=TraceGroup.NEEDS_YOU)
    standings = Standings(frozenset(graphs), frozenset({AgentId(1)}))
    rows = tx.traces.page(wanted, None, limit=99, standings=standings)
    states = [row.state for row in reversed(rows)]
    held_up = [TraceState.APPROVED, TraceState.SENDING]
    assert states == [*[TraceState.NO_KEY] * 2, *[TraceState.CAPPED] * 2, *held_up]
