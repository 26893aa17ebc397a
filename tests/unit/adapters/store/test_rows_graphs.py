"""Plans: one current for each chat, variants beside it."""

from dataclasses import replace
from typing import Any

import pytest

from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.domain.tasks import Origin
from chimein_gui.engine.ports import GraphRow, GraphStanding, NewGraph, PromptSpan
from tests.unit.adapters.store.builders import NOW, chat_in, graph_in, sql_of

SPAN = PromptSpan(MessageId(2**40), MessageId(2**40 + 9), (MessageId(3), MessageId(7)))


ANEW = {
    "standing": GraphStanding.PAST,
    "variant_of": None,
    "trigger_ids": (),
    "span": PromptSpan(),
    "problems": (),
    "lost_rule": True,
    "failed": Note(NoteKind.UNCHECKABLE),
}


def test_a_plan_comes_back_as_it_was_stored_and_saved(tx):
    chat_id = chat_in(tx).chat_id
    first = graph_in(tx, chat_id)
    told: dict[str, Any] = {
        "origin": Origin.COMMAND,
        "standing": GraphStanding.VARIANT,
        "variant_of": first,
        "trigger_ids": (MessageId(5), MessageId(8)),
        "span": SPAN,
        "instruction": "shorter",
        "problems": (ReplyProblem(ReplyFault.UNKNOWN_TYPE, 3, said=("dance",)),),
    }
    new = NewGraph(chat_id, NOW, **told)
    stored = tx.tasks.graph(tx.tasks.add_graph(new))
    changed = replace(stored, **ANEW)
    tx.tasks.save_graph(changed)
    again = tx.tasks.graph(stored.graph_id)
    assert stored == GraphRow(
        graph_id=stored.graph_id, chat_id=chat_id, lost_rule=False, failed=None, created_at=NOW, **told
    )
    assert again == changed


def test_a_chat_has_one_current_plan(tx):
    chat_id, other = chat_in(tx).chat_id, chat_in(tx, peer=2).chat_id
    seen = [tx.tasks.current_graph(chat_id)]
    elsewhere = graph_in(tx, other)
    first = graph_in(tx, chat_id)
    graph_in(tx, chat_id, standing=GraphStanding.BESIDE)
    variant = graph_in(tx, chat_id, standing=GraphStanding.VARIANT, variant_of=first)
    seen.append(tx.tasks.current_graph(chat_id).graph_id)
    second = graph_in(tx, chat_id)
    seen.append(tx.tasks.current_graph(chat_id).graph_id)
    standings = [tx.tasks.graph(first).standing]
    tx.tasks.save_graph(replace(tx.tasks.graph(variant), standing=GraphStanding.CURRENT))
    seen.append(tx.tasks.current_graph(chat_id).graph_id)
    tx.tasks.save_graph(replace(tx.tasks.graph(variant), failed=Note(NoteKind.CUT_OFF)))
    seen.append(tx.tasks.current_graph(chat_id).graph_id)
    standings += [tx.tasks.graph(second).standing, tx.tasks.graph(elsewhere).standing]
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
    tx.tasks.save_graph(replace(tx.tasks.graph(made[3]), variant_of=None))
    found = [graph.graph_id for graph in tx.tasks.variants_of(one)]
    assert found == [made[0], made[2]]
