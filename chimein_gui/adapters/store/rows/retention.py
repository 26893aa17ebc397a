"""Trims data that is kept only for a time."""

from collections.abc import Sequence
from datetime import datetime

from chimein_gui.adapters.store.columns.conditions import HOLDS_CHOICES, HOLDS_RAW, IN_A_PLAN, OPEN
from chimein_gui.adapters.store.rows.values import span_from_json, span_to_json, to_micros
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.ids import AccountId, GraphId, MessageId, PeerId
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.prompt.sent import CallId
from chimein_gui.domain.prompt.spans import PromptSpan

OLD_PLANS = f"""
SELECT graph_id FROM graphs g INDEXED BY graphs_to_trim WHERE {HOLDS_CHOICES} AND created_at < ?
AND NOT EXISTS (SELECT 1 FROM tasks t INDEXED BY tasks_of_graph
    WHERE t.graph_id = g.graph_id AND t.{IN_A_PLAN} AND {OPEN})
ORDER BY created_at LIMIT ?
"""
OLD_RAW = f"""
SELECT account_id, peer_id, message_id FROM messages INDEXED BY messages_to_trim
WHERE {HOLDS_RAW} AND sent_at < ? ORDER BY sent_at LIMIT ?
"""
OLD_PROMPTS = """
SELECT call_id FROM (SELECT call_id FROM prompts WHERE NOT EXISTS
    (SELECT 1 FROM traces t WHERE t.graph_id = prompts.graph_id AND t.graph_id IS NOT NULL AND t.kept = 1)
    AND NOT EXISTS
    (SELECT 1 FROM traces t WHERE t.task_id = prompts.task_id AND t.task_id IS NOT NULL AND t.kept = 1)
    ORDER BY call_id LIMIT ?)
CROSS JOIN model_calls USING (call_id) WHERE began_at < ?
"""
"""Calls are booked in the order of their ends, so that the first ones are the oldest but for some minutes."""
TRIM_RAW = """
UPDATE messages SET raw_json = CASE
    WHEN media_kind IN ('chat_add_user', 'chat_delete_user') AND json_valid(raw_json) THEN
        json_object('action', json_object('users', json_extract(raw_json, '$.action.users'),
            'user_id', json_extract(raw_json, '$.action.user_id')))
    ELSE '' END
WHERE account_id = ? AND peer_id = ? AND message_id = ?
"""


class SqliteRetentionRows:
    """Implements `engine.ports.RetentionRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def plans_before(self, before: datetime, *, limit: int) -> tuple[GraphId, ...]:
        """Return the oldest finished, replaced plans from before then that still store their context choices."""
        return tuple(GraphId(graph_id) for (graph_id,) in self._sql.all(OLD_PLANS, to_micros(before), max(0, limit)))

    def raw_before(self, before: datetime, *, limit: int) -> tuple[MessageKey, ...]:
        found = self._sql.all(OLD_RAW, to_micros(before), max(0, limit))
        return tuple(MessageKey(AccountId(account), PeerId(peer), MessageId(number)) for account, peer, number in found)

    def prompts_before(self, before: datetime, *, limit: int) -> tuple[CallId, ...]:
        return tuple(CallId(call_id) for (call_id,) in self._sql.all(OLD_PROMPTS, max(0, limit), to_micros(before)))

    def forget_prompts(self, call_ids: Sequence[CallId]) -> None:
        for call_id in call_ids:
            self._sql.run("DELETE FROM prompts WHERE call_id = ?", call_id)

    def forget_choices(self, graph_ids: Sequence[GraphId]) -> None:
        for graph_id in graph_ids:
            row = self._sql.one("SELECT span FROM graphs WHERE graph_id = ?", graph_id)
            if row is not None:
                span = span_from_json(row[0])
                kept = span_to_json(PromptSpan(span.low, span.high, span.extra))
                self._sql.run("UPDATE graphs SET span = ? WHERE graph_id = ?", kept, graph_id)

    def forget_raw(self, keys: Sequence[MessageKey]) -> None:
        for key in keys:
            self._sql.run(TRIM_RAW, key.account_id, key.peer_id, key.message_id)
