"""Traces that are written at the end of a batch, where one statement writes those of all its work.

For each statement the writer hands the interpreter over to the loop and gets it back, which takes several times as long
as what SQLite does for a trace. What waits is in the batch's commit, as everything else of its work: it is written
before that, before any other statement on these tables, and not at all if its work fails. Their rows and bodies are
made then, too: one after the other that takes a third of the time that it takes between other things.
A trace that can't be written is logged and left out; whatever else is in the batch stays.
The budget row `trace_cost` needs this. Everything here runs on the writer thread.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.adapters.store.memo import chat_scope
from chimein_gui.adapters.store.rows.values import encoded
from chimein_gui.adapters.store.traces.building import new_trace
from chimein_gui.domain.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chimein_gui.adapters.store.sql import Sql, Value
    from chimein_gui.adapters.store.traces.building import NewTrace
    from chimein_gui.domain.traces.records import TraceRecord

_log = logging.getLogger(__name__)

_COLUMNS = (
    "trace_id, chat_id, agent_id, kind, state, graph_id, task_id, began_at, ended_at, problem, first_words, usd,"
    " unpriced, tokens_in, tokens_out, tokens_cached, calls, pages, refused, attempts, work_s, slow, expensive, size,"
    " called"
)
_ROW = f"({', '.join('?' * len(_COLUMNS.split(',')))})"
_AT_ONCE = (8, 4, 2, 1)
"""So many rows one statement inserts; few different numbers, because each is prepared once."""

INSERTS = {count: f"INSERT INTO traces ({_COLUMNS}) VALUES {', '.join([_ROW] * count)}" for count in _AT_ONCE}
BODIES = {
    count: f"INSERT INTO trace_bodies (trace_id, body) VALUES {', '.join(['(?, ?)'] * count)}" for count in _AT_ONCE
}
FOLLOW = "UPDATE traces SET state = ?, rejected = ? WHERE trace_id = ?"
FOLLOW_ALL = """
UPDATE traces SET state = json_extract(value, '$[1]'), rejected = json_extract(value, '$[2]')
FROM json_each(?) WHERE trace_id = json_extract(value, '$[0]')
"""
REMOVE = "DELETE FROM traces WHERE trace_id IN (SELECT value FROM json_each(?))"
OUTCOME = "SELECT trace_id, chat_id, state, rejected FROM traces WHERE graph_id = ? AND graph_id IS NOT NULL"
_NEWEST = "SELECT coalesce(max(trace_id), 0), (SELECT coalesce(max(task_id), 0) FROM tasks) FROM traces"


class Outcome(NamedTuple):
    """What became of a plan, as its trace says."""

    trace_id: int
    chat_id: int
    state: str
    rejected: int


class _Waiting:
    """What waits, and what of it is not told yet; nothing is changed in these lists, so that their lengths tell all."""

    __slots__ = ("changed", "moved", "new", "outcomes")

    def __init__(self) -> None:
        self.new: list[tuple[int, TraceRecord]] = []
        self.outcomes: list[tuple[int, str, int]] = []
        """Trace, state, and whether a step was rejected; the last one of a trace counts."""
        self.moved: list[tuple[int, str | None, int]] = []
        """Plan, state and whether a step was rejected, not compared yet with what its trace says; the last one of a
        plan counts, and None says that its trace is right."""
        self.changed: list[tuple[int, int, str]] = []
        """Trace, chat and state of what the work has changed."""


class _Mark(NamedTuple):
    """What waited at a time: the lists of then, which are only appended to or put aside, and their lengths."""

    new: tuple[list[tuple[int, TraceRecord]], int]
    outcomes: tuple[list[tuple[int, str, int]], int]
    moved: tuple[list[tuple[int, str | None, int]], int]
    changed: tuple[list[tuple[int, int, str]], int]


class LateTraces:
    """New traces and outcomes of one connection; they wait only where `Sql.late` is this object.

    What the database holds is known until the memo of its queries is dropped, which happens whenever somebody else has
    written, and after each rollback and DELETE.
    """

    named = "trace"

    def __init__(self, sql: Sql) -> None:
        self._sql = sql
        self._waiting = _Waiting()
        self._before = self._marked()
        self._epoch = -1
        self._known: dict[int, Outcome] = {}
        """By plan."""
        self._newest: int | None = None
        """The newest trace; None as long as nobody asked."""
        self._old_tasks = 0
        """Up to this task, nothing is known of earlier attempts."""
        self._tried: set[int] = set()
        """Later tasks of which an attempt was recorded that made no plan."""
        self._is_writing = False

    def waits(self) -> bool:
        """Return whether a statement on these tables must find in them what waits."""
        waiting = self._waiting
        return bool(waiting.new or waiting.outcomes or waiting.moved) and not self._is_writing

    def begin(self) -> None:
        """Remember what waits before the next piece of work."""
        self._before = self._marked()

    def _marked(self) -> _Mark:
        one = self._waiting
        return _Mark(
            (one.new, len(one.new)),
            (one.outcomes, len(one.outcomes)),
            (one.moved, len(one.moved)),
            (one.changed, len(one.changed)),
        )

    def undo(self) -> None:
        """Forget what the piece of work has added; what waited before it waits again, as it is rolled back, too."""
        waiting, before = self._waiting, self._before
        waiting.new, waiting.outcomes = before.new[0], before.outcomes[0]
        waiting.moved, waiting.changed = before.moved[0], before.changed[0]
        for found, length in before:
            del found[length:]

    def drop(self) -> None:
        """Forget everything, because the batch is rolled back."""
        self._waiting = _Waiting()

    def may_be_known(self, task_id: int) -> bool:
        """Return whether an earlier attempt of a `received` step may have a trace."""
        self._newest_trace()
        return task_id <= self._old_tasks or task_id in self._tried

    def add(self, record: TraceRecord) -> int:
        """Add a trace and return its id."""
        self._newest = trace_id = self._newest_trace() + 1
        chat_id, graph_id, state = record.chat_id, record.graph_id, str(record.state)
        self._sql.touch(INSERTS[1], chat_scope(chat_id))
        waiting = self._waiting
        waiting.new.append((trace_id, record))
        waiting.changed.append((trace_id, chat_id, state))
        if graph_id is not None:
            waiting.moved.append((graph_id, None, 0))
            self._known[graph_id] = Outcome(trace_id, chat_id, state, 0)
        elif record.task_id is not None:
            self._tried.add(record.task_id)
        self._write_if_nothing_waits()
        return trace_id

    def move(self, graph_id: int, state: str, *, rejected: bool) -> None:
        """Note what became of a plan, which may have no trace."""
        if not self._waiting.moved:  # else nothing on these tables was read since, and nothing of it is cached
            self._sql.touch(FOLLOW)
        self._waiting.moved.append((graph_id, state, int(rejected)))
        self._write_if_nothing_waits()

    def rewritten(self, trace_id: int, chat_id: int, state: str, graph_id: int | None) -> None:
        """Note that a row was changed past this."""
        if graph_id is not None:
            self._waiting.moved.append((graph_id, None, 0))
            self._known.pop(graph_id, None)
        self._waiting.changed.append((trace_id, chat_id, state))

    def take_changed(self) -> list[tuple[int, int, str]]:
        """Return trace, chat and state of what was changed since the last call."""
        self._compare()
        found, self._waiting.changed = self._waiting.changed, []
        return found

    def outcome_of(self, graph_id: int) -> Outcome | None:
        """Return what a plan's trace says; None if the plan has none."""
        self._refresh()
        known = self._known.get(graph_id)
        if known is None:
            row = self._sql.one(OUTCOME, graph_id)
            if row is None:
                return None
            known = self._known[graph_id] = Outcome(*row)
        return known

    def write(self) -> None:
        """Write what waits.

        Raises:
            StoreError: Not all of it is written; where something may wait, only for an error of the file.
        """
        self._is_writing = True
        try:
            if self._waiting.new:
                new, self._waiting.new = self._waiting.new, []
                for some in _groups(self._made(new)):
                    self._insert(some)
            self._write_outcomes()
            if self._waiting.moved:
                self._compare()
                self._write_outcomes()
        finally:
            self._is_writing = False

    def _made(self, new: Sequence[tuple[int, TraceRecord]]) -> list[tuple[int, NewTrace]]:
        """Return the rows of traces, without those that can't be made."""
        found = []
        for trace_id, record in new:
            try:
                found.append((trace_id, new_trace(record)))
            except Exception:
                if self._sql.late is not self:
                    raise
                _log.exception("Trace %d can't be stored", trace_id)
        return found

    def _insert(self, some: Sequence[tuple[int, NewTrace]]) -> None:
        """Write traces with one statement a table; if that is refused, each alone, and leave out the bad ones."""
        count, done = len(some), False
        try:
            rows: list[Value] = []
            bodies: list[Value] = []
            for trace_id, made in some:
                rows += (trace_id, *made.values)
                bodies += (trace_id, made.body)
            self._sql.run(INSERTS[count], *rows)
            done = True
            self._sql.run(BODIES[count], *bodies)
        except StoreError:
            if self._sql.late is not self or self._sql.failure is not None:
                raise
            if count == 1:
                _log.exception("Trace %d can't be stored", some[0][0])
            if done:
                self._sql.run(REMOVE, encoded([one for one, _ in some]))
            if count > 1:
                for one in some:
                    self._insert([one])

    def _write_outcomes(self) -> None:
        if not self._waiting.outcomes:
            return
        written, self._waiting.outcomes = self._waiting.outcomes, []
        outcomes = {one[0]: one for one in written}
        if len(outcomes) == 1:
            [(trace_id, state, rejected)] = outcomes.values()
            self._sql.run(FOLLOW, state, rejected, trace_id)
        else:
            self._sql.run(FOLLOW_ALL, encoded([*outcomes.values()]))

    def _write_if_nothing_waits(self) -> None:
        if self._sql.late is not self:
            self.write()

    def _compare(self) -> None:
        """Find the traces of the plans that were moved, and whether they say something else."""
        waiting = self._waiting
        if not waiting.moved:
            return
        moved, waiting.moved = waiting.moved, []
        for graph_id, (_, state, rejected) in {one[0]: one for one in moved}.items():
            if state is None:
                continue
            known = self.outcome_of(graph_id)
            if known is None or (known.state == state and known.rejected == rejected):
                continue
            trace_id, chat_id, *_ = known
            self._known[graph_id] = Outcome(trace_id, chat_id, state, rejected)
            waiting.outcomes.append((trace_id, state, rejected))
            waiting.changed.append((trace_id, chat_id, state))

    def _refresh(self) -> None:
        """Forget what was known of the database if it may have changed."""
        if self._epoch == self._sql.epoch:
            return
        self._epoch = self._sql.epoch
        self._known.clear()
        self._tried.clear()
        self._newest = None

    def _newest_trace(self) -> int:
        self._refresh()
        if self._newest is None:
            row = self._sql.one(_NEWEST)
            assert row is not None  # an aggregate has one row
            newest, self._old_tasks = row
            self._newest = newest
        return self._newest


def _groups(new: Sequence[tuple[int, NewTrace]]) -> Iterator[Sequence[tuple[int, NewTrace]]]:
    begin = 0
    for count in _AT_ONCE:
        while len(new) - begin >= count:
            yield new[begin : begin + count]
            begin += count
