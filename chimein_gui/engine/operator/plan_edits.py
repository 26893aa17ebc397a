"""The operator's edits of a plan, step by step; each can be undone until something of it has run.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.events import EngineEvent, PlanEdited
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.plans.step_edits import EditOutcome, EditVerdict, PlanEdit, StepAction
from chimein_gui.domain.tasks import PLANNED_KINDS
from chimein_gui.engine.planning.step_edits import PlanEditor, RefusedError
from chimein_gui.engine.planning.undo_edit import undo_edit
from chimein_gui.engine.ports import GraphStanding
from chimein_gui.engine.tasks.transitions import graph_snapshot

if TYPE_CHECKING:
    from chimein_gui.domain.ids import TaskId
    from chimein_gui.domain.plans.step_edits import StepEditRequest
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import GraphRow, Transaction


class _NotDoneError(Exception):
    """Rolls back a transaction whose edit turned out to be impossible."""

    def __init__(self, outcome: EditOutcome) -> None:
        super().__init__(outcome.verdict)
        self.outcome = outcome


class PlanEdits:
    """Changes the steps of a plan and their order, by compare-and-set."""

    def __init__(self, unit: UnitOfWork, environment: TransactionEnvironment) -> None:
        self._unit = unit
        self._environment = environment

    async def edit(self, request: StepEditRequest) -> EditOutcome:
        """Edit a plan, or refuse it with a reason; a refused edit changes nothing.

        Raises:
            NotFoundError: There is no such step.
            StoreError: Nothing has changed.
        """
        try:
            return await self._unit.run(lambda tx: self._edit(tx, request))
        except _NotDoneError as refused:
            return refused.outcome

    def _edit(self, tx: Transaction, request: StepEditRequest) -> tuple[list[EngineEvent], EditOutcome]:
        task = tx.tasks.get(request.edit.task_id)
        if task.graph_id is None:
            raise _NotDoneError(EditOutcome(EditVerdict.REFUSED, 0, Note(Reason.STEP_IS_PLANNING)))
        graph, edits = tx.tasks.graph(task.graph_id), tx.plan_edits.count(task.graph_id)
        repeated = tx.plan_edits.of_client(request.client_id)
        if repeated is not None:
            return [], EditOutcome(EditVerdict.ACCEPTED, edits, added=_added(repeated))
        self._compare(tx, request, graph, edits)
        editor = PlanEditor(tx, graph, self._environment)
        try:
            record = self._apply(tx, request, editor, graph)
        except RefusedError as refused:
            raise _NotDoneError(EditOutcome(EditVerdict.REFUSED, edits, refused.note)) from refused
        tx.plan_edits.add(record)
        edited = PlanEdited(graph_snapshot(tx, graph.graph_id), edits + 1, tx.revision)
        return [*editor.events, edited], EditOutcome(EditVerdict.ACCEPTED, edits + 1, added=_added(record))

    def _compare(self, tx: Transaction, request: StepEditRequest, graph: GraphRow, edits: int) -> None:
        """Refuse what was asked for on another state of the plan."""
        if graph.standing is not GraphStanding.CURRENT:  # a step beside the operator's own message would not ask
            raise _NotDoneError(EditOutcome(EditVerdict.REFUSED, edits, Note(Reason.PLAN_REPLACED)))
        outdated = edits != request.expected_edits
        task = tx.tasks.get(request.edit.task_id)
        if request.expected_version is not None and task.kind in PLANNED_KINDS:
            outdated |= tx.approvals.of_task(task.task_id).version != request.expected_version
        if outdated:
            raise _NotDoneError(EditOutcome(EditVerdict.OUTDATED, edits, Note(Reason.PLAN_EDITED)))

    def _apply(self, tx: Transaction, request: StepEditRequest, editor: PlanEditor, graph: GraphRow) -> PlanEdit:
        if request.edit.action is not StepAction.UNDO:
            return editor.apply(request.edit, client_id=request.client_id)
        newest, now = tx.plan_edits.newest(graph.graph_id), self._environment.now()
        if newest is None:
            raise RefusedError(Reason.NOTHING_TO_UNDO)
        undo_edit(tx, editor, newest, now)
        return PlanEdit(graph.graph_id, StepAction.UNDO, newest.task_id, request.client_id, now)


def _added(edit: PlanEdit) -> TaskId | None:
    return edit.added[0] if edit.added else None
