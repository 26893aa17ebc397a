"""Steps of plans: written, found by state, in plan order."""

from dataclasses import replace
from itertools import product

import pytest

from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.ids import AccountId
from chimein_gui.domain.tasks import FINAL, PLANNED_KINDS, TaskKind, TaskStatus
from tests.unit.adapters.store.builders import ACCOUNT, approval_in, chat_in, graph_in, later, moved, planned_in


def test_the_steps_of_a_plan_come_in_its_order_final_ones_too(tx):
    chat_id = chat_in(tx).chat_id
    graph_id, other = graph_in(tx, chat_id), graph_in(tx, chat_id)
    planned_in(tx, chat_id, graph_id=other)
    ids = [
        planned_in(tx, chat_id, graph_id=graph_id, position=position, status=status)
        for position, status in ((2, TaskStatus.PENDING), (0, TaskStatus.DONE), (1, TaskStatus.CANCELLED))
    ]
    found = [task.task_id for task in tx.tasks.of_graph(graph_id)]
    assert found == [ids[1], ids[2], ids[0]]


def test_the_open_received_task_is_the_one_that_is_not_final(tx):
    tx.tasks.add(chat_in(tx, peer=100).chat_id, TaskKind.RECEIVED, TaskStatus.READY)
    for number, status in enumerate(TaskStatus, start=1):
        chat_id = chat_in(tx, peer=number).chat_id
        planned_in(tx, chat_id)
        task = tx.tasks.get(tx.tasks.add(chat_id, TaskKind.RECEIVED, status))
        assert tx.tasks.open_received(chat_id) == (None if status in FINAL else task), status


async def test_a_chat_has_one_open_received_task(store):
    chat_id = (await store.transact(chat_in)).chat_id
    first = await store.transact(lambda tx: tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.READY))
    with pytest.raises(StoreError, match="UNIQUE"):
        await store.transact(lambda tx: tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.READY))

    def replaced(tx):
        tx.tasks.save(replace(tx.tasks.get(first), status=TaskStatus.DONE))
        return tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.READY)

    assert await store.transact(replaced) != first


def test_a_start_finds_what_a_crash_may_have_cut_off(tx):
    wanted = []
    for number, status in enumerate(TaskStatus, start=1):
        chat_id = chat_in(tx, peer=number).chat_id
        steps = [tx.tasks.add(chat_id, TaskKind.RECEIVED, status), planned_in(tx, chat_id, status=status)]
        wanted += steps if status in {TaskStatus.RUNNING, TaskStatus.SENDING} else []
    found = [task.task_id for task in tx.tasks.to_recover()]
    assert len(wanted) == 4
    assert found == wanted


STARTED = frozenset({TaskStatus.READY, TaskStatus.RUNNING, TaskStatus.WAITING})
LEAVING = frozenset({TaskStatus.APPROVED, TaskStatus.SENDING, TaskStatus.UNKNOWN})


WORKING = {
    TaskKind.RECEIVED: STARTED | {TaskStatus.PENDING},
    TaskKind.WAIT: STARTED,
    TaskKind.SEND: LEAVING,
    TaskKind.STICKER: LEAVING,
    TaskKind.BLOCK: LEAVING,
}


def test_a_chat_has_work_when_something_goes_on_by_itself(tx):
    expected = {}
    for number, (kind, status) in enumerate(product(WORKING, TaskStatus), start=1):
        if status in (STARTED if kind in PLANNED_KINDS else LEAVING):
            continue  # the tables know no such step
        chat_id = chat_in(tx, peer=number).chat_id
        tx.tasks.add(chat_id, kind, status, due_at=later(5))
        if status in WORKING[kind]:
            expected[chat_id] = None if kind in PLANNED_KINDS else later(5)
    assert expected
    assert dict(tx.tasks.chats_with_work()) == expected


@pytest.mark.parametrize("status", TaskStatus)
def test_a_chat_has_steps_until_all_are_over(tx, status):
    chat_in(tx, peer=1)
    chat_id = chat_in(tx, peer=2).chat_id
    tx.tasks.add(chat_id, TaskKind.WAIT, TaskStatus.DONE)
    tx.tasks.add(chat_id, TaskKind.WAIT, status)
    assert tx.tasks.chats_with_steps() == (frozenset() if status in FINAL else {chat_id})


def test_a_chat_with_work_is_due_when_the_first_of_it_is(tx):

    def send(tx, chat_id, due_at, status=TaskStatus.APPROVED):
        approval = approval_in(tx, chat_id, due_at=due_at)
        moved(tx, approval.approval_id, status)

    one, two, three, four = (chat_in(tx, peer=peer).chat_id for peer in (1, 2, 3, 4))
    other = chat_in(tx, peer=1, account=8, agent="Eve").chat_id
    tx.tasks.add(one, TaskKind.RECEIVED, TaskStatus.WAITING, due_at=later(30))
    send(tx, one, later(20))
    send(tx, one, later(5), TaskStatus.AWAITING_DECISION)
    send(tx, two, later(10))
    send(tx, two, None)
    tx.tasks.add(three, TaskKind.WAIT, TaskStatus.WAITING, due_at=later(40))
    send(tx, four, later(5), TaskStatus.AWAITING_DECISION)
    tx.tasks.add(other, TaskKind.RECEIVED, TaskStatus.READY)
    mine, eves = tx.tasks.chats_with_work(ACCOUNT), tx.tasks.chats_with_work(AccountId(8))
    everything = tx.tasks.chats_with_work()
    assert dict(mine) == {one: later(20), two: None, three: later(40)}
    assert eves == ((other, None),)
    assert dict(everything) == dict(mine) | dict(eves)


def test_the_current_steps_of_a_chat_come_in_plan_order(tx):
    chat_id = chat_in(tx).chat_id
    planned_in(tx, chat_in(tx, peer=2).chat_id)
    received = tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.RUNNING)
    older = graph_in(tx, chat_id)
    newer = graph_in(tx, chat_id)
    ids = [
        tx.tasks.add(chat_id, TaskKind.SEND, status, graph_id=graph, position=position)
        for graph, position, status in (
            (newer, 1, TaskStatus.AWAITING_DECISION),
            (older, 2, TaskStatus.UNKNOWN),
            (newer, 0, TaskStatus.APPROVED),
            (older, 0, TaskStatus.DONE),
            (older, 1, TaskStatus.SENDING),
        )
    ]
    found = [task.task_id for task in tx.tasks.current_of_chat(chat_id)]
    assert found == [ids[4], ids[1], ids[2], ids[0], received]
