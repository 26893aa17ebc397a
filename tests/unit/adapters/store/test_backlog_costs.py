"""What is open costs nothing: counted in SQLite's own steps, with 10 drafts open and with 10,000."""

from dataclasses import replace
from functools import partial

import pytest

from chimein_gui.domain.ids import RandomId
from chimein_gui.domain.tasks import LedgerState, Origin, TaskKind, TaskStatus
from chimein_gui.engine.ports import GraphStanding, NewRequest
from tests.unit.adapters.store.builders import (
    ACCOUNT,
    NOW,
    approval_in,
    chat_in,
    graph_in,
    later,
    moved,
    opened,
)
from tests.unit.adapters.store.sql_work import CountingStore

FEW, MANY = 10, 10_000
CHATS = 200


def backlog(tx, drafts):
    """Open drafts over some chats, the last of which has one of each thing that goes on by itself."""
    chats = [chat_in(tx, peer=peer).chat_id for peer in range(1, min(drafts, CHATS) + 1)]
    for number in range(drafts):
        approval_in(tx, chats[number % len(chats)])
    last = chat_in(tx, peer=9999).chat_id
    tx.tasks.add(last, TaskKind.RECEIVED, TaskStatus.RUNNING)
    tx.tasks.add(last, TaskKind.WAIT, TaskStatus.WAITING, graph_id=graph_in(tx, last), due_at=later(5))
    approval = approval_in(tx, last)
    moved(tx, approval.approval_id, TaskStatus.SENDING)
    return last, approval.approval_id


async def steps_for(store, work, busy):
    counting = CountingStore(store)
    await counting.transact(lambda tx: work(tx, *busy))
    return counting.done.steps


async def measured(directory, work):
    """The steps with few and with many drafts open; `work` gets the busy chat and its approval."""
    found = []
    for drafts in (FEW, MANY):
        async with opened(directory / str(drafts)) as store:
            busy = await store.transact(partial(backlog, drafts=drafts))
            found.append(await steps_for(store, work, busy))
    return found


def transition(tx, chat_id, approval_id):
    """What one send does to the rows from the decision to its confirmation."""
    approval = tx.approvals.get(approval_id)
    graph_id = graph_in(tx, chat_id)
    tx.tasks.current_graph(chat_id)
    task_id = tx.tasks.add(chat_id, TaskKind.SEND, TaskStatus.AWAITING_DECISION, graph_id=graph_id)
    tx.tasks.save(replace(tx.tasks.get(task_id), status=TaskStatus.APPROVED))
    row = tx.ledger.prepare(approval, NewRequest(0, RandomId(1), "text"))
    tx.ledger.automatic_since(NOW, account_id=ACCOUNT)
    tx.holds.over(ACCOUNT, chat_id)
    tx.ledger.in_doubt(chat_id)
    tx.ledger.save(replace(row, state=LedgerState.SENT, by_rule=True, claimed_at=NOW))
    tx.tasks.current_of_chat(chat_id)
    tx.approvals.save(tx.approvals.of_task(approval.task_id))
    tx.approvals.of_chat(chat_id)
    tx.chats.get(chat_id)


@pytest.mark.parametrize(
    "work",
    [
        lambda tx, *_: tx.tasks.to_recover(),
        lambda tx, *_: tx.tasks.chats_with_work(),
        lambda tx, *_: tx.tasks.chats_with_work(ACCOUNT),
        lambda tx, chat_id, _: tx.tasks.open_received(chat_id),
        transition,
    ],
    ids=["to_recover", "chats_with_work", "chats_with_work of an account", "open_received", "a transition"],
)
async def test_it_costs_the_same_however_much_is_open(tmp_path, work):
    few, many = await measured(tmp_path, work)
    assert few > FEW
    assert many <= 1.1 * few


async def test_a_chat_pays_for_its_own_drafts_alone(tmp_path):
    """The operator's own messages and "send anyway" stand beside the plan: many of them are final and cost nothing."""

    def finished(tx, count):
        chat_id = chat_in(tx).chat_id
        for _ in range(count):
            graph = graph_in(tx, chat_id, origin=Origin.OPERATOR, standing=GraphStanding.BESIDE)
            approval_in(tx, chat_id, graph_id=graph, status=TaskStatus.DONE)
        return chat_id, approval_in(tx, chat_id).approval_id

    found = []
    for count in (FEW, 1000):
        async with opened(tmp_path / str(count)) as store:
            busy = await store.transact(partial(finished, count=count))
            found.append(await steps_for(store, transition, busy))
    assert found[1] <= 1.1 * found[0]
