"""Plans and their steps in the database."""

from datetime import datetime

from chimein_gui.adapters.store.schema import LEAVING, OPEN, OPEN_RECEIVED
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.adapters.store.values import (
    Row,
    ids_from_json,
    maybe_from_micros,
    maybe_to_micros,
    to_json,
    to_micros,
)
from chimein_gui.domain.ids import ChatId, GraphId, MessageId, TaskId
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.ports import TaskRow

COLUMNS = (
    "task_id, chat_id, graph_id, kind, status, depends_on, position, trigger_ids, attempts, crashes, due_at, reason"
)
EVERYWHERE = f"""
SELECT {COLUMNS} FROM tasks INDEXED BY tasks_received WHERE {OPEN_RECEIVED}
UNION ALL
SELECT {COLUMNS} FROM tasks INDEXED BY tasks_leaving WHERE {LEAVING}
ORDER BY task_id
"""
# A `received` task has no plan yet: what it will bring comes after everything that is there.
OF_CHAT = f"""
SELECT {COLUMNS} FROM tasks INDEXED BY tasks_open WHERE chat_id = ? AND {OPEN}
ORDER BY graph_id IS NULL, graph_id, position, task_id
"""


class SqliteTaskRows:
    """Implements `engine.ports.TaskRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def get(self, task_id: TaskId) -> TaskRow:
        """Return one step; raises LookupError."""
        row = self._sql.one(f"SELECT {COLUMNS} FROM tasks WHERE task_id = ?", task_id)
        if row is None:
            raise LookupError(f"no task {task_id}")
        return _task(row)

    def add_graph(self, chat_id: ChatId, *, problems: tuple[str, ...], created_at: datetime) -> GraphId:
        """Insert a plan; it becomes the chat's current one."""
        graph_id = self._sql.insert(
            "INSERT INTO graphs (chat_id, problems, created_at) VALUES (?, ?, ?)",
            chat_id,
            to_json(problems),
            to_micros(created_at),
        )
        self._sql.run("UPDATE chats SET current_graph_id = ? WHERE chat_id = ?", graph_id, chat_id)
        return GraphId(graph_id)

    def add(  # noqa: PLR0913 - the contract has it so
        self,
        chat_id: ChatId,
        kind: TaskKind,
        status: TaskStatus,
        *,
        graph_id: GraphId | None = None,
        depends_on: TaskId | None = None,
        position: int = 0,
        trigger_ids: tuple[MessageId, ...] = (),
        due_at: datetime | None = None,
    ) -> TaskId:
        """Insert a step."""
        return TaskId(
            self._sql.insert(
                "INSERT INTO tasks (chat_id, kind, status, graph_id, depends_on, position, trigger_ids, due_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                chat_id,
                kind.value,
                status.value,
                graph_id,
                depends_on,
                position,
                to_json(trigger_ids),
                maybe_to_micros(due_at),
            )
        )

    def save(self, task: TaskRow) -> None:
        """Write back all mutable columns of a step."""
        self._sql.change(
            "UPDATE tasks SET graph_id = ?, status = ?, depends_on = ?, position = ?, trigger_ids = ?, attempts = ?,"
            " crashes = ?, due_at = ?, reason = ? WHERE task_id = ?",
            task.graph_id,
            task.status.value,
            task.depends_on,
            task.position,
            to_json(task.trigger_ids),
            task.attempts,
            task.crashes,
            maybe_to_micros(task.due_at),
            task.reason,
            task.task_id,
            missing=f"no task {task.task_id}",
        )

    def open_received(self, chat_id: ChatId) -> TaskRow | None:
        """Return the chat's one `received` task that is not final, or None."""
        row = self._sql.one(
            f"SELECT {COLUMNS} FROM tasks INDEXED BY tasks_received WHERE chat_id = ? AND {OPEN_RECEIVED}", chat_id
        )
        return None if row is None else _task(row)

    def open_everywhere(self) -> tuple[TaskRow, ...]:
        """Return all steps in states that a start must look at: open `received`, approved, sending, unknown."""
        return tuple(map(_task, self._sql.all(EVERYWHERE)))

    def current_of_chat(self, chat_id: ChatId) -> tuple[TaskRow, ...]:
        """Return the not yet final steps of a chat in plan order: older graphs first, then position."""
        return tuple(map(_task, self._sql.all(OF_CHAT, chat_id)))


def _task(row: Row) -> TaskRow:
    task_id, chat_id, graph_id, kind, status, depends_on, position, trigger_ids, attempts, crashes, due_at, reason = row
    return TaskRow(
        task_id=TaskId(task_id),
        chat_id=ChatId(chat_id),
        graph_id=None if graph_id is None else GraphId(graph_id),
        kind=TaskKind(kind),
        status=TaskStatus(status),
        depends_on=None if depends_on is None else TaskId(depends_on),
        position=position,
        trigger_ids=ids_from_json(trigger_ids),
        attempts=attempts,
        crashes=crashes,
        due_at=maybe_from_micros(due_at),
        reason=reason,
    )
