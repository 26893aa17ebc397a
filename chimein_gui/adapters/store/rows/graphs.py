"""Plans in the database."""

from functools import lru_cache

from chimein_gui.adapters.store.cache.row_cache import Kept
from chimein_gui.adapters.store.columns.conditions import CURRENT
from chimein_gui.adapters.store.rows.values import (
    SAME_ROWS,
    Row,
    from_micros,
    ids_from_json,
    note_from_text,
    note_to_text,
    reply_problems_from_json,
    reply_problems_to_json,
    span_from_json,
    span_to_json,
    to_json,
    to_micros,
    well_formed,
)
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.ids import ChatId, GraphId
from chimein_gui.domain.tasks import Origin
from chimein_gui.engine.ports import GraphRow, GraphStanding, NewGraph

COLUMNS = (
    "graph_id, chat_id, origin, standing, variant_of, trigger_ids, span, instruction, problems, lost_rule, failed,"
    " created_at"
)
BY_ID = f"SELECT {COLUMNS} FROM graphs WHERE graph_id = ?"
CURRENT_OF_CHAT = f"SELECT {COLUMNS} FROM graphs INDEXED BY graphs_current WHERE chat_id = ? AND {CURRENT}"
VARIANTS = f"SELECT {COLUMNS} FROM graphs INDEXED BY graphs_variants WHERE variant_of = ? ORDER BY graph_id"
END = "UPDATE graphs SET standing = ? WHERE graph_id = ?"
INSERT = (
    "INSERT INTO graphs (chat_id, origin, standing, variant_of, trigger_ids, span, instruction, problems, created_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


class SqliteGraphRows:
    """The part of `engine.ports.TaskRows` that is about whole plans."""

    def __init__(self, sql: Sql, kept: Kept) -> None:
        self._sql = sql
        self._kept = kept

    def add_graph(self, new: NewGraph) -> GraphId:
        """Insert a plan; a CURRENT one replaces the chat's current one, which becomes PAST."""
        if new.standing is GraphStanding.CURRENT:
            self._end_current(new.chat_id)
        values = (
            new.chat_id,
            new.origin.value,
            new.standing.value,
            new.variant_of,
            to_json(new.trigger_ids),
            span_to_json(new.span),
            well_formed(new.instruction),
            reply_problems_to_json(new.problems),
        )
        created_at = to_micros(new.created_at)
        graph_id = GraphId(self._sql.insert(INSERT, *values, created_at, teller=self._kept))
        self._kept.graphs.added(_graph((graph_id, *values, False, "", created_at)))
        self._kept.steps.keep_graph(graph_id)
        return graph_id

    def graph(self, graph_id: GraphId) -> GraphRow:
        """Return one plan; raises NotFoundError."""
        known = self._kept.graphs.get(graph_id)
        if known is not None:
            return known
        found = self._sql.first(_graph, BY_ID, graph_id)
        if found is None:
            raise NotFoundError(f"no plan {graph_id}")
        return self._kept.graphs.keep(found)

    def current_graph(self, chat_id: ChatId) -> GraphRow | None:
        """Return the chat's current plan, or None."""
        is_known, graph = self._kept.graphs.current_of(chat_id)
        if not is_known:
            graph = self._sql.first(_graph, CURRENT_OF_CHAT, chat_id)
            self._kept.graphs.keep_current(chat_id, graph)
        return graph

    def variants_of(self, graph_id: GraphId) -> tuple[GraphRow, ...]:
        """Return the variants of a plan, oldest first."""
        known = self._kept.graphs.variants_of(graph_id)
        if known is None:
            known = self._sql.made(_graph, VARIANTS, graph_id)
            self._kept.graphs.keep_variants(graph_id, known)
        return known

    def save_graph(self, graph: GraphRow) -> None:
        """Write back all mutable columns of a plan; one that becomes CURRENT makes the one before PAST."""
        if graph.standing is GraphStanding.CURRENT:
            self._end_current(graph.chat_id, but=graph.graph_id)
        # Without a teller: it happens rarely, and snapshots of the plan's sends show some of it.
        self._sql.change(
            "UPDATE graphs SET standing = ?, variant_of = ?, trigger_ids = ?, span = ?, problems = ?, lost_rule = ?,"
            " failed = ? WHERE graph_id = ?",
            graph.standing.value,
            graph.variant_of,
            to_json(graph.trigger_ids),
            span_to_json(graph.span),
            reply_problems_to_json(graph.problems),
            graph.lost_rule,
            note_to_text(graph.failed),
            graph.graph_id,
            missing=f"no plan {graph.graph_id}",
        )

    def _end_current(self, chat_id: ChatId, *, but: GraphId | None = None) -> None:
        current = self.current_graph(chat_id)
        if current is not None and current.graph_id != but:
            self._sql.run(END, GraphStanding.PAST.value, current.graph_id, teller=self._kept)
            self._kept.graphs.ended(current)


@lru_cache(SAME_ROWS)
def _graph(row: Row) -> GraphRow:
    graph_id, chat_id, origin, standing, variant_of, trigger_ids, span, instruction, problems, *rest = row
    lost_rule, failed, created_at = rest
    return GraphRow(
        graph_id=GraphId(graph_id),
        chat_id=ChatId(chat_id),
        origin=Origin(origin),
        standing=GraphStanding(standing),
        variant_of=None if variant_of is None else GraphId(variant_of),
        trigger_ids=ids_from_json(trigger_ids),
        span=span_from_json(span),
        instruction=instruction,
        problems=reply_problems_from_json(problems),
        lost_rule=bool(lost_rule),
        failed=note_from_text(failed),
        created_at=from_micros(created_at),
    )
