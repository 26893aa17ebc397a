"""What a transaction knows of its steps is what the file holds, at every moment."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.adapters import store as package
from chimein_gui.adapters.store.rows_tasks import COLUMNS, OF_CHAT, _task
from chimein_gui.domain.errors import NotFoundError, StoreError
from chimein_gui.domain.ids import ChatId, MessageId, TaskId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import FINAL, TaskKind, TaskStatus
from chimein_gui.engine.ports import TaskRow, Transaction
from tests.unit.adapters.store.builders import NOW, chat_in, connection_of, counting, graph_in, later, opened

WORDS = ("", "a reason", "half a \ud83d smile", "two halves \ud83d\ude42", "明天")
REASONS = (None, *(Note(NoteKind.REFUSED, words, 2, Note(NoteKind.HELD, words)) for words in WORDS))
STEPS = [TaskKind.SEND, TaskKind.WAIT]


def stored(tx: Transaction, task_id: TaskId) -> TaskRow:
    """Look past what is known."""
    (row,) = connection_of(tx).execute(f"SELECT {COLUMNS} FROM tasks WHERE task_id = ?", (task_id,))
    return _task.__wrapped__(row)


def stored_open(tx: Transaction, chat_id: ChatId) -> tuple[TaskRow, ...]:
    return tuple(map(_task.__wrapped__, connection_of(tx).execute(OF_CHAT, (chat_id,))))


def changed(chance: random.Random, task: TaskRow, others: list[TaskId], graphs: list) -> TaskRow:
    return replace(
        task,
        status=chance.choice(list(TaskStatus)) if task.kind is not TaskKind.RECEIVED else task.status,
        reason=chance.choice(REASONS),
        attempts=chance.randrange(5),
        crashes=chance.randrange(3),
        restarts=chance.randrange(3),
        due_at=chance.choice((None, NOW, later(0.000001))),
        window_began_at=chance.choice((None, later(3))),
        wait_s=chance.choice((None, 0, 2, 2.5)),
        trigger_ids=tuple(map(MessageId, chance.sample(range(99), chance.randrange(3)))),
        depends_on=chance.choice((task.depends_on, None, *others)),
        graph_id=chance.choice((task.graph_id, *graphs)),
        position=chance.choice((task.position, task.position, 7)),
    )


@pytest.mark.parametrize("seed", range(6))
async def test_what_is_known_is_what_is_stored(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)

    def work(tx: Transaction) -> None:
        chats = [chat_in(tx, peer=peer).chat_id for peer in (1, 2)]
        graphs = {chat: [graph_in(tx, chat) for _ in range(2)] for chat in chats}
        known: dict[ChatId, list[TaskId]] = {chat: [] for chat in chats}
        for _ in range(120):
            chat = chance.choice(chats)
            if chance.random() < 0.4 or not known[chat]:
                kind, status = chance.choice(STEPS), chance.choice(list(TaskStatus))
                if tx.tasks.open_received(chat) is None and chance.random() < 0.5:
                    kind, status = TaskKind.RECEIVED, TaskStatus.READY
                graph = None if kind is TaskKind.RECEIVED else chance.choice(graphs[chat])
                reason, wait_s = chance.choice(REASONS), chance.choice((None, 3))
                known[chat].append(tx.tasks.add(chat, kind, status, graph_id=graph, reason=reason, wait_s=wait_s))
            else:
                task = tx.tasks.get(chance.choice(known[chat]))
                tx.tasks.save(changed(chance, task, known[chat], graphs[chat]))
            looked_at = chance.choice(known[chat])
            assert tx.tasks.get(looked_at) == stored(tx, looked_at)
            steps = stored_open(tx, chat)
            assert tx.tasks.current_of_chat(chat) == steps
            received = [step for step in steps if step.kind is TaskKind.RECEIVED]
            assert tx.tasks.open_received(chat) == (received[0] if received else None)
        assert any(tx.tasks.get(one).status in FINAL for one in known[chats[0]])

    async with opened(tmp_path) as store:
        await store.transact(work)


async def test_what_was_taken_back_is_not_known(store) -> None:

    def begin(tx: Transaction) -> TaskId:
        return tx.tasks.add(chat_in(tx).chat_id, TaskKind.SEND, TaskStatus.APPROVED)

    task_id = await store.transact(begin)

    def fails(tx: Transaction) -> None:
        tx.tasks.save(replace(tx.tasks.get(task_id), status=TaskStatus.SENDING))
        tx.tasks.add(tx.tasks.get(task_id).chat_id, TaskKind.SEND, TaskStatus.APPROVED)
        raise ValueError

    with pytest.raises(ValueError):
        await store.transact(fails)
    tasks = await store.transact(lambda tx: tx.tasks.current_of_chat(tx.tasks.get(task_id).chat_id))
    assert [(task.task_id, task.status) for task in tasks] == [(task_id, TaskStatus.APPROVED)]


async def test_a_reader_knows_nothing_of_the_time_before(store) -> None:
    task_id = await store.transact(lambda tx: tx.tasks.add(chat_in(tx).chat_id, TaskKind.SEND, TaskStatus.APPROVED))
    assert (await store.read(lambda tx: tx.tasks.get(task_id))).status is TaskStatus.APPROVED
    await store.transact(lambda tx: tx.tasks.save(replace(tx.tasks.get(task_id), status=TaskStatus.SENDING)))
    assert (await store.read(lambda tx: tx.tasks.get(task_id))).status is TaskStatus.SENDING


def test_a_step_that_is_not_there_cannot_be_saved(tx) -> None:
    task = tx.tasks.get(tx.tasks.add(chat_in(tx).chat_id, TaskKind.SEND, TaskStatus.APPROVED))
    with pytest.raises(NotFoundError):
        tx.tasks.save(replace(task, task_id=TaskId(99)))
    with pytest.raises(NotFoundError):
        tx.tasks.get(TaskId(99))
    with pytest.raises(StoreError):  # no such step to depend on
        tx.tasks.save(replace(task, depends_on=TaskId(99)))
    assert tx.tasks.get(task.task_id).depends_on is None


def test_known_steps_cost_no_look(tx: Transaction) -> None:
    chat_id = chat_in(tx).chat_id
    tx.tasks.current_of_chat(chat_id)
    seen = counting(tx)
    task_id = tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.READY)
    for status in (TaskStatus.RUNNING, TaskStatus.DONE):
        tx.tasks.save(replace(tx.tasks.get(task_id), status=status))
        tx.tasks.open_received(chat_id)
        tx.tasks.current_of_chat(chat_id)
    assert not [one for one in seen if one.lstrip().startswith("SELECT") and "max(task_id)" not in one]


def test_nobody_else_writes_steps() -> None:
    """Whoever did would have to tell the steps that are known."""
    folder = Path(str(package.__file__)).parent
    writers = {
        path.name
        for path in folder.glob("*.py")
        if re.search(r"(UPDATE|INTO|DELETE FROM)\s+tasks\b", path.read_text(encoding="utf-8"))
    }
    assert {name for name in writers if not name.startswith("schema")} == {"rows_tasks.py"}
