"""Effects of replies in the database: memories, booked model calls, the prompts that were sent, partners' orders."""

import json
from datetime import datetime
from typing import Any

from chimein_gui.adapters.store.columns.conditions import TO_WRITE
from chimein_gui.adapters.store.memo import chat_scope
from chimein_gui.adapters.store.rows.values import Row, from_micros, to_micros
from chimein_gui.adapters.store.spending.rows import add_to_day
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.costs import ASIDE, DRY_RUN, AgentDay, CallEnd, CostToday, ModelCall
from chimein_gui.domain.ids import AgentId, ChatId, GraphId, MessageId, PeerId, TaskId
from chimein_gui.domain.memory.choice import RecallFact, RecallStatus
from chimein_gui.domain.memory.embedding import EmbeddingState
from chimein_gui.domain.memory.orders.given import GivenOrder, OrderState
from chimein_gui.domain.memory.orders.recognition import OrderForm
from chimein_gui.domain.prompt.left_out import LeftOut, LeftOutKind
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.prompt.sent import CallId, PromptOutline, SectionSource, SentCall, StoredPrompt
from chimein_gui.domain.traces.summaries import TraceId
from chimein_gui.engine.ports import MemoryEffect, MemoryState

MEMORIES = "SELECT graph_id, place, agent_id, chat_id, text, state, created_at FROM memories"
ORDERS = "SELECT chat_id, message_id, agent_id, person_id, form, text, state, created_at, known FROM memory_orders"
ANY_ORDER = "SELECT 1 FROM memory_orders WHERE chat_id = ? LIMIT 1"
CALLS = (
    "chat_id, model, purpose, began_at, latency_s, ending, prompt_tokens, reply_tokens, thinking_tokens, estimated,"
    " cost_usd, cached_tokens"
)


COST = f"""
SELECT count(*), coalesce(sum(cost_usd), 0.0), count(*) - count(cost_usd),
coalesce(sum(cost_usd) FILTER (WHERE purpose = '{DRY_RUN}'), 0.0) FROM (
SELECT cost_usd, purpose FROM model_calls WHERE began_at >= ?1 AND began_at < ?2
UNION ALL SELECT cost_usd, purpose FROM agent_calls WHERE began_at >= ?1 AND began_at < ?2)
"""
USAGE = f"""
SELECT count(*), coalesce(sum(prompt_tokens), 0), coalesce(sum(reply_tokens), 0), coalesce(sum(thinking_tokens), 0)
FROM model_calls
WHERE began_at >= ?1 AND began_at < ?2 AND purpose = ?3 AND ending = '{CallEnd.ANSWERED.value}' AND NOT estimated
"""
AGENT_COST = """
SELECT coalesce(sum(cost_usd), 0.0), count(*) - count(cost_usd) FROM (
SELECT m.cost_usd FROM model_calls m CROSS JOIN chats c ON c.chat_id = m.chat_id
WHERE m.began_at >= ?1 AND m.began_at < ?2 AND c.agent_id = ?3
UNION ALL SELECT cost_usd FROM agent_calls WHERE began_at >= ?1 AND began_at < ?2 AND agent_id = ?3)
"""
AGENT_SENT = """
SELECT count(*) FROM ledger l INDEXED BY ledger_sent CROSS JOIN chats c ON c.chat_id = l.chat_id
WHERE l.claimed_at >= ? AND l.claimed_at < ? AND l.state = 'sent' AND l.message_id IS NOT NULL AND c.agent_id = ?
"""
_ASIDE = ", ".join(f"'{purpose}'" for purpose in sorted(ASIDE))
LATENCIES = f"""
SELECT latency_s FROM model_calls
WHERE began_at >= ? AND began_at < ? AND ending = '{CallEnd.ANSWERED.value}' AND purpose NOT IN ({_ASIDE})
ORDER BY began_at DESC, call_id DESC LIMIT ?
"""
ADD_PROMPT = """
INSERT INTO prompts (call_id, graph_id, task_id, outline, body) SELECT m.call_id, ?1, ?2, ?3, ?4
FROM model_calls m INDEXED BY model_calls_began
WHERE m.began_at = ?5 AND m.chat_id = ?6 AND m.purpose = ?7
AND (EXISTS (SELECT 1 FROM graphs g WHERE g.graph_id = ?1) OR EXISTS (SELECT 1 FROM tasks k WHERE k.task_id = ?2))
AND NOT EXISTS (SELECT 1 FROM prompts p WHERE p.call_id = m.call_id) ORDER BY m.call_id LIMIT 1
"""
PROMPTS_OF_GRAPH = f"""
SELECT p.call_id, {CALLS} FROM prompts p INDEXED BY prompts_of_graph
CROSS JOIN model_calls m ON m.call_id = p.call_id WHERE p.graph_id = ? ORDER BY p.call_id
"""
PROMPTS_OF_ATTEMPTS = f"""
SELECT p.call_id, {CALLS} FROM prompts p INDEXED BY prompts_of_task CROSS JOIN model_calls m ON m.call_id = p.call_id
WHERE p.task_id = (SELECT task_id FROM traces WHERE trace_id = ?) AND p.task_id IS NOT NULL ORDER BY p.call_id
"""
PROMPTS_OF_CHAT = f"""
SELECT p.call_id, {CALLS} FROM model_calls m INDEXED BY model_calls_of_chat
CROSS JOIN prompts p ON p.call_id = m.call_id WHERE m.chat_id = ? ORDER BY m.call_id DESC LIMIT ?
"""
ONE_PROMPT = f"""
SELECT p.graph_id, p.outline, p.body, p.call_id, {CALLS} FROM prompts p
CROSS JOIN model_calls m ON m.call_id = p.call_id WHERE p.call_id = ?
"""


