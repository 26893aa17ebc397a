"""What a transaction has found holds until something writes to it, and no longer than the transaction."""

import re
from dataclasses import replace

import pytest

from chimein_gui.adapters.store.memo import MOST_ROWS, tables_read, tables_written
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from tests.unit.adapters.store.builders import (
    ACCOUNT,
    PEER,
    approval_in,
    chat_in,
    counting,
    message,
    moved,
    put_in,
    sql_of,
)


def test_the_same_question_costs_one_look(tx):
    chat_id = chat_in(tx).chat_id
    tx.chats.set_agent_turns(chat_id, 1)
    seen = counting(tx)
    chats = [tx.chats.get(chat_id) for _ in range(3)]
    assert chats[0] is chats[1] is chats[2]
    assert sum(statement.lstrip().startswith("SELECT") for statement in seen) == 1


def test_a_write_to_any_of_its_tables_overtakes_an_answer(tx):
    chat_id = chat_in(tx).chat_id
    seen = [tx.chats.get(chat_id)]
    tx.chats.set_agent_turns(chat_id, 2)
    seen.append(tx.chats.get(chat_id))
    put_in(tx, chat_id, 7)
    seen.append(tx.chats.get(chat_id))
    tx.messages.mark_deleted(ACCOUNT, PEER, (message(7).key.message_id,))
    seen.append(tx.chats.get(chat_id))
    task_id = tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.READY)
    task = tx.tasks.get(task_id)
    tx.tasks.save(replace(task, status=TaskStatus.RUNNING))
    (plain, turned, spoken, unsaid, planning) = [*seen, tx.chats.get(chat_id)]
    task = tx.tasks.get(task_id)
    assert (plain.agent_turns, turned.agent_turns) == (0, 2)
    assert (turned.unread, spoken.unread, unsaid.unread) == (0, 1, 0)
    assert (unsaid.planning, planning.planning) == (False, True)
    assert task.status is TaskStatus.RUNNING


async def test_what_was_undone_is_not_remembered(store):
    chat_id = await store.transact(lambda tx: chat_in(tx).chat_id)

    def fails(tx):
        tx.chats.set_agent_turns(chat_id, 5)
        assert tx.chats.get(chat_id).agent_turns == 5
        raise ValueError

    with pytest.raises(ValueError):
        await store.transact(fails)
    assert (await store.transact(lambda tx: tx.chats.get(chat_id))).agent_turns == 0


async def test_a_reader_sees_what_was_committed_since(store):
    chat_id = await store.transact(lambda tx: chat_in(tx).chat_id)
    before = await store.read(lambda tx: tx.chats.get(chat_id))
    await store.transact(lambda tx: tx.chats.set_agent_turns(chat_id, 3))
    after = await store.read(lambda tx: tx.chats.get(chat_id))
    assert (before.agent_turns, after.agent_turns) == (0, 3)


def test_a_long_answer_is_not_kept(tx):
    chat_id = chat_in(tx).chat_id
    for number in range(1, MOST_ROWS + 2):
        put_in(tx, chat_id, number)
    seen = counting(tx)
    for _ in range(2):
        tx.messages.before(ACCOUNT, PEER, before_id=MessageId(999), limit=999)
    assert sum(statement.lstrip().startswith("SELECT") for statement in seen) == 2


async def test_the_schema_has_nothing_that_writes_unseen(store):
    """A trigger or a cascade would change tables that no statement names; a table's name must be found by its form."""
    schema = await store.read(lambda tx: sql_of(tx).all("SELECT type, name, coalesce(sql, '') FROM sqlite_master"))
    assert not [name for kind, name, _ in schema if kind in {"trigger", "view"}]
    assert not [name for _, name, sql in schema if re.search(r"ON (DELETE|UPDATE) (CASCADE|SET)", sql, re.IGNORECASE)]
    assert all(re.fullmatch("[a-z_]+", name) for kind, name, _ in schema if kind == "table")


def test_tables_are_found_in_every_kind_of_statement():
    assert tables_read("\nSELECT a, (SELECT 1 FROM tasks) FROM chats c LEFT JOIN messages m ON 1") == (
        "tasks",
        "chats",
        "messages",
    )
    assert tables_read("UPDATE messages SET deleted = 1 RETURNING text") is None
    assert tables_written("UPDATE graphs INDEXED BY graphs_current SET standing = ?") == ("graphs",)
    assert tables_written("INSERT OR REPLACE INTO holds (scope) VALUES (?)") == ("holds",)
    assert tables_written("INSERT INTO waits (a) VALUES (?) ON CONFLICT DO UPDATE SET a = 1") == ("waits",)
    assert tables_written("DELETE FROM holds") is None
    assert tables_written("ROLLBACK TO work") is None
    assert tables_written("SAVEPOINT work") == ()


def test_a_card_that_was_found_by_its_number_is_known_by_its_step(tx):
    chat_id = chat_in(tx).chat_id
    approval = approval_in(tx, chat_id)
    seen = counting(tx)
    by_step = tx.approvals.of_task(approval.task_id), tx.approvals.get(approval.approval_id)
    looks = len(seen)
    moved(tx, approval.approval_id, TaskStatus.APPROVED)
    (first, second) = by_step
    now = tx.approvals.of_task(approval.task_id)
    assert first is second
    assert looks <= 1
    assert now.task_status is TaskStatus.APPROVED
