"""Traces in the database. Their rows are small, so that a list of 100,000 is read quickly; bodies stand apart."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from chimein_gui.adapters.store.memo import chat_scope
from chimein_gui.adapters.store.rows.values import Row, encoded, from_micros, note_from_text, to_micros
from chimein_gui.adapters.store.sql import Sql, Value
from chimein_gui.adapters.store.traces.building import made_of, part_of_called
from chimein_gui.adapters.store.traces.codec import unpack
from chimein_gui.adapters.store.traces.late import LateTraces
from chimein_gui.adapters.store.traces.words import TraceWords, has_index, question, words_of
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.ids import AccountId, AgentId, ChatId, GraphId, MessageId, TaskId
from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.domain.spending.sums import PlanCosts
from chimein_gui.domain.traces.entries import TraceEntry
from chimein_gui.domain.traces.records import TraceBody, TraceRecord
from chimein_gui.domain.traces.summaries import (
    EVERYTHING,
    LEAVING,
    NEEDS_YOU,
    NO_STANDINGS,
    OPEN,
    PROBLEMS,
    Standings,
    TraceCounts,
    TraceFilter,
    TraceGroup,
    TraceId,
    TraceKind,
    TraceSizes,
    TraceState,
    TraceSummary,
)

AGAIN = """
UPDATE traces SET state = ?, graph_id = ?, ended_at = ?, problem = ?, first_words = ?, usd = ?, unpriced = ?,
    tokens_in = ?, tokens_out = ?, tokens_cached = ?, calls = ?, pages = ?, refused = ?, attempts = attempts + 1,
    work_s = ?, slow = ?, expensive = ?, size = ?, called = ?, worded = 0 WHERE trace_id = ?
