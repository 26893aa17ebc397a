"""Traces that are written at the end of a batch, where one statement writes those of all its work.

For each statement the writer hands the interpreter over to the loop and gets it back, which takes several times as long
as what SQLite does for a trace. What waits is in the batch's commit, as everything else of its work: it is written
before that, before any other statement on these tables, and not at all if its work fails.
Everything here runs on the writer thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.adapters.store.memo import Scope
from chimein_gui.adapters.store.rows.values import encoded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chimein_gui.adapters.store.sql import Sql, Value

NAMED = "trace"
"""A statement in which this does not stand is none on these tables."""

_COLUMNS = (
    "trace_id, chat_id, agent_id, kind, state, graph_id, task_id, began_at, ended_at, problem, first_words, usd,"
    " unpriced, tokens_in, tokens_out, tokens_cached, calls, pages, refused, attempts, work_s, slow, expensive, size"
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
OUTCOME = "SELECT trace_id, chat_id, state, rejected FROM traces WHERE graph_id = ? AND graph_id IS NOT NULL"
_NEWEST = "SELECT coalesce(max(trace_id), 0), (SELECT coalesce(max(task_id), 0) FROM tasks) FROM traces"


class Outcome(NamedTuple):
    """What became of a plan, as its trace says."""

    trace_id: int
    chat_id: int
    state: str
    rejected: int


class NewTrace(NamedTuple):
    """A trace that is not in the database yet.

    Attributes:
        values: Its row behind the id.
        body: Its body.
    """

    values: tuple[Value, ...]
    body: bytes


class _Waiting:
    """What waits, and what of it is not told yet."""

    __slots__ = ("changed", "moved", "new", "outcomes")

    def __init__(self) -> None:
        self.new: dict[int, NewTrace] = {}
        """By trace."""
        self.outcomes: dict[int, tuple[str, int]] = {}
        """State, and whether a step was rejected, by trace."""
        self.moved: dict[int, tuple[str, int]] = {}
        """By plan, as the last of its steps that was moved left it; not compared yet with what its trace says."""
        self.changed: list[tuple[int, int, str]] = []
        """Trace, chat and state of what the work has changed."""

    def copy(self) -> _Waiting:
        copied = _Waiting()
        copied.new, copied.outcomes = self.new.copy(), self.outcomes.copy()
        copied.moved, copied.changed = self.moved.copy(), self.changed.copy()
        return copied


class LateTraces:
    """New traces and outcomes of one connection; they wait only where `Sql.late` is this object.

    What the database holds is known until the memo of its queries is dropped, which happens whenever somebody else has
    written, and after each rollback and DELETE.
    """

    def __init__(self, sql: Sql) -> None:
        self._sql = sql
        self._waiting = _Waiting()
        self._before = _Waiting()
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

    def concerns(self, statement: str) -> bool:
        """Return whether a statement must find what waits in the tables."""
        waiting = self._waiting
        return bool(waiting.new or waiting.outcomes or waiting.moved) and NAMED in statement and not self._is_writing

    def begin(self) -> None:
        """Remember what waits before the next piece of work."""
        self._before = self._waiting.copy()

    def undo(self) -> None:
        """Forget what the piece of work has added; what waited before it waits again, as it is rolled back, too."""
        self._waiting = self._before

    def drop(self) -> None:
        """Forget everything, because the batch is rolled back."""
        self._waiting = _Waiting()

    def may_be_known(self, task_id: int) -> bool:
        """Return whether an earlier attempt of a `received` step may have a trace."""
        self._newest_trace()
        return task_id <= self._old_tasks or task_id in self._tried

    def add(self, new: NewTrace, chat_id: int, state: str, graph_id: int | None, task_id: int | None) -> int:
        """Add a trace and return its id."""
        self._newest = trace_id = self._newest_trace() + 1
        self._sql.touch(INSERTS[1], Scope(chat_id))
        waiting = self._waiting
        waiting.new[trace_id] = new
        waiting.changed.append((trace_id, chat_id, state))
        if graph_id is not None:
            waiting.moved.pop(graph_id, None)
            self._known[graph_id] = Outcome(trace_id, chat_id, state, 0)
        elif task_id is not None:
            self._tried.add(task_id)
        self._write_if_nothing_waits()
        return trace_id

    def move(self, graph_id: int, state: str, *, rejected: bool) -> None:
        """Note what became of a plan, which may have no trace."""
        self._sql.touch(FOLLOW)
        self._waiting.moved[graph_id] = state, int(rejected)
        self._write_if_nothing_waits()

    def rewritten(self, trace_id: int, chat_id: int, state: str, graph_id: int | None) -> None:
        """Note that a row was changed past this."""
        if graph_id is not None:
            self._waiting.moved.pop(graph_id, None)
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
            StoreError: Not all of it is written.
        """
        self._is_writing = True
        try:
            new, self._waiting.new = self._waiting.new, {}
            for some in _groups(list(new.items())):
                count = len(some)
                self._sql.run(INSERTS[count], *(value for one, made in some for value in (one, *made.values)))
                self._sql.run(BODIES[count], *(value for one, made in some for value in (one, made.body)))
            self._write_outcomes()
            if self._waiting.moved:
                self._compare()
                self._write_outcomes()
        finally:
            self._is_writing = False

    def _write_outcomes(self) -> None:
        outcomes, self._waiting.outcomes = self._waiting.outcomes, {}
        if len(outcomes) == 1:
            [(trace_id, (state, rejected))] = outcomes.items()
            self._sql.run(FOLLOW, state, rejected, trace_id)
        elif outcomes:
            self._sql.run(FOLLOW_ALL, encoded([(trace_id, *outcome) for trace_id, outcome in outcomes.items()]))

    def _write_if_nothing_waits(self) -> None:
        if self._sql.late is not self:
            self.write()

    def _compare(self) -> None:
        """Find the traces of the plans that were moved, and whether they say something else."""
        waiting = self._waiting
        moved, waiting.moved = waiting.moved, {}
        for graph_id, outcome in moved.items():
            known = self.outcome_of(graph_id)
            if known is None or known[2:] == outcome:
                continue
            trace_id, chat_id, *_ = known
            self._known[graph_id] = Outcome(trace_id, chat_id, *outcome)
            waiting.outcomes[trace_id] = outcome
            waiting.changed.append((trace_id, chat_id, outcome[0]))

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
