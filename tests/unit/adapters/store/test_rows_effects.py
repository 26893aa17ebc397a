"""What replies bring about: memories written once, model calls paid for."""

from dataclasses import replace

import pytest

from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.prompt.left_out import LeftOut, LeftOutKind
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.prompt.sent import PromptOutline, SectionSource
from chimein_gui.engine.ports import MemoryEffect, MemoryState
from tests.support.booked_calls import booked_calls
from tests.unit.adapters.store.builders import chat_in, graph_in, later


def memory_in(tx, chat, graph_id, index, seconds=0.0):
    effect = MemoryEffect(
        graph_id, index, chat.agent_id, chat.chat_id, f"text {index}", MemoryState.PREPARED, later(seconds)
    )
    tx.effects.add_memory(effect)
    return effect


async def test_a_memory_is_kept_once_by_plan_and_index(store):

    def work(tx):
        chat = chat_in(tx)
        graph_id = graph_in(tx, chat.chat_id)
        return chat, graph_id, memory_in(tx, chat, graph_id, 0), memory_in(tx, chat, graph_id, 1)

    chat, graph_id, first, second = await store.transact(work)
    assert await store.read(lambda tx: tx.effects.memory(graph_id, 0)) == first
    assert await store.read(lambda tx: tx.effects.memory(graph_id, 2)) is None
    with pytest.raises(StoreError, match="UNIQUE"):
        await store.transact(lambda tx: memory_in(tx, chat, graph_id, 1))
    assert await store.read(lambda tx: tx.effects.memory(graph_id, 1)) == second


def test_what_is_prepared_is_to_be_written_oldest_first(tx):
    chat = chat_in(tx)
    graphs = [graph_in(tx, chat.chat_id) for _ in range(2)]
    made = [
        memory_in(tx, chat, graphs[graph], index, seconds)
        for graph, index, seconds in ((1, 0, 5), (0, 0, 9), (1, 1, 5), (0, 1, 1), (0, 2, 1))
    ]
    tx.effects.set_memory(graphs[0], 1, MemoryState.WRITTEN)
    tx.effects.set_memory(graphs[0], 2, MemoryState.UNDONE)
    found = tx.effects.memories_to_write()
    undone = tx.effects.memory(graphs[0], 2)
    assert found == (made[0], made[2], made[1])
    assert undone == replace(made[4], state=MemoryState.UNDONE)


def test_a_prompt_keeps_what_was_left_out_of_it_and_one_of_an_earlier_version_is_read(tx):
    call = ModelCall("gemini", "plan", later(10), 1.25, CallEnd.ANSWERED, Usage(1000, 20))
    chat_id = chat_in(tx).chat_id
    graph_id = graph_in(tx, chat_id)
    tx.effects.book(chat_id, call)
    left_out = (LeftOut(LeftOutKind.ROLE, "Retrieve"), LeftOut(LeftOutKind.OLDER, number=40))
    tx.prompts.add(graph_id, chat_id, call, PromptOutline((SectionSource("Time"),), left_out), b"packed")
    (sent,) = tx.prompts.of_graph(graph_id)
    assert tx.prompts.get(sent.call_id)[1].outline.left_out == left_out
    tx.prompts._sql.run("UPDATE prompts SET outline = ?", '[[["Time", "", 0, 0]], ["Retrieve"]]')
    assert tx.prompts.get(sent.call_id)[1].outline == PromptOutline((SectionSource("Time"),), left_out[:1])


def test_model_calls_are_booked_with_what_they_cost(tx):
    call = ModelCall("gemini", "plan", later(10), 1.25, CallEnd.ANSWERED, Usage(1000, 20, 300, 800), cost_usd=0.0011)
    cancelled = replace(call, began_at=later(5), end=CallEnd.CANCELLED, usage=Usage(900), estimated=True, cost_usd=None)
    one, two = chat_in(tx).chat_id, chat_in(tx, peer=5).chat_id
    tx.effects.book(one, call)
    tx.effects.book(two, cancelled)
    assert booked_calls(tx) == [(two, cancelled), (one, call)]