"""
OF_TASK = """
SELECT t.trace_id, b.body FROM traces t CROSS JOIN trace_bodies b ON b.trace_id = t.trace_id
WHERE t.task_id = ? AND t.task_id IS NOT NULL
"""
ID_OF_TASK = "SELECT trace_id, chat_id FROM traces WHERE task_id = ? AND task_id IS NOT NULL"
OF_MESSAGE = """
SELECT t.trace_id FROM ledger l INDEXED BY ledger_of_message CROSS JOIN approvals a ON a.approval_id = l.approval_id
CROSS JOIN tasks k ON k.task_id = a.task_id CROSS JOIN traces t INDEXED BY traces_of_graph ON t.graph_id = k.graph_id
WHERE l.chat_id = ? AND l.message_id = ? AND t.graph_id IS NOT NULL LIMIT 1
"""
COLUMNS = """
t.trace_id, t.kind, t.chat_id, c.account_id, t.agent_id, a.name, c.title, c.kind, t.began_at, t.ended_at, t.state,
t.problem, t.first_words, t.usd, t.unpriced, t.tokens_in, t.tokens_out, t.tokens_cached, t.calls, t.pages, t.refused,
t.attempts, t.work_s, t.kept, t.edited, t.rejected, t.slow, t.expensive, t.graph_id, t.size
"""
JOINED = "CROSS JOIN chats c ON c.chat_id = t.chat_id LEFT JOIN agents a ON a.agent_id = t.agent_id"
ONE = f"SELECT {COLUMNS} FROM traces t {JOINED} WHERE t.trace_id = ?"
TO_WORD = f"""
SELECT t.trace_id, t.first_words, c.title, a.name, b.body FROM traces t INDEXED BY traces_to_word {JOINED}
CROSS JOIN trace_bodies b ON b.trace_id = t.trace_id WHERE t.worded = 0 ORDER BY t.trace_id LIMIT ?
"""


def _listed(states: Iterable[TraceState]) -> str:
    return ", ".join(f"'{one.value}'" for one in sorted(states))


COUNTED = f"""
count(*), count(*) FILTER (WHERE {{needs_you}}), count(*) FILTER (WHERE {{problems}}),
count(*) FILTER (WHERE t.kind = '{TraceKind.DRY_RUN.value}')
"""
NOT_POSTPONED = (
    f"(t.state <> '{TraceState.WAITING.value}' OR coalesce(t.graph_id, 0) NOT IN (SELECT value FROM json_each(?)))"
)
HELD_UP = f"t.state IN ({_listed(LEAVING)}) AND t.agent_id IN (SELECT value FROM json_each(?))"
PLANS = (
    f"coalesce(sum(state <> '{TraceState.CAPPED.value}'), 0), count(usd),"
    f" coalesce(sum(state = '{TraceState.NO_ANSWER.value}'), 0)"
)
OF_PLANS = f"FROM traces WHERE kind <> '{TraceKind.DRY_RUN.value}' AND ended_at >= ? AND ended_at < ?"
OLDEST = f"""
SELECT trace_id FROM traces WHERE kept = 0 AND state NOT IN ({_listed(OPEN)}) AND ended_at < ?
ORDER BY trace_id LIMIT ?
"""
KEEP_SOURCE = "INSERT INTO trace_sources (trace_id, place, source) SELECT ?, ?, ? FROM traces WHERE trace_id = ?"
"""A trace that could not be written has no sources."""
_END_OF_TIME = 1 << 62


class SqliteTraceRows:
    """Implements `engine.ports.TraceRows`."""

    def __init__(self, sql: Sql, late: LateTraces) -> None:
        self._sql = sql
        self._late = late
        self._words = TraceWords(sql)

    def changed(self) -> list[tuple[TraceId, ChatId, TraceState]]:
        return [(TraceId(one), ChatId(chat), TraceState(state)) for one, chat, state in self._late.take_changed()]

    def record(self, record: TraceRecord) -> TraceId:
        if record.task_id is not None and self._late.may_be_known(record.task_id):
            earlier = self._sql.one(OF_TASK, record.task_id)
            if earlier is not None:
                return self._record_again(record, TraceId(earlier[0]), unpack(earlier[1]).entries)
        trace_id = TraceId(self._late.add(record))
        self._keep_sources(trace_id, 0, record)
        return trace_id

    def _record_again(self, record: TraceRecord, trace_id: TraceId, earlier: tuple[TraceEntry, ...]) -> TraceId:
        """Add an attempt to the trace of the earlier ones, whose sources are in the database."""
        scope, first = chat_scope(record.chat_id), sum(isinstance(one, PageFetched) for one in earlier)
        body, problem, words, figures, called, flags = made_of(replace(record, entries=(*earlier, *record.entries)))
        slow, expensive, size = flags
        if first:
            size += self._size_of_sources(trace_id)
        values = record.state.value, record.graph_id, to_micros(record.ended_at), problem, words, *figures
        self._sql.run(AGAIN, *values, slow, expensive, size, called, trace_id, scope=scope)
        self._sql.run("UPDATE trace_bodies SET body = ? WHERE trace_id = ?", body, trace_id, scope=scope)
        self._late.rewritten(trace_id, record.chat_id, record.state.value, record.graph_id)
        self._keep_sources(trace_id, first, record)
        return trace_id

    def _keep_sources(self, trace_id: TraceId, first: int, record: TraceRecord) -> None:
        """Store the sources of a record's pages, of which the first is that number of its trace."""
        pages = (one for one in record.entries if type(one) is PageFetched)
        for place, one in enumerate(pages, first):
            if one.source:
                self._sql.run(KEEP_SOURCE, trace_id, place, one.source, trace_id)

    def _size_of_sources(self, trace_id: int) -> int:
        row = self._sql.one("SELECT sum(length(source)) FROM trace_sources WHERE trace_id = ?", trace_id)
        return (row[0] or 0) if row is not None else 0

    def source(self, trace_id: TraceId, place: int) -> bytes | None:
        row = self._sql.one("SELECT source FROM trace_sources WHERE trace_id = ? AND place = ?", trace_id, place)
        return None if row is None else bytes(row[0])

    def follow(self, graph_id: GraphId, state: TraceState, *, rejected: bool) -> None:
        self._late.move(graph_id, str(state), rejected=rejected)

    def mark_edited(self, graph_id: GraphId) -> None:
        self._sql.run("UPDATE traces SET edited = 1 WHERE graph_id = ? AND graph_id IS NOT NULL", graph_id)

    def end_attempts(self, task_id: TaskId, state: TraceState) -> None:
        row = self._sql.one(ID_OF_TASK, task_id)
        if row is not None:
            self._sql.run("UPDATE traces SET state = ? WHERE trace_id = ?", state.value, row[0])
            self._late.rewritten(row[0], row[1], state.value, None)

    def keep(self, trace_id: TraceId, *, is_kept: bool) -> None:
        missing = f"no trace {trace_id}"
        self._sql.change("UPDATE traces SET kept = ? WHERE trace_id = ?", int(is_kept), trace_id, missing=missing)

    def page(
        self,
        wanted: TraceFilter,
        before: TraceId | None,
        *,
        skip: int = 0,
        limit: int,
        standings: Standings = NO_STANDINGS,
    ) -> tuple[TraceSummary, ...]:
        conditions, values = _conditions(wanted, standings)
        tables, key = _tables(wanted)
        if before is not None:
            conditions, values = [*conditions, f"{key} < ?"], [*values, before]
        where = " AND ".join(conditions) or "1"
        # The rows are chosen first, from the index: joined with chats and agents are only those that are shown.
        chosen = f"SELECT t.trace_id FROM {tables} WHERE {where} ORDER BY {key} DESC LIMIT ? OFFSET ?"
        rows = self._sql.all(
            f"SELECT {COLUMNS} FROM ({chosen}) n CROSS JOIN traces t ON t.trace_id = n.trace_id {JOINED}"
            " ORDER BY t.trace_id DESC",
            *values,
            max(0, limit),
            max(0, skip),
        )
        return tuple(map(_summary, rows))

    def count(self, wanted: TraceFilter, standings: Standings = NO_STANDINGS) -> TraceCounts:
        conditions, values = _conditions(wanted, standings)
        where = " AND ".join(conditions) or "1"
        if _asks_for_words(wanted):
            return _count_with_words(self._sql, f"FROM {_tables(wanted)[0]} WHERE {where}", values, standings)
        found = f"FROM traces t INDEXED BY traces_filtered WHERE {where}"
        # The index is in this order, so that 100,000 are counted in a third of the time that a look at each row takes.
        rows = self._sql.all(f"SELECT t.state, t.kind, count(*) {found} GROUP BY t.state, t.kind", *values)
        needs_you = sum(count for state, _, count in rows if state in NEEDS_YOU)
        problems = sum(count for state, _, count in rows if state in PROBLEMS)
        if standings.postponed:
            is_postponed = f"t.state = '{TraceState.WAITING.value}' AND t.graph_id IN (SELECT value FROM json_each(?))"
            postponed = encoded(sorted(standings.postponed))
            needs_you -= self._sql.all(f"SELECT count(*) {found} AND {is_postponed}", *values, postponed)[0][0]
        if held_up := standings.logged_out | standings.asked_to_wait:
            by_agent = f"SELECT t.agent_id, count(*) {found} AND {HELD_UP} GROUP BY t.agent_id"
            held = self._sql.all(by_agent, *values, encoded(sorted(held_up)))
            needs_you += sum(count for agent_id, count in held if agent_id in standings.logged_out)
            problems += sum(count for _, count in held)
        what_if = sum(count for _, kind, count in rows if kind == TraceKind.DRY_RUN.value)
        return TraceCounts(sum(count for *_, count in rows), needs_you, problems, what_if)

    def place(self, wanted: TraceFilter, trace_id: TraceId, standings: Standings = NO_STANDINGS) -> int | None:
        conditions, values = _conditions(wanted, standings)
        tables, key = _tables(wanted)
        where = " AND ".join([*conditions, f"{key} >= ?"])
        statement = f"SELECT count(*), min({key}) FROM {tables} WHERE {where}"
        ((newer, oldest),) = self._sql.all(statement, *values, trace_id)
        return newer - 1 if oldest == trace_id else None

    def summary(self, trace_id: TraceId) -> TraceSummary | None:
        row = self._sql.one(ONE, trace_id)
        return None if row is None else _summary(row)

    def of_graph(self, graph_id: GraphId) -> TraceId | None:
        known = self._late.outcome_of(graph_id)
        return None if known is None else TraceId(known.trace_id)

    def of_task(self, task_id: TaskId) -> TraceId | None:
        row = self._sql.one(ID_OF_TASK, task_id)
        return None if row is None else TraceId(row[0])

    def of_message(self, chat_id: ChatId, message_id: MessageId) -> TraceId | None:
        row = self._sql.one(OF_MESSAGE, chat_id, message_id)
        return None if row is None else TraceId(row[0])

    def body(self, trace_id: TraceId) -> TraceBody:
        row = self._sql.one("SELECT body FROM trace_bodies WHERE trace_id = ?", trace_id)
        if row is None:
            raise NotFoundError(f"no trace {trace_id}")
        return unpack(row[0])

    def plan_costs(self, since: datetime, until: datetime) -> PlanCosts:
        between = to_micros(since), to_micros(until)
        ((plans, priced, silent),) = self._sql.all(f"SELECT {PLANS} {OF_PLANS}", *between)
        if not priced:
            return PlanCosts(plans, silent)
        nth = f"SELECT usd {OF_PLANS} AND usd IS NOT NULL ORDER BY usd LIMIT 1 OFFSET ?"
        places = (priced - 1) // 2, priced // 2, math.ceil(priced * 0.95) - 1
        below, above, high = (self._sql.all(nth, *between, place)[0][0] for place in places)
        return PlanCosts(plans, silent, (below + above) / 2, high)

    def sizes(self) -> TraceSizes:
        row = self._sql.one(
            "SELECT count(*), coalesce(sum(size), 0), coalesce(sum(kept), 0),"
            " (SELECT count(*) FROM prompts), (SELECT coalesce(sum(length(body)), 0) FROM prompts) FROM traces"
        )
        assert row is not None  # an aggregate has one row
        traces, size, kept, prompts, prompt_size = row
        return TraceSizes(traces, size, prompts, prompt_size, kept)

    def has_words_to_index(self) -> bool:
        return has_index() and bool(
            self._sql.all("SELECT 1 FROM traces INDEXED BY traces_to_word WHERE worded = 0 LIMIT 1")
        )

    def index_words(self, limit: int) -> None:
        for trace_id, first_words, title, name, body in self._sql.all(TO_WORD, limit):
            self._words.add(trace_id, words_of((first_words, title, name or ""), unpack(body)))
            self._sql.run("UPDATE traces SET worded = 1 WHERE trace_id = ?", trace_id)

    def oldest(self, before: datetime | None, *, limit: int) -> tuple[TraceId, ...]:
        until = _END_OF_TIME if before is None else to_micros(before)
        return tuple(TraceId(one) for (one,) in self._sql.all(OLDEST, until, max(0, limit)))

    def remove(self, trace_ids: Sequence[TraceId]) -> None:
        for trace_id in trace_ids:
            self._words.remove(trace_id)
            self._sql.run("DELETE FROM trace_bodies WHERE trace_id = ?", trace_id)
            self._sql.run("DELETE FROM trace_sources WHERE trace_id = ?", trace_id)
            self._sql.run("DELETE FROM traces WHERE trace_id = ?", trace_id)


