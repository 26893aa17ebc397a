"""Plans in the database, and how the operator edited them."""

import json
from functools import lru_cache

from chimein_gui.adapters.store.columns.conditions import CURRENT, IN_TURN
from chimein_gui.adapters.store.memo import chat_scope
from chimein_gui.adapters.store.rows.tasks import know_no_steps, scope_of
from chimein_gui.adapters.store.rows.values import (
    SAME_ROWS,
    Row,
    encoded,
    from_micros,
    ids_from_json,
    ids_to_json,
    maybe_from_micros,
    maybe_to_micros,
    note_from_text,
    note_to_text,
    reply_problems_from_json,
    reply_problems_to_json,
    span_from_json,
    span_to_json,
    to_micros,
    well_formed,
)
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.ids import ChatId, GraphId, TaskId
from chimein_gui.domain.plans.step_edits import PlanEdit, StepAction, StepPlace, WaitBefore
from chimein_gui.domain.tasks import Origin
from chimein_gui.engine.ports import GraphRow, GraphStanding, NewGraph

COLUMNS = (
    "graph_id, chat_id, origin, standing, variant_of, trigger_ids, span, instruction, problems, lost_rule, failed,"
    " created_at"
)
BY_ID = f"SELECT {COLUMNS} FROM graphs WHERE graph_id = ?"
PLAN_OF_CARD = "SELECT origin, span FROM graphs WHERE graph_id = ?"
CURRENT_OF_CHAT = f"SELECT {COLUMNS} FROM graphs INDEXED BY graphs_current WHERE chat_id = ? AND {CURRENT}"
VARIANTS = f"SELECT {COLUMNS} FROM graphs INDEXED BY graphs_variants WHERE variant_of = ? ORDER BY graph_id"
BEFORE = f"""
SELECT {COLUMNS} FROM graphs INDEXED BY graphs_newest
WHERE chat_id = ? AND graph_id < ? AND {IN_TURN} AND standing = 'past' ORDER BY graph_id DESC LIMIT ?
"""
AFTER = f"""
SELECT {COLUMNS} FROM graphs INDEXED BY graphs_newest
WHERE chat_id = ? AND graph_id > ? AND {IN_TURN} AND failed = '' ORDER BY graph_id LIMIT 1
"""
_NEWEST = 2**63 - 1
END = "UPDATE graphs SET standing = ? WHERE graph_id = ?"
INSERT = (
    "INSERT INTO graphs (chat_id, origin, standing, variant_of, trigger_ids, span, instruction, problems, created_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def as_stored(row: Row) -> Row:
    """Return a row as it is."""
    return row


class SqliteGraphRows:
    """Implements `engine.ports.GraphRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, new: NewGraph) -> GraphId:
        if new.standing is GraphStanding.CURRENT:
            self._end_current(new.chat_id)
        *values, created_at = (
            new.chat_id,
            new.origin.value,
            new.standing.value,
            new.variant_of,
            ids_to_json(new.trigger_ids),
            span_to_json(new.span),
            well_formed(new.instruction),
            well_formed(reply_problems_to_json(new.problems)),
            to_micros(new.created_at),
        )
        graph_id = self._sql.insert(INSERT, *values, created_at, scope=chat_scope(new.chat_id))
        written = _graph((graph_id, *values, 0, "", created_at))  # what is not given is as the table has it at first
        scope = scope_of(written)
        self._sql.know((written,), _graph, BY_ID, graph_id, scope=scope)
        self._sql.know((), _graph, VARIANTS, graph_id, scope=scope)
        know_no_steps(self._sql, GraphId(graph_id), new.chat_id)
        self._sql.know(((values[1], values[5]),), as_stored, PLAN_OF_CARD, graph_id, scope=scope)
        if new.standing is GraphStanding.CURRENT:
            self._sql.know((written,), _graph, CURRENT_OF_CHAT, new.chat_id, scope=scope)
        return GraphId(graph_id)

    def get(self, graph_id: GraphId) -> GraphRow:
        found = self._sql.first(_graph, BY_ID, graph_id, scope=scope_of)
        if found is None:
            raise NotFoundError(f"no plan {graph_id}")
        return found

    def current_of(self, chat_id: ChatId) -> GraphRow | None:
        return self._sql.first(_graph, CURRENT_OF_CHAT, chat_id, scope=chat_scope(chat_id))

    def variants_of(self, graph_id: GraphId) -> tuple[GraphRow, ...]:
        return self._sql.made(_graph, VARIANTS, graph_id, scope=scope_of)

    def before(self, chat_id: ChatId, before: GraphId | None, *, limit: int) -> tuple[GraphRow, ...]:
        newest = _NEWEST if before is None else before
        return self._sql.made(_graph, BEFORE, chat_id, newest, max(0, limit), scope=chat_scope(chat_id))

    def after(self, chat_id: ChatId, graph_id: GraphId) -> GraphRow | None:
        return self._sql.first(_graph, AFTER, chat_id, graph_id, scope=chat_scope(chat_id))

    def save(self, graph: GraphRow) -> None:
        """Write back all mutable columns of a plan; if it becomes CURRENT, the previous current plan becomes PAST."""
        if graph.standing is GraphStanding.CURRENT:
            self._end_current(graph.chat_id, but=graph.graph_id)
        self._sql.change(
            "UPDATE graphs SET standing = ?, variant_of = ?, trigger_ids = ?, span = ?, problems = ?, lost_rule = ?,"
            " failed = ? WHERE graph_id = ?",
            graph.standing.value,
            graph.variant_of,
            ids_to_json(graph.trigger_ids),
            span_to_json(graph.span),
            reply_problems_to_json(graph.problems),
            graph.lost_rule,
            note_to_text(graph.failed),
            graph.graph_id,
            missing=f"no plan {graph.graph_id}",
            scope=chat_scope(graph.chat_id),
        )

    def _end_current(self, chat_id: ChatId, *, but: GraphId | None = None) -> None:
        current = self.current_of(chat_id)
        if current is not None and current.graph_id != but:
            self._sql.run(END, str(GraphStanding.PAST), current.graph_id, scope=chat_scope(chat_id))


NEWEST_EDIT = """
SELECT edit_id, graph_id, client_id, action, task_id, at, changed FROM plan_edits INDEXED BY plan_edits_of_graph
WHERE graph_id = ? AND undone = 0 AND action <> 'undo' ORDER BY edit_id DESC LIMIT 1
"""

EDITS_OF_GRAPH = """
SELECT edit_id, graph_id, client_id, action, task_id, at, changed FROM plan_edits INDEXED BY plan_edits_of_graph
WHERE graph_id = ? ORDER BY edit_id
"""


class SqlitePlanEditRows:
    """Implements `engine.ports.PlanEditRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, edit: PlanEdit) -> None:
        if edit.action is StepAction.UNDO:
            newest = self._sql.one(NEWEST_EDIT, edit.graph_id)
            if newest is not None:
                self._sql.run("UPDATE plan_edits SET undone = 1 WHERE edit_id = ?", newest[0])
        self._sql.insert(
            "INSERT INTO plan_edits (graph_id, client_id, action, task_id, at, changed) VALUES (?, ?, ?, ?, ?, ?)",
            edit.graph_id,
            edit.client_id,
            edit.action.value,
            edit.task_id,
            to_micros(edit.at),
            _changed_to_json(edit),
        )

    def count(self, graph_id: GraphId) -> int:
        found = self._sql.one("SELECT count(*) FROM plan_edits WHERE graph_id = ?", graph_id)
        return found[0] if found else 0

    def newest(self, graph_id: GraphId) -> PlanEdit | None:
        return self._sql.first(_edit, NEWEST_EDIT, graph_id)

    def of_graph(self, graph_id: GraphId) -> tuple[PlanEdit, ...]:
        return tuple(map(_edit, self._sql.all(EDITS_OF_GRAPH, graph_id)))

    def of_client(self, client_id: str) -> PlanEdit | None:
        return self._sql.first(
            _edit,
            "SELECT edit_id, graph_id, client_id, action, task_id, at, changed FROM plan_edits WHERE client_id = ?",
            client_id,
        )


def _changed_to_json(edit: PlanEdit) -> str:
    waits = [(one.task_id, one.wait_s, maybe_to_micros(one.due_at)) for one in edit.waits]
    places = [(one.task_id, one.depends_on, one.position) for one in edit.places]
    return encoded({"places": places, "added": edit.added, "ended": edit.ended, "waits": waits})


def _edit(row: Row) -> PlanEdit:
    _, graph_id, client_id, action, task_id, at, text = row
    changed = json.loads(text)
    return PlanEdit(
        GraphId(graph_id),
        StepAction(action),
        TaskId(task_id),
        client_id,
        from_micros(at),
        tuple(StepPlace(TaskId(one), tuple(map(TaskId, earlier)), place) for one, earlier, place in changed["places"]),
        tuple(map(TaskId, changed["added"])),
        tuple(map(TaskId, changed["ended"])),
        tuple(WaitBefore(TaskId(one), wait_s, maybe_from_micros(due_at)) for one, wait_s, due_at in changed["waits"]),
    )


# A dict look-up is ten times as fast as the enum's constructor.
_ORIGINS = {one.value: one for one in Origin}
_STANDINGS = {one.value: one for one in GraphStanding}


@lru_cache(SAME_ROWS)
def _graph(row: Row) -> GraphRow:
    graph_id, chat_id, origin, standing, variant_of, trigger_ids, span, instruction, problems, *rest = row
    lost_rule, failed, created_at = rest
    return GraphRow(
        graph_id=GraphId(graph_id),
        chat_id=ChatId(chat_id),
        origin=_ORIGINS[origin],
        standing=_STANDINGS[standing],
        variant_of=None if variant_of is None else GraphId(variant_of),
        trigger_ids=ids_from_json(trigger_ids),
        span=span_from_json(span),
        instruction=instruction,
        problems=reply_problems_from_json(problems),
        lost_rule=bool(lost_rule),
        failed=note_from_text(failed),
        created_at=from_micros(created_at),
    )
