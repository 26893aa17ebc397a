"""Reads: one snapshot each, never older than the call, never writing."""

import asyncio
import threading
from functools import partial

import pytest

from chimein_gui.domain.errors import StoreError, StoreWriteError
from chimein_gui.domain.ids import AccountId, MessageId
from chimein_gui.domain.notes import PlanningKind, PlanningProblem
from tests.unit.adapters.store.builders import ACCOUNT, PEER, chat_in, graph_in, message, put_in, spec, sql_of, started


async def test_a_read_sees_what_was_awaited_before(store):
    chat_id = (await store.transact(chat_in)).chat_id
    for number in range(1, 200):
        revision = await store.transact(partial(put_in, chat_id=chat_id, number=number))
        seen = await store.read(lambda tx: (tx.messages.newest_id(ACCOUNT, PEER), tx.revision))
        assert seen == (number, revision)


async def test_a_read_is_one_snapshot_with_its_revision(store):
    chat_id = (await store.transact(chat_in)).chat_id
    inside, go = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def look(tx):
        before = tx.messages.newest_id(ACCOUNT, PEER), tx.revision
        loop.call_soon_threadsafe(inside.set)
        assert go.wait(20)
        return before, (tx.messages.newest_id(ACCOUNT, PEER), tx.revision)

    revision = await store.transact(lambda tx: tx.revision)
    (reading,) = started(store.read(look))
    await inside.wait()
    await store.transact(lambda tx: tx.messages.put(chat_id, message(1)))
    go.set()
    assert await reading == ((0, revision), (0, revision))
    assert await store.read(lambda tx: tx.messages.newest_id(ACCOUNT, PEER)) == 1


async def test_a_read_cannot_write(store):
    chat = await store.transact(chat_in)
    works = (
        lambda tx: tx.agents.upsert(spec("Eve")),
        lambda tx: tx.agents.bind_account(chat.agent_id, AccountId(1)),
        lambda tx: tx.messages.put(chat.chat_id, message(1)),
        lambda tx: tx.messages.edit(message(1)),
        lambda tx: tx.messages.mark_deleted(ACCOUNT, None, (MessageId(1),)),
        lambda tx: tx.chats.set_planning_problem(chat.chat_id, PlanningProblem(PlanningKind.SILENT)),
        lambda tx: graph_in(tx, chat.chat_id),
    )
    for work in works:
        with pytest.raises(StoreError, match="tried to write") as caught:
            await store.read(work)
        assert not isinstance(caught.value, StoreWriteError)
    assert await store.read(lambda tx: tx.chats.get(chat.chat_id)) == chat


async def test_a_failing_read_concerns_only_itself(store):
    results = await asyncio.gather(
        store.read(lambda tx: tx.revision),
        store.read(lambda tx: 1 // 0),
        store.read(lambda tx: sql_of(tx).all("SELECT * FROM nothing")),
        store.read(lambda tx: tx.revision),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [int, ZeroDivisionError, StoreError, int]


async def test_a_slow_read_delays_no_transaction(store):
    go = threading.Event()
    (reading,) = started(store.read(lambda tx: go.wait(20)))
    for _ in range(20):
        await store.transact(lambda tx: tx.revision)
    assert not reading.done()
    go.set()
    assert await reading