class SqliteEffectRows:
    """Implements `engine.ports.EffectRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add_memory(self, effect: MemoryEffect) -> None:
        self._sql.run(
            "INSERT INTO memories (graph_id, place, agent_id, chat_id, text, state, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            effect.graph_id,
            effect.index,
            effect.agent_id,
            effect.chat_id,
            effect.text,
            effect.state.value,
            to_micros(effect.created_at),
        )

    def memory(self, graph_id: GraphId, index: int) -> MemoryEffect | None:
        row = self._sql.one(f"{MEMORIES} WHERE graph_id = ? AND place = ?", graph_id, index)
        return None if row is None else _memory(row)

    def memories_to_write(self) -> tuple[MemoryEffect, ...]:
        rows = self._sql.all(
            f"{MEMORIES} INDEXED BY memories_to_write WHERE {TO_WRITE} ORDER BY created_at, graph_id, place"
        )
        return tuple(map(_memory, rows))

    def set_memory(self, graph_id: GraphId, index: int, state: MemoryState) -> None:
        self._sql.change(
            "UPDATE memories SET state = ? WHERE graph_id = ? AND place = ?",
            state.value,
            graph_id,
            index,
            missing=f"plan {graph_id} has no memory {index}",
        )

    def book(self, chat_id: ChatId, call: ModelCall) -> None:
        self._sql.run(
            f"INSERT INTO model_calls ({CALLS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            chat_id,
            call.model,
            call.purpose,
            to_micros(call.began_at),
            call.latency_s,
            call.end.value,
            call.usage.prompt_tokens,
            call.usage.reply_tokens,
            call.usage.thinking_tokens,
            call.estimated,
            call.cost_usd,
            call.usage.cached_tokens,
        )
        add_to_day(self._sql, None, chat_id, call)

    def book_of_agent(self, agent_id: AgentId | None, call: ModelCall) -> None:
        self._sql.run(
            "INSERT INTO agent_calls (agent_id, model, purpose, began_at, latency_s, ending, prompt_tokens, estimated,"
            " cost_usd) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            agent_id,
            call.model,
            call.purpose,
            to_micros(call.began_at),
            call.latency_s,
            call.end.value,
            call.usage.prompt_tokens,
            call.estimated,
            call.cost_usd,
        )
        add_to_day(self._sql, agent_id, None, call)

    def embedding_state(self) -> EmbeddingState:
        row = self._sql.one("SELECT in_use, stopped FROM memory_embedding WHERE only_one = 1")
        return EmbeddingState() if row is None else EmbeddingState(*row)

    def set_embedding_state(self, state: EmbeddingState) -> None:
        self._sql.run(
            "INSERT INTO memory_embedding (only_one, in_use, stopped) VALUES (1, ?, ?)"
            " ON CONFLICT (only_one) DO UPDATE SET in_use = excluded.in_use, stopped = excluded.stopped",
            state.in_use,
            state.stopped,
        )

    def cost_between(self, began_at: datetime, ends_at: datetime, *, latencies: int) -> CostToday:
        between = to_micros(began_at), to_micros(ends_at)
        ((calls, usd, unpriced, dry_runs_usd),) = self._sql.all(COST, *between)
        newest = self._sql.all(LATENCIES, *between, latencies)
        answered = tuple(latency_s for (latency_s,) in reversed(newest))
        return CostToday(began_at, ends_at, usd, calls, unpriced, answered, dry_runs_usd)

    def calls_between(self, purpose: str, began_at: datetime, ends_at: datetime) -> int:
        statement = "SELECT count(*) FROM model_calls WHERE began_at >= ? AND began_at < ? AND purpose = ?"
        ((calls,),) = self._sql.all(statement, to_micros(began_at), to_micros(ends_at), purpose)
        return int(calls)

    def usage_between(self, purpose: str, began_at: datetime, ends_at: datetime) -> tuple[int, Usage]:
        ((calls, prompt, reply, thinking),) = self._sql.all(USAGE, to_micros(began_at), to_micros(ends_at), purpose)
        return int(calls), Usage(prompt_tokens=prompt, reply_tokens=reply, thinking_tokens=thinking)

    def agent_between(self, agent_id: AgentId, began_at: datetime, ends_at: datetime) -> AgentDay:
        between = to_micros(began_at), to_micros(ends_at)
        ((usd, unpriced),) = self._sql.all(AGENT_COST, *between, agent_id)
        ((sent,),) = self._sql.all(AGENT_SENT, *between, agent_id)
        return AgentDay(sent, usd, unpriced)


class SqliteMemoryOrderRows:
    """Implements `engine.ports.MemoryOrderRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, order: GivenOrder) -> bool:
        added = self._sql.run(
            "INSERT INTO memory_orders (chat_id, message_id, agent_id, person_id, form, text, state, created_at, known)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            order.chat_id,
            order.message_id,
            order.agent_id,
            order.person,
            order.form.value,
            order.text,
            order.state.value,
            to_micros(order.created_at),
            order.known,
            scope=chat_scope(order.chat_id),
        )
        return added.rowcount > 0

    def get(self, chat_id: ChatId, message_id: MessageId) -> GivenOrder | None:
        if self._sql.one(ANY_ORDER, chat_id, scope=chat_scope(chat_id)) is None:
            return None  # as in nearly every chat: that is asked once
        row = self._sql.one(f"{ORDERS} WHERE chat_id = ? AND message_id = ?", chat_id, message_id)
        return None if row is None else _order(row)

    def of_chat(self, chat_id: ChatId, *, since_id: MessageId, limit: int) -> tuple[GivenOrder, ...]:
        rows = self._sql.all(
            f"{ORDERS} WHERE chat_id = ? AND message_id >= ? ORDER BY message_id LIMIT ?", chat_id, since_id, limit
        )
        return tuple(map(_order, rows))

    def to_write(self) -> tuple[GivenOrder, ...]:
        rows = self._sql.all(
            f"{ORDERS} INDEXED BY memory_orders_to_write WHERE {TO_WRITE} ORDER BY created_at, chat_id, message_id"
        )
        return tuple(map(_order, rows))

    def set_state(self, chat_id: ChatId, message_id: MessageId, state: OrderState, known: str = "") -> None:
        self._sql.change(
            "UPDATE memory_orders SET state = ?, known = ? WHERE chat_id = ? AND message_id = ?",
            state.value,
            known,
            chat_id,
            message_id,
            missing=f"message {message_id} gave no order",
        )


class SqlitePromptRows:
    """Implements `engine.ports.PromptRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(
        self,
        graph_id: GraphId | None,
        chat_id: ChatId,
        call: ModelCall,
        outline: PromptOutline,
        packed: bytes,
        task_id: TaskId | None = None,
    ) -> None:
        written = json.dumps([outline.sections, outline.left_out, outline.recalled], ensure_ascii=True)
        began_at = to_micros(call.began_at)
        self._sql.run(ADD_PROMPT, graph_id, task_id, written, packed, began_at, chat_id, call.purpose)

    def of_graph(self, graph_id: GraphId) -> tuple[SentCall, ...]:
        return tuple(SentCall(CallId(row[0]), call_of(row[1:])) for row in self._sql.all(PROMPTS_OF_GRAPH, graph_id))

    def of_attempts(self, trace_id: TraceId) -> tuple[SentCall, ...]:
        rows = self._sql.all(PROMPTS_OF_ATTEMPTS, trace_id)
        return tuple(SentCall(CallId(row[0]), call_of(row[1:])) for row in rows)

    def of_chat(self, chat_id: ChatId, *, limit: int) -> tuple[SentCall, ...]:
        rows = self._sql.all(PROMPTS_OF_CHAT, chat_id, limit)
        return tuple(SentCall(CallId(row[0]), call_of(row[1:])) for row in rows)

    def get(self, call_id: CallId) -> tuple[GraphId | None, StoredPrompt] | None:
        row = self._sql.one(ONE_PROMPT, call_id)
        if row is None:
            return None
        graph_id, outline, packed, number, *call = row
        sections, left_out, *more = json.loads(outline)  # prompts of earlier versions have no found memories
        recalled = tuple(map(_recalled, more[0])) if more else ()
        made = PromptOutline(tuple(map(_source, sections)), tuple(map(_left_out, left_out)), recalled)
        chat_id = None if call[0] is None else ChatId(call[0])
        return GraphId(graph_id), StoredPrompt(SentCall(CallId(number), call_of(tuple(call))), made, packed, chat_id)