def _asks_for_words(wanted: TraceFilter) -> bool:
    """Return whether a filter has words, and there is an index of them."""
    return has_index() and bool(question(wanted.words))


def _tables(wanted: TraceFilter) -> tuple[str, str]:
    """Return in which tables the traces are found, and the column that has their order.

    The index of words has the traces in this order, so that a page ends with its last row, and none is looked up that
    has not the words. Without a filter, and in one chat, the newest ones stand at the end anyway.
    """
    if _asks_for_words(wanted):
        return "trace_words CROSS JOIN traces t ON t.trace_id = trace_words.rowid", "trace_words.rowid"
    if wanted == EVERYTHING or wanted.words.strip():
        return "traces t", "t.trace_id"
    if wanted.chat_id is not None:
        return "traces t INDEXED BY traces_of_chat", "t.trace_id"
    return "traces t INDEXED BY traces_filtered", "t.trace_id"


def _in_group(group: TraceGroup, standings: Standings) -> tuple[str, list[Value]]:
    """Return the condition of a group, and its parameters; it says what `Standings.groups_of` says of a row.

    The states stand first, so that the index finds the rows; a plan's number is in the rows alone.
    """
    needs_you = group is TraceGroup.NEEDS_YOU
    states = NEEDS_YOU if needs_you else PROBLEMS
    held_up = standings.logged_out if needs_you else standings.logged_out | standings.asked_to_wait
    own, values = f"t.state IN ({_listed(states)})", list[Value]()
    if needs_you and standings.postponed:
        own = f"{own} AND {NOT_POSTPONED}"
        values.append(encoded(sorted(standings.postponed)))
    if not held_up:
        return own, values
    values.append(encoded(sorted(held_up)))
    return f"t.state IN ({_listed(states | LEAVING)}) AND (({own}) OR ({HELD_UP}))", values


