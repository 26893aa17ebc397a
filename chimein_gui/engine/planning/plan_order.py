"""The order of a plan's steps in the store: changed by edits, and what follows from that for each step.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.events import EngineEvent, TaskStatusChanged
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.plans import step_order
from chimein_gui.domain.plans.step_edits import has_not_begun
from chimein_gui.domain.tasks import FINAL, TaskKind, TaskStatus
from chimein_gui.engine.tasks.completion import let_begin, mark_steps
from chimein_gui.engine.tasks.transitions import settled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.ids import TaskId
    from chimein_gui.domain.plans.step_order import Order
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import GraphRow, TaskRow, Transaction

CHANGED_NOTE = Note(NoteKind.PLAN_CHANGED)


class PlanOrder:
    """The steps of one plan within one transaction."""

    def __init__(self, tx: Transaction, graph: GraphRow, environment: TransactionEnvironment) -> None:
        self._tx, self._graph, self._environment = tx, graph, environment

    def steps(self) -> tuple[TaskRow, ...]:
        """Return all steps of the plan."""
        return self._tx.tasks.of_graph(self._graph.graph_id)

    def dependencies(self) -> Order:
        """Return what each step of the plan depends on."""
        return {one.task_id: frozenset(one.depends_on) for one in self.steps()}

    def movable(self) -> frozenset[TaskId]:
        """Return the steps that have not begun."""
        return frozenset(one.task_id for one in self.steps() if has_not_begun(one.kind, one.status))

    def root(self) -> TaskId | None:
        """Return the step that made the plan, if it is one of its steps."""
        return next((one.task_id for one in self.steps() if one.kind is TaskKind.RECEIVED), None)

    def is_over(self) -> bool:
        """Return whether every step is final."""
        return all(one.status in FINAL for one in self.steps())

    def reorder(
        self,
        order: Order,
        changed: Iterable[TaskId],
        *,
        beside: TaskId | None = None,
        is_before: bool = False,
    ) -> list[EngineEvent]:
        """Store a new order; steps that may begin now do, and those that have to wait again lose their due time.

        Args:
            order: What each step depends on.
            changed: The steps that stand elsewhere now; what stands behind them is marked.
            beside: The step that the first of them stands beside.
            is_before: It stands before that step.

        Returns:
            What to publish after the commit.
        """
        changed, order = tuple(changed), self._through_ended(order)
        rows = {one.task_id: one for one in self.steps()}
        wanted = list(rows)
        if beside is not None:
            wanted.remove(changed[0])
            wanted.insert(wanted.index(beside) + (not is_before), changed[0])
        first = 0 if any(one.kind is TaskKind.RECEIVED for one in rows.values()) else 1
        for position, task_id in enumerate(step_order.in_sequence(order, wanted), start=first):
            row, earlier = rows[task_id], tuple(sorted(order[task_id]))
            if (row.depends_on, row.position) != (earlier, position):
                self._tx.tasks.save(replace(row, depends_on=earlier, position=position))
        events = self._mark(order, changed)
        for row in self.steps():
            if has_not_begun(row.kind, row.status):
                events += self._begin_or_wait(row)
        return events

    def _through_ended(self, order: Order) -> Order:
        """Let steps behind a skipped one also wait for what is still open before that one."""
        ended = {one.task_id for one in self.steps() if one.status in FINAL}
        through: dict[TaskId, frozenset[TaskId]] = {}
        for task_id in step_order.in_sequence(order, order):
            further = {one for step in order[task_id] & ended for one in through.get(step, ()) if one not in ended}
            through[task_id] = order[task_id] | further
        return through

    def _mark(self, order: Order, changed: tuple[TaskId, ...]) -> list[EngineEvent]:
        """Send automatic sends back to review that stand behind a step which stands elsewhere now."""
        later = {one for step in changed for one in step_order.behind(order, step)}
        return [*mark_steps(self._tx, [row for row in self.steps() if row.task_id in later], CHANGED_NOTE)]

    def _begin_or_wait(self, row: TaskRow) -> Iterable[EngineEvent]:
        if settled(self._tx, row.depends_on):
            is_due = row.kind is not TaskKind.WAIT and self._tx.approvals.of_task(row.task_id).due_at is not None
            return () if is_due else let_begin(self._tx, row, self._environment)
        if row.status is TaskStatus.APPROVED:
            approval = self._tx.approvals.of_task(row.task_id)
            if approval.due_at is not None:
                self._tx.approvals.save(replace(approval, due_at=None))
                return (TaskStatusChanged(self._tx.approvals.get(approval.approval_id), self._tx.revision),)
        return ()
