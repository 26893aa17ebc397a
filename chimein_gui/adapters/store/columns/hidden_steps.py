"""Queries for steps of plans that left no message: steps, memories, and ends of plans."""

from dataclasses import replace

from chimein_gui.adapters.store.columns.conditions import SEEN_UP_TO
from chimein_gui.adapters.store.columns.message import END
from chimein_gui.adapters.store.rows.values import Row, from_micros, note_from_text, reply_problems_from_json
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.ids import ChatId, GraphId, MessageId, TaskId
from chimein_gui.domain.memory.orders.given import OrderState
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.plans.hidden_steps import HiddenKind, HiddenStep
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.ports import MemoryState

# The operator's own messages are no plans of the agent, and a variant has done nothing.
_IN_CHAT = f"""
FROM graphs g INDEXED BY graphs_of_chat {{joined}}
WHERE g.chat_id = ? AND {SEEN_UP_TO} >= {{since}} AND {SEEN_UP_TO} <= ? AND g.standing IN ('current', 'past')
"""
_ORDERED = f" ORDER BY {SEEN_UP_TO}, g.graph_id{{last}} LIMIT ?"
_PLANNED = "JOIN tasks t INDEXED BY tasks_of_graph ON t.graph_id = g.graph_id AND t.graph_id IS NOT NULL"

# A step may stand below messages that were sent after its prompt was made: the plan before the first is looked at too.
_FROM_THE_PLAN_BEFORE = f"""coalesce((SELECT {SEEN_UP_TO} FROM graphs INDEXED BY graphs_of_chat
    WHERE chat_id = ? AND {SEEN_UP_TO} < ? ORDER BY {SEEN_UP_TO} DESC LIMIT 1), ?)"""
_SENT = "(SELECT max(l.message_id) FROM ledger l WHERE l.approval_id = a.approval_id AND l.state = 'sent')"
_AFTER = f"""max({SEEN_UP_TO}, coalesce(
    (SELECT max({_SENT}) FROM tasks p INDEXED BY tasks_of_graph JOIN approvals a ON a.task_id = p.task_id
        WHERE p.graph_id = g.graph_id AND p.graph_id IS NOT NULL AND p.position < t.position), 0))"""

# A draft is shown as such, and what was sent as a message: only what came to nothing is hidden.
_STEPS = f"""
SELECT t.task_id, g.graph_id, t.kind, t.status, coalesce(a.text, ''), coalesce(a.resolved_at, t.due_at, g.created_at),
    {_AFTER}, coalesce(nullif(t.reason, ''), a.note, ''), t.wait_s
{_IN_CHAT.format(joined=f"{_PLANNED} LEFT JOIN approvals a ON a.task_id = t.task_id", since=_FROM_THE_PLAN_BEFORE)}
    AND (t.kind = 'wait' AND t.status <> 'pending'
        OR t.kind NOT IN ('wait', 'received') AND t.status IN ('failed', 'skipped', 'cancelled', 'observed')
        OR t.kind IN ('block', 'unblock', 'clear-conversation', 'shutdown') AND t.status = 'done')
    AND {_AFTER} >= ? AND {_AFTER} <= ?
{_ORDERED.format(last=", t.position")}
"""
_MEMORIES = f"""
SELECT NULL, g.graph_id, 'remembered', m.state, m.text, m.created_at, {SEEN_UP_TO}, '', NULL
{_IN_CHAT.format(joined="JOIN memories m ON m.graph_id = g.graph_id", since="?")} AND m.state <> 'parked'
{_ORDERED.format(last=", m.place")}
"""
_ORDERS = """
SELECT NULL, NULL, 'remembered', state, text, created_at, message_id, known, NULL FROM memory_orders
WHERE chat_id = ? AND message_id >= ? AND message_id <= ? AND state <> 'bare' ORDER BY message_id LIMIT ?
"""
_PLANS = f"""
SELECT t.task_id, g.graph_id, 'plan', t.status, g.problems, g.created_at, {SEEN_UP_TO}, g.failed, NULL
{_IN_CHAT.format(joined=f"{_PLANNED} AND t.kind = 'received'", since="?")}
    AND (g.failed <> '' OR g.problems <> '[]' OR NOT EXISTS (SELECT 1 FROM tasks o INDEXED BY tasks_of_graph
        WHERE o.graph_id = g.graph_id AND o.graph_id IS NOT NULL AND o.kind <> 'received'))
{_ORDERED.format(last="")}
"""
_STATUS_OF_MEMORY = {
    MemoryState.PREPARED: TaskStatus.PENDING,
    MemoryState.WRITTEN: TaskStatus.DONE,
    MemoryState.KNOWN: TaskStatus.SKIPPED,
    MemoryState.UNDONE: TaskStatus.CANCELLED,
}
_STATUS_OF_ORDER = {
    OrderState.PREPARED: TaskStatus.PENDING,
    OrderState.WRITTEN: TaskStatus.DONE,
    OrderState.KNOWN: TaskStatus.SKIPPED,
    OrderState.TOO_LONG: TaskStatus.FAILED,
    OrderState.UNDONE: TaskStatus.CANCELLED,
}
_REASON_OF_ORDER = {
    OrderState.KNOWN: Reason.ORDER_KNOWN,
    OrderState.TOO_LONG: Reason.ORDER_TOO_LONG,
    OrderState.UNDONE: Reason.ORDER_UNDONE,
}


def find_hidden_steps(
    sql: Sql, chat_id: ChatId, *, since_id: MessageId, until_id: MessageId | None, limit: int
) -> tuple[HiddenStep, ...]:
    """Return up to `limit` hidden steps between two messages (None: to the end), in the order of the transcript."""
    most, until = max(0, limit), END if until_id is None else until_id
    plans = map(_plan, sql.all(_PLANS, chat_id, since_id, until, most))
    memories = map(_memory, sql.all(_MEMORIES, chat_id, since_id, until, most))
    orders = map(_order, sql.all(_ORDERS, chat_id, since_id, until, most))
    steps = map(_step, sql.all(_STEPS, chat_id, chat_id, since_id, since_id, until, since_id, until, most))
    # The sort is stable: within a plan first how it went, then what it remembered, then its steps.
    found = [*orders, *plans, *memories, *steps]
    found.sort(key=lambda step: (step.after_message_id, step.graph_id or 0))
    return tuple(found[:most])


def _step(row: Row) -> HiddenStep:
    task_id, graph_id, kind, status, text, at, after, reason, wait_s = row
    return HiddenStep(
        task_id=None if task_id is None else TaskId(task_id),
        graph_id=None if graph_id is None else GraphId(graph_id),
        kind=HiddenKind(kind),
        status=TaskStatus(status),
        text=text,
        at=from_micros(at),
        after_message_id=MessageId(after),
        reason=note_from_text(reason),
        wait_s=wait_s,
    )


def _memory(row: Row) -> HiddenStep:
    state = MemoryState(row[3])
    made = _step((*row[:3], _STATUS_OF_MEMORY[state].value, *row[4:]))
    return replace(made, reason=Note(Reason.ORDER_KNOWN)) if state is MemoryState.KNOWN else made


def _order(row: Row) -> HiddenStep:
    state = OrderState(row[3])
    made = _step((*row[:3], _STATUS_OF_ORDER[state].value, *row[4:7], "", None))
    return replace(made, reason=Note(_REASON_OF_ORDER.get(state, Reason.ORDERED), row[7]))


def _plan(row: Row) -> HiddenStep:
    return replace(_step((*row[:4], "", *row[5:])), problems=reply_problems_from_json(row[4]))