def _count_with_words(sql: Sql, found: str, values: Sequence[Value], standings: Standings) -> TraceCounts:
    """Count what the index of words finds: it is asked once, and each row is looked at."""
    needs_you, of_needs = _in_group(TraceGroup.NEEDS_YOU, standings)
    problems, of_problems = _in_group(TraceGroup.PROBLEMS, standings)
    counted = COUNTED.format(needs_you=needs_you, problems=problems)
    row = sql.one(f"SELECT {counted} {found}", *of_needs, *of_problems, *values)
    assert row is not None  # an aggregate has one row
    return TraceCounts(*row)


def _conditions(wanted: TraceFilter, standings: Standings) -> tuple[list[str], list[Value]]:
    """Return the conditions of a filter on `traces t`, and their parameters."""
    found: list[tuple[str, Value]] = []
    if wanted.agent_id is not None:
        found.append(("t.agent_id = ?", wanted.agent_id))
    if wanted.chat_id is not None:
        found.append(("t.chat_id = ?", wanted.chat_id))
    if wanted.kind is not None:
        found.append(("t.kind = ?", wanted.kind.value))
    if wanted.since is not None:
        found.append(("t.ended_at >= ?", to_micros(wanted.since)))
    if wanted.until is not None:
        found.append(("t.ended_at < ?", to_micros(wanted.until)))
    asked = question(wanted.words)
    if asked:
        found.append(("trace_words MATCH ?" if has_index() else "? = ''", asked))
    if wanted.purpose or wanted.model:
        found.append(("instr(t.called, ?)", part_of_called(wanted.purpose, wanted.model)))
    conditions, values = [*(one for one, _ in found), *_marks_of(wanted)], [value for _, value in found]
    if wanted.group is not None:
        of_group, further = _in_group(wanted.group, standings)
        return [*conditions, f"({of_group})"], [*values, *further]
    return conditions, values


