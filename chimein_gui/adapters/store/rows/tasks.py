"""Steps of plans in the database."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from chimein_gui.adapters.store.columns.conditions import (
    IN_A_PLAN,
    INTERRUPTED,
    OPEN,
    OPEN_RECEIVED,
    WORKING,
)
from chimein_gui.adapters.store.memo import Scope, chat_scope
from chimein_gui.adapters.store.rows.values import (
    SAME_ROWS,
    Row,
    ids_from_json,
    ids_to_json,
    maybe_from_micros,
    maybe_to_micros,
    note_from_text,
    note_to_text,
)
from chimein_gui.adapters.store.sql import Sql, Value
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.ids import AccountId, ChatId, GraphId, MessageId, TaskId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.tasks import FINAL, TaskKind, TaskStatus
from chimein_gui.engine.ports import GraphRow, LedgerRow, TaskRow

COLUMNS = (
    "task_id, chat_id, graph_id, kind, status,"
    " (SELECT group_concat(earlier_id) FROM step_dependencies d WHERE d.task_id = tasks.task_id),"
    " position, trigger_ids, attempts, crashes, due_at, reason, wait_s, restarts, window_began_at"
)
INSERT = """
INSERT INTO tasks
    (chat_id, graph_id, kind, status, position, trigger_ids, attempts, crashes, due_at, reason, wait_s, restarts,
    window_began_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
DEPEND = "INSERT INTO step_dependencies (task_id, earlier_id) VALUES (?, ?)"
DEPEND_NO_MORE = "DELETE FROM step_dependencies WHERE task_id = ?"
STATE = (
    "status = ?, trigger_ids = ?, attempts = ?, crashes = ?, due_at = ?, reason = ?, wait_s = ?, restarts = ?,"
    " window_began_at = ? WHERE task_id = ?"
)
SAVE_STATE = f"UPDATE tasks SET {STATE}"
# Separate, because three more indexes and a foreign key depend on these columns: it costs twice as much.
SAVE_PLACE_TOO = f"UPDATE tasks SET graph_id = ?, position = ?, {STATE}"
BY_ID = f"SELECT {COLUMNS} FROM tasks WHERE task_id = ?"
# A `received` task has no plan yet: its steps come after all existing ones.
OF_CHAT = f"""
SELECT {COLUMNS} FROM tasks INDEXED BY tasks_open WHERE chat_id = ? AND {OPEN}
ORDER BY graph_id IS NULL, graph_id, position, task_id
"""
OF_GRAPH = f"""
SELECT {COLUMNS} FROM tasks INDEXED BY tasks_of_graph WHERE graph_id = ? AND {IN_A_PLAN} ORDER BY position, task_id
"""
COUNTS = f"""
SELECT (SELECT count(*) FROM tasks INDEXED BY tasks_open
        WHERE chat_id = ? AND {OPEN} AND status = 'awaiting_decision'),
    (SELECT count(*) FROM tasks INDEXED BY tasks_received WHERE chat_id = ? AND {OPEN_RECEIVED} AND status = 'running')
"""
STEPS = frozenset({BY_ID, OF_CHAT, OF_GRAPH})
"""Queries whose results are known after a step was changed."""
INTERRUPTED_STEPS = f"SELECT {COLUMNS} FROM tasks INDEXED BY tasks_interrupted WHERE {INTERRUPTED} ORDER BY task_id"
# The due time of a planned send is in its approval. Zero sorts first: due at once.
WITH_WORK = f"""
SELECT chat_id, min(coalesce(CASE WHEN kind IN ('received', 'wait') THEN due_at
    ELSE (SELECT a.due_at FROM approvals a WHERE a.task_id = t.task_id) END, 0))
FROM tasks t INDEXED BY tasks_working
WHERE {WORKING} AND (? IS NULL OR (SELECT c.account_id FROM chats c WHERE c.chat_id = t.chat_id) = ?)
GROUP BY chat_id
"""
WITH_STEPS = f"SELECT DISTINCT chat_id FROM tasks INDEXED BY tasks_open WHERE {OPEN}"


_Lists = list[tuple[str, int, tuple[TaskRow, ...]]]
"""Lists of steps, each with its query and parameter."""


def task_of(sql: Sql, task_id: TaskId) -> TaskRow:
    """Return a step, or raise NotFoundError."""
    found = sql.first(_task, BY_ID, task_id, scope=scope_of)
    if found is None:
        raise NotFoundError(f"no task {task_id}")
    return found


def counts_of_steps(sql: Sql, chat_id: ChatId) -> tuple[int, int]:
    """Return how many steps of a chat wait for a decision, and how many plans are being made."""
    known = sql.known(_task, OF_CHAT, chat_id)
    if known is None:
        found = sql.one(COUNTS, chat_id, chat_id, scope=chat_scope(chat_id))
        assert found is not None  # an aggregate has one row
        return found[0], found[1]
    waiting = planning = 0
    for task in known:
        waiting += task.status is TaskStatus.AWAITING_DECISION
        planning += task.kind is TaskKind.RECEIVED and task.status is TaskStatus.RUNNING
    return waiting, planning


def scope_of(row: GraphRow | TaskRow | LedgerRow | Approval) -> Scope:
    """Return the scope of a row that belongs to a chat."""
    return chat_scope(row.chat_id)


def know_no_steps(sql: Sql, graph_id: GraphId, chat_id: ChatId) -> None:
    """Note that a plan that was just added has no steps yet."""
    sql.know((), _task, OF_GRAPH, graph_id, scope=chat_scope(chat_id))


class SqliteTaskRows:
    """Implements `engine.ports.TaskRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def get(self, task_id: TaskId) -> TaskRow:
        return task_of(self._sql, task_id)

    def add(  # noqa: PLR0913 - the contract has it so
        self,
        chat_id: ChatId,
        kind: TaskKind,
        status: TaskStatus,
        *,
        graph_id: GraphId | None = None,
        depends_on: tuple[TaskId, ...] = (),
        position: int = 0,
        trigger_ids: tuple[MessageId, ...] = (),
        due_at: datetime | None = None,
        wait_s: float | None = None,
        window_began_at: datetime | None = None,
        reason: Note | None = None,
    ) -> TaskId:
        values = (
            chat_id,
            graph_id,
            str(kind),
            str(status),
            position,
            ids_to_json(trigger_ids),
            0,
            0,
            maybe_to_micros(due_at),
            note_to_text(reason),
            wait_s,
            0,
            maybe_to_micros(window_began_at),
        )
        lists = self._known_lists(chat_id, graph_id)
        task_id = self._sql.insert(INSERT, *values, scope=chat_scope(chat_id))
        self._depend(TaskId(task_id), depends_on, chat_scope(chat_id))
        state = values[:4]
        self._know_again(lists, _task((task_id, *state, _listed(depends_on), *values[4:])))
        return TaskId(task_id)

    def save(self, task: TaskRow) -> None:
        before, state = self.get(task.task_id), _state(task)
        place = task.graph_id, task.position
        stays = (before.graph_id, before.position) == place
        statement, values = (SAVE_STATE, state) if stays else (SAVE_PLACE_TOO, (*place, *state))
        missing, scope = f"no task {task.task_id}", chat_scope(task.chat_id)
        lists = self._known_lists(task.chat_id, before.graph_id, task.graph_id)
        self._sql.change(statement, *values, task.task_id, missing=missing, scope=scope, known=STEPS)
        others_stay = before.depends_on == task.depends_on
        if not others_stay:
            self._sql.run(DEPEND_NO_MORE, task.task_id)
            self._depend(task.task_id, task.depends_on, scope)
        if task.reason is not None:  # it is known as it is stored
            task = replace(task, reason=note_from_text(note_to_text(task.reason)))
        self._know_again(lists, task, others_stay=others_stay)

    def _depend(self, task_id: TaskId, earlier: tuple[TaskId, ...], scope: Scope) -> None:
        for one in earlier:
            self._sql.run(DEPEND, task_id, one, scope=scope)

    def open_received(self, chat_id: ChatId) -> TaskRow | None:
        for task in self.current_of_chat(chat_id):
            if task.kind is TaskKind.RECEIVED:
                return task
        return None

    def of_graph(self, graph_id: GraphId) -> tuple[TaskRow, ...]:
        known = self._sql.known(_task, OF_GRAPH, graph_id)
        return self._steps(OF_GRAPH, graph_id, scope_of) if known is None else known

    def current_of_chat(self, chat_id: ChatId) -> tuple[TaskRow, ...]:
        known = self._sql.known(_task, OF_CHAT, chat_id)
        return self._steps(OF_CHAT, chat_id, chat_scope(chat_id)) if known is None else known

    def to_recover(self) -> tuple[TaskRow, ...]:
        return self._sql.made(_task, INTERRUPTED_STEPS)

    def _steps(self, statement: str, key: int, scope: Scope | Callable[[TaskRow], Scope]) -> tuple[TaskRow, ...]:
        steps = self._sql.made(_task, statement, key, scope=scope)
        for task in steps:
            self._sql.know((task,), _task, BY_ID, task.task_id, scope=chat_scope(task.chat_id))
        return steps

    def _known_lists(self, chat_id: ChatId, *graph_ids: GraphId | None) -> _Lists:
        """Return the cached lists of a chat's open steps, and of plans' steps, before one of them is written."""
        lists: _Lists = []
        known = self._sql.known(_task, OF_CHAT, chat_id)
        if known is not None:
            lists.append((OF_CHAT, chat_id, known))
        for graph_id in {*graph_ids}:
            known = self._sql.known(_task, OF_GRAPH, graph_id) if graph_id is not None else None
            if graph_id is not None and known is not None:
                lists.append((OF_GRAPH, graph_id, known))
        return lists

    def _know_again(self, lists: _Lists, written: TaskRow, *, others_stay: bool = False) -> None:
        """Cache a step as just written, alone and in lists; a cycle would otherwise read them five times more.

        Args:
            lists: What was known before the write.
            written: The step.
            others_stay: The write left the other steps alone, so that they are known as before.
        """
        scope = chat_scope(written.chat_id)
        self._sql.know((written,), _task, BY_ID, written.task_id, scope=scope)
        for statement, key, rows in lists:
            now = [row for row in rows if row.task_id != written.task_id]
            for row in () if others_stay else now:
                self._sql.know((row,), _task, BY_ID, row.task_id, scope=scope)
            if written.status not in FINAL if statement is OF_CHAT else written.graph_id == key:
                now = sorted([*now, written], key=_order) if now else [written]
            self._sql.know(tuple(now), _task, statement, key, scope=scope)

    def chats_with_work(self, account_id: AccountId | None = None) -> tuple[tuple[ChatId, datetime | None], ...]:
        """Return the chats with automatic work, with the earliest due time (None = at once).

        That is a `received` to plan, a wait, and everything approved, sending or unknown; for a planned send it is the
        time it is sent. Drafts that only wait for the operator are not read.
        """
        rows = self._sql.all(WITH_WORK, account_id, account_id)
        return tuple((ChatId(chat_id), maybe_from_micros(due or None)) for chat_id, due in rows)

    def chats_with_steps(self) -> frozenset[ChatId]:
        return frozenset(ChatId(chat_id) for (chat_id,) in self._sql.all(WITH_STEPS))


def _order(task: TaskRow) -> tuple[bool, int, int, int]:
    """Return the sort key of `OF_CHAT` and, within a plan, of `OF_GRAPH`."""
    return task.graph_id is None, task.graph_id or 0, task.position, task.task_id


def _listed(earlier: tuple[TaskId, ...]) -> str | None:
    """Return the dependencies of a step in the form of `COLUMNS`."""
    return ",".join(map(str, earlier)) or None


def _state(task: TaskRow) -> tuple[Value, ...]:
    """Return the columns of `STATE`."""
    return (
        str(task.status),
        ids_to_json(task.trigger_ids),
        task.attempts,
        task.crashes,
        maybe_to_micros(task.due_at),
        note_to_text(task.reason),
        task.wait_s,
        task.restarts,
        maybe_to_micros(task.window_began_at),
    )


# A dict look-up is ten times as fast as the enum's constructor, and each message makes many rows.
_KINDS = {one.value: one for one in TaskKind}
_STATUSES = {one.value: one for one in TaskStatus}


@lru_cache(SAME_ROWS)
def _task(row: Row) -> TaskRow:
    task_id, chat_id, graph_id, kind, status, depends_on, position, trigger_ids, attempts, crashes, *rest = row
    due_at, reason, wait_s, restarts, window_began_at = rest
    return TaskRow(
        task_id=TaskId(task_id),
        chat_id=ChatId(chat_id),
        graph_id=None if graph_id is None else GraphId(graph_id),
        kind=_KINDS[kind],
        status=_STATUSES[status],
        depends_on=tuple(sorted(TaskId(int(one)) for one in depends_on.split(","))) if depends_on else (),
        position=position,
        trigger_ids=ids_from_json(trigger_ids),
        attempts=attempts,
        crashes=crashes,
        due_at=maybe_from_micros(due_at),
        reason=note_from_text(reason),
        wait_s=wait_s,
        restarts=restarts,
        window_began_at=maybe_from_micros(window_began_at),
    )