def _source(stored: list[Any]) -> SectionSource:
    title, source, first_line, last_line, *filled = stored  # prompts of earlier versions have no places of variables
    places = filled[0] if filled else ()
    return SectionSource(title, source, first_line, last_line, tuple((first, behind) for first, behind in places))


def _recalled(stored: list[Any]) -> RecallFact:
    *facts, status, is_used = stored
    return RecallFact._make((*facts, RecallStatus(status), is_used))


def _left_out(one: str | list[str | int]) -> LeftOut:
    """Read an entry; earlier versions wrote the names of role prompts alone."""
    if isinstance(one, str):
        return LeftOut(LeftOutKind.ROLE, one)
    kind, name, number = one
    return LeftOut(LeftOutKind(str(kind)), str(name), int(number))


def _memory(row: Row) -> MemoryEffect:
    graph_id, index, agent_id, chat_id, text, state, created_at = row
    return MemoryEffect(
        graph_id=GraphId(graph_id),
        index=index,
        agent_id=AgentId(agent_id),
        chat_id=ChatId(chat_id),
        text=text,
        state=MemoryState(state),
        created_at=from_micros(created_at),
    )


def _order(row: Row) -> GivenOrder:
    chat_id, message_id, agent_id, person_id, form, text, state, created_at, known = row
    return GivenOrder(
        ChatId(chat_id),
        MessageId(message_id),
        AgentId(agent_id),
        PeerId(person_id),
        OrderForm(form),
        text,
        OrderState(state),
        from_micros(created_at),
        known,
    )


def call_of(row: Row) -> ModelCall:
    """Return a booked call from a row of `CALLS`."""
    _chat_id, model, purpose, began_at, latency_s, end, prompt_tokens, reply_tokens, thinking_tokens, *rest = row
    estimated, cost_usd, cached_tokens = rest
    return ModelCall(
        model=model,
        purpose=purpose,
        began_at=from_micros(began_at),
        latency_s=latency_s,
        end=CallEnd(end),
        usage=Usage(prompt_tokens, reply_tokens, thinking_tokens, cached_tokens),
        estimated=bool(estimated),
        cost_usd=cost_usd,
    )