def _marks_of(wanted: TraceFilter) -> list[str]:
    """Return the conditions of a filter without parameters."""
    states = [f"t.state IN ({_listed(wanted.states)})"] if wanted.states else []
    flags = ("slow", wanted.slow), ("expensive", wanted.expensive), ("edited", wanted.edited)
    marks = (*flags, ("rejected", wanted.rejected), ("kept", wanted.kept))
    return [*states, *(f"t.{name} = 1" for name, is_asked in marks if is_asked)]


def _summary(row: Row) -> TraceSummary:
    parts: tuple[Any, ...] = row
    (trace_id, kind, chat_id, account_id, agent_id, name, title, chat_kind, began_at, ended_at, state, problem) = parts[
        :12
    ]
    words, usd, unpriced, tokens_in, tokens_out, cached, calls, pages, refused, attempts, work_s = parts[12:23]
    kept, edited, rejected, slow, expensive, graph_id, size = parts[23:]
    return TraceSummary(
        TraceId(trace_id),
        TraceKind(kind),
        ChatId(chat_id),
        AccountId(account_id),
        AgentId(agent_id),
        name or "",
        title,
        is_group=ChatKind(chat_kind) is not ChatKind.DM,
        began_at=from_micros(began_at),
        ended_at=from_micros(ended_at),
        state=TraceState(state),
        problem=note_from_text(problem),
        first_words=words,
        usd=usd,
        unpriced=unpriced,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        tokens_cached=cached,
        model_calls=calls,
        pages=pages,
        refused_pages=refused,
        attempts=attempts,
        work_s=work_s,
        is_kept=bool(kept),
        is_edited=bool(edited),
        is_rejected=bool(rejected),
        is_slow=bool(slow),
        is_expensive=bool(expensive),
        graph_id=None if graph_id is None else GraphId(graph_id),
        size=size,
    )
