"""Plans: one current for each chat, variants beside it."""

import re
from dataclasses import replace

import pytest

from chimein_gui.adapters.store.migrations.m0020_earlier_plans import TWENTIETH
from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.engine.ports import GraphStanding
from tests.unit.adapters.store.builders import chat_in, graph_in, opened, planned_in, sql_of


def test_a_chat_has_one_current_plan(tx):
    chat_id, other = chat_in(tx).chat_id, chat_in(tx, peer=2).chat_id
    seen = [tx.graphs.current_of(chat_id)]
    elsewhere = graph_in(tx, other)
    first = graph_in(tx, chat_id)
    graph_in(tx, chat_id, standing=GraphStanding.BESIDE)
    variant = graph_in(tx, chat_id, standing=GraphStanding.VARIANT, variant_of=first)
    seen.append(tx.graphs.current_of(chat_id).graph_id)
    second = graph_in(tx, chat_id)
    seen.append(tx.graphs.current_of(chat_id).graph_id)
    standings = [tx.graphs.get(first).standing]
    tx.graphs.save(replace(tx.graphs.get(variant), standing=GraphStanding.CURRENT))
    seen.append(tx.graphs.current_of(chat_id).graph_id)
    tx.graphs.save(replace(tx.graphs.get(variant), failed=Note(NoteKind.CUT_OFF)))
    seen.append(tx.graphs.current_of(chat_id).graph_id)
    standings += [tx.graphs.get(second).standing, tx.graphs.get(elsewhere).standing]
    right = seen == [None, first, second, variant, variant]
    assert right
    assert standings == [GraphStanding.PAST, GraphStanding.PAST, GraphStanding.CURRENT]


async def test_two_current_plans_cannot_be_stored(store):

    def work(tx):
        chat_id = chat_in(tx).chat_id
        graph_in(tx, chat_id)
        graph_in(tx, chat_id)
        sql_of(tx).run("UPDATE graphs SET standing = 'current'")

    with pytest.raises(StoreError, match="UNIQUE"):
        await store.transact(work)


def test_variants_are_listed_oldest_first(tx):
    chat_id = chat_in(tx).chat_id
    one, two = graph_in(tx, chat_id), graph_in(tx, chat_id)
    made = [graph_in(tx, chat_id, standing=GraphStanding.VARIANT, variant_of=plan) for plan in (one, two, one, one)]
    tx.graphs.save(replace(tx.graphs.get(made[3]), variant_of=None))
    found = [graph.graph_id for graph in tx.graphs.variants_of(one)]
    assert found == [made[0], made[2]]


async def test_an_instruction_that_was_kept_is_no_plan_of_an_older_file(tmp_path):
    def migrate(tx):
        for statement in re.split(r";.*\n", TWENTIETH):  # behind some of them is a comment
            sql_of(tx).run(statement)

    def fill(tx):
        chat_id = chat_in(tx).chat_id
        plan = graph_in(tx, chat_id)
        kept, chosen = (graph_in(tx, chat_id, standing=GraphStanding.PAST, variant_of=plan) for _ in range(2))
        planned_in(tx, chat_id, graph_id=chosen)
        return chat_id, kept, chosen

    async with opened(tmp_path) as store:
        chat_id, kept, chosen = await store.transact(fill)
        await store.transact(migrate)
    async with opened(tmp_path) as store:
        found = await store.read(lambda tx: tx.graphs.before(chat_id, None, limit=9))
        stub = await store.read(lambda tx: tx.graphs.get(kept))
    assert ([graph.graph_id for graph in found], stub.standing) == ([chosen], GraphStanding.RETIRED)
