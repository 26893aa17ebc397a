"""Steps of plans: written, found by state, in plan order."""

from dataclasses import replace

import pytest

from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.ids import MessageId, TaskId
from chimein_gui.domain.tasks import FINAL, TaskKind, TaskStatus
from chimein_gui.engine.ports import TaskRow
from tests.unit.adapters.store.builders import NOW, chat_in, later, opened, planned_in, sql_of


async def test_a_step_comes_back_as_it_was_added_and_saved(tmp_path):
    async with opened(tmp_path) as store:

        def work(tx):
            chat_id = chat_in(tx).chat_id
            graph_id = tx.tasks.add_graph(chat_id, problems=("line 3: unknown type",), created_at=NOW)
            first = tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.PENDING)
            second = tx.tasks.add(
                chat_id,
                TaskKind.SEND,
                TaskStatus.PENDING,
                graph_id=graph_id,
                depends_on=first,
                position=3,
                trigger_ids=(MessageId(2**40), MessageId(7)),
                due_at=later(5),
            )
            added = tx.tasks.get(second)
            changed = replace(
                added, status=TaskStatus.PARKED, attempts=2, due_at=None, reason="held", trigger_ids=(), position=4
            )
            tx.tasks.save(changed)
            current = sql_of(tx).one("SELECT current_graph_id FROM chats WHERE chat_id = ?", chat_id)
            return tx.tasks.get(first), added, changed, tx.tasks.get(second), current == (graph_id,)

        first, added, changed, stored, is_current = await store.transact(work)
    assert first == TaskRow(
        first.task_id, first.chat_id, None, TaskKind.RECEIVED, TaskStatus.PENDING, None, 0, (), 0, None, ""
    )
    assert (added.depends_on, added.position, added.due_at) == (first.task_id, 3, later(5))
    assert added.trigger_ids == (2**40, 7)
    assert stored == changed
    assert is_current


async def test_unknown_steps_are_not_found(tmp_path):
    async with opened(tmp_path) as store:
        task = await store.transact(lambda tx: tx.tasks.get(planned_in(tx, chat_in(tx).chat_id)))
        with pytest.raises(LookupError, match="no task 9"):
            await store.read(lambda tx: tx.tasks.get(TaskId(9)))
        with pytest.raises(LookupError, match="no task 9"):
            await store.transact(lambda tx: tx.tasks.save(replace(task, task_id=TaskId(9))))


@pytest.mark.parametrize("status", TaskStatus)
async def test_the_open_received_task_is_the_one_that_is_not_final(tmp_path, status):
    async with opened(tmp_path) as store:

        def work(tx):
            chat_id, other = chat_in(tx).chat_id, chat_in(tx, peer=2).chat_id
            tx.tasks.add(other, TaskKind.RECEIVED, TaskStatus.READY)
            planned_in(tx, chat_id)
            task_id = tx.tasks.add(chat_id, TaskKind.RECEIVED, status)
            return tx.tasks.get(task_id), tx.tasks.open_received(chat_id)

        task, found = await store.transact(work)
    assert found == (None if status in FINAL else task)


async def test_a_chat_has_one_open_received_task(tmp_path):
    async with opened(tmp_path) as store:
        chat_id = (await store.transact(chat_in)).chat_id
        first = await store.transact(lambda tx: tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.READY))
        with pytest.raises(StoreError, match="UNIQUE"):
            await store.transact(lambda tx: tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.READY))

        def replaced(tx):
            tx.tasks.save(replace(tx.tasks.get(first), status=TaskStatus.DONE))
            return tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.READY)

        assert await store.transact(replaced) != first


async def test_a_start_finds_what_it_must_look_at(tmp_path):
    async with opened(tmp_path) as store:

        def work(tx):
            wanted = []
            for number, status in enumerate(TaskStatus, start=1):
                chat_id = chat_in(tx, peer=number).chat_id
                received = tx.tasks.add(chat_id, TaskKind.RECEIVED, status)
                send = planned_in(tx, chat_id, status=status)
                leaving = status in {TaskStatus.APPROVED, TaskStatus.SENDING, TaskStatus.UNKNOWN}
                # A `received` step has none of the leaving states in the tables; the query must not list it twice.
                if status not in FINAL and not leaving:
                    wanted.append(received)
                if leaving:
                    sql_of(tx).run("DELETE FROM tasks WHERE task_id = ?", received)
                    wanted.append(send)
            return wanted, [task.task_id for task in tx.tasks.open_everywhere()]

        wanted, found = await store.transact(work)
    assert found == wanted


async def test_the_current_steps_of_a_chat_come_in_plan_order(tmp_path):
    async with opened(tmp_path) as store:

        def work(tx):
            chat_id = chat_in(tx).chat_id
            planned_in(tx, chat_in(tx, peer=2).chat_id)
            received = tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.RUNNING)
            older = tx.tasks.add_graph(chat_id, problems=(), created_at=NOW)
            newer = tx.tasks.add_graph(chat_id, problems=(), created_at=NOW)
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
            return ids, received, [task.task_id for task in tx.tasks.current_of_chat(chat_id)]

        ids, received, found = await store.transact(work)
    assert found == [ids[4], ids[1], ids[2], ids[0], received]
