"""The operator's edits of a plan, step by step; each can be undone until something of it has run.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.events import EngineEvent, PlanEdited
from chimein_gui.domain.failpoints import Failpoint, Reach, pass_by
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.plans.planned_steps import PlannedStep
from chimein_gui.domain.plans.step_edits import EditOutcome, EditVerdict, PlanEdit, StepAction, refusal
from chimein_gui.domain.tasks import PLANNED_KINDS, TaskKind
from chimein_gui.engine.operator.plan_actions import plan_now
from chimein_gui.engine.planning.step_edits import PlanEditor, StepRefusedError
from chimein_gui.engine.planning.undo_edit import undo_edit
from chimein_gui.engine.ports import GraphStanding
from chimein_gui.engine.tasks.transitions import graph_snapshot

if TYPE_CHECKING:
    from chimein_gui.domain.ids import TaskId
    from chimein_gui.domain.plans.outgoing_files import OutgoingFile
    from chimein_gui.domain.plans.step_edits import StepEditRequest
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.operator.composer import FileCopies
    from chimein_gui.engine.ports import GraphRow, TaskRow, Transaction


_RETRIES = 100
"""Most answered retries that are remembered, so that a repeated request gets the same answer."""


class _NotDoneError(Exception):
    """Rolls back a transaction whose edit turned out to be impossible."""

    def __init__(self, outcome: EditOutcome) -> None:
        super().__init__(outcome.verdict)
        self.outcome = outcome


class PlanEdits:
    """Changes the steps of a plan and their order, by compare-and-set."""

    def __init__(
        self,
        unit: UnitOfWork,
        environment: TransactionEnvironment,
        copies: FileCopies | None = None,
        reach: Reach = pass_by,
    ) -> None:
        """`copies` keeps the files that are inserted; `reach` is told of the failpoints."""
        self._unit = unit
        self._environment = environment
        self._copies = copies
        self._reach = reach
        self._retried: dict[str, EditOutcome] = {}

    async def edit(self, request: StepEditRequest) -> EditOutcome:
        """Edit a plan, or refuse it with a reason; a refused edit changes nothing.

        Raises:
            NotFoundError: There is no such step.
            RefusedError: The file to be inserted can't be sent.
            StoreError: Nothing has changed.
        """
        if request.edit.file is None or self._copies is None or not isinstance(request.edit.new, PlannedStep):
            return await self._store(request)
        caption = request.edit.new
        copy = await self._copies.take(request.edit.file, caption.text)
        whole = replace(request, edit=replace(request.edit, new=replace(caption, kind=TaskKind.FILE, file=copy)))
        is_needed = False
        try:
            outcome = await self._store(whole)
            is_needed = outcome.verdict is EditVerdict.ACCEPTED and await self._carries(outcome.added, copy)
        finally:
            await self._copies.end(copy, is_needed=is_needed)
        return outcome

    async def _carries(self, task_id: TaskId | None, copy: OutgoingFile) -> bool:
        """Return whether a step was stored with this copy, and not with that of an earlier, equal request."""
        return task_id is not None and await self._unit.read(lambda tx: tx.approvals.of_task(task_id).file == copy)

    async def _store(self, request: StepEditRequest) -> EditOutcome:
        try:
            return await self._unit.run(
                lambda tx: self._edit(tx, request), committed=lambda _: self._reach(Failpoint.EDIT_COMMITTED)
            )
        except _NotDoneError as refused:
            return refused.outcome

    def _retry_planning(
        self, tx: Transaction, request: StepEditRequest, task: TaskRow
    ) -> tuple[list[EngineEvent], EditOutcome]:
        """Let a plan that waits for its next attempt be made now; it belongs to no stored plan yet."""
        known = self._retried.get(request.client_id)
        if known is not None:
            return [], known
        if task.attempts != request.expected_edits:
            raise _NotDoneError(EditOutcome(EditVerdict.OUTDATED, task.attempts, Note(Reason.TRIED_MEANWHILE)))
        why = refusal(StepAction.RETRY, task.kind, task.status)
        if why is not None:
            raise _NotDoneError(EditOutcome(EditVerdict.REFUSED, task.attempts, Note(why)))
        outcome = EditOutcome(EditVerdict.ACCEPTED, task.attempts)
        self._retried[request.client_id] = outcome
        while len(self._retried) > _RETRIES:
            del self._retried[next(iter(self._retried))]
        return plan_now(tx, chat_id=task.chat_id, now=self._environment.now()), outcome

    def _edit(self, tx: Transaction, request: StepEditRequest) -> tuple[list[EngineEvent], EditOutcome]:
        task = tx.tasks.get(request.edit.task_id)
        if task.graph_id is None and request.edit.action is StepAction.RETRY:
            return self._retry_planning(tx, request, task)
        if task.graph_id is None:
            raise _NotDoneError(EditOutcome(EditVerdict.REFUSED, 0, Note(Reason.STEP_IS_PLANNING)))
        graph, edits = tx.graphs.get(task.graph_id), tx.plan_edits.count(task.graph_id)
        repeated = tx.plan_edits.of_client(request.client_id)
        if repeated is not None:
            return [], EditOutcome(EditVerdict.ACCEPTED, edits, added=_added(repeated))
        self._compare(tx, request, graph, edits)
        editor = PlanEditor(tx, graph, self._environment)
        try:
            record = self._apply(tx, request, editor, graph)
        except StepRefusedError as refused:
            raise _NotDoneError(EditOutcome(EditVerdict.REFUSED, edits, refused.note)) from refused
        self._reach(Failpoint.EDIT_BEGUN)
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
            raise StepRefusedError(Reason.NOTHING_TO_UNDO)
        undo_edit(tx, editor, newest, now)
        added = tuple(editor.added)
        return PlanEdit(graph.graph_id, StepAction.UNDO, newest.task_id, request.client_id, now, added=added)


def _added(edit: PlanEdit) -> TaskId | None:
    return edit.added[0] if edit.added else None
