"""The operator's edits of a plan in the store, each in one transaction (docs/behaviour.md, "Editing a plan").

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason, DecisionRequest, Reject, RejectPlan, Undo, Verdict
from chimein_gui.domain.events import ApprovalRequested, ApprovalResolved, ChatChanged, TaskStatusChanged
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.plans import step_order
from chimein_gui.domain.plans.planned_steps import PlannedStep, PlannedWait, PromptCoverage
from chimein_gui.domain.plans.step_edits import (
    LONGEST_DELAY_S,
    PlanEdit,
    StepAction,
    StepPlace,
    WaitBefore,
    beside_refusal,
    refusal,
    rest_refusal,
    retry_refusal,
)
from chimein_gui.domain.tasks import FINAL, IRREVERSIBLE_KINDS, PLANNED_KINDS, CancelReason, TaskKind, TaskStatus
from chimein_gui.engine.approvals.admission import StepPosition, add_planned_send, storing_problem, text_problem
from chimein_gui.engine.approvals.apply_decision import take
from chimein_gui.engine.planning.plan_order import PlanOrder
from chimein_gui.engine.ports import DecisionRecord
from chimein_gui.engine.tasks.completion import (
    StepOutcome,
    cancel_steps,
    close_plan,
    complete_step,
    skip_wait,
)
from chimein_gui.engine.tasks.graphs import reject_step
from chimein_gui.engine.tasks.transitions import has_left, move_task, step_changed

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import TaskId
    from chimein_gui.domain.plans.step_edits import StepEdit
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import GraphRow, TaskRow, Transaction


_NOTHING = MessageId(0)
"""A plan that answers no message covers none."""


class StepRefusedError(Exception):
    """An edit of a step is not possible; nothing of it may be stored. It ends with the transaction."""

    def __init__(self, note: Note | Reason) -> None:
        """`note` says why."""
        super().__init__(str(note))
        self.note = Note(note) if isinstance(note, Reason) else note


class PlanEditor:
    """Edits one plan within one transaction.

    Attributes:
        order: The steps of the plan and their order.
        events: What to publish after the commit.
        places: Where the steps of the plan stood before.
        added: The steps that were added.
        ended: The steps that were ended.
        waits: Waits that were ended or changed, as they were before.
    """

    def __init__(self, tx: Transaction, graph: GraphRow, environment: TransactionEnvironment) -> None:
        """Note where the steps of the plan stand."""
        self._tx, self._graph, self._environment = tx, graph, environment
        self.order = PlanOrder(tx, graph, environment)
        self.events: list[EngineEvent] = []
        self.places = tuple(StepPlace(one.task_id, one.depends_on, one.position) for one in self.order.steps())
        self.added: list[TaskId] = []
        self.ended: list[TaskId] = []
        self.waits: list[WaitBefore] = []

    def apply(self, edit: StepEdit, *, client_id: str) -> PlanEdit:
        """Do an edit and return the record of it.

        Raises:
            StepRefusedError: The states do not allow it.
        """
        task = self._tx.tasks.get(edit.task_id)
        why = refusal(edit.action, task.kind, task.status)
        if why is not None:
            raise StepRefusedError(why)
        self._do(edit, task, client_id)
        self.events.append(ChatChanged(self._tx.chats.get(self._graph.chat_id), self._tx.revision))
        return PlanEdit(
            self._graph.graph_id,
            edit.action,
            edit.task_id,
            client_id,
            self._environment.now(),
            self.places,
            tuple(self.added),
            tuple(self.ended),
            tuple(self.waits),
        )

    def _do(self, edit: StepEdit, task: TaskRow, client_id: str) -> None:
        match edit.action:
            case StepAction.SKIP:
                self._skip(task, edit.reason, client_id)
            case StepAction.CANCEL:
                self._cancel(task, client_id)
            case StepAction.RUN_NOW | StepAction.RETRY | StepAction.CHANGE_DELAY:
                self._change_time(edit, task)
            case StepAction.INSERT if edit.new is not None:
                self._insert(edit.new, task, is_before=edit.is_before)
            case StepAction.DUPLICATE:
                self._refuse_if_left(task)
                self._insert(self.content_of(task), task, is_before=False, like=task)
            case StepAction.MOVE if edit.other is not None:
                self._move(task, self._beside(edit.other), is_before=edit.is_before)
            case StepAction.SPLIT_OFF:
                self._at_rest(task)
                order = step_order.split_off(self.order.dependencies(), task.task_id, self.order.root())
                self.events += self.order.reorder(order, (task.task_id,))
            case StepAction.JOIN if edit.other is not None:
                self._join(task, self._beside(edit.other))
            case _:
                raise ValueError(f"an edit without its step: {edit}")

    # --- ends of steps

    def _skip(self, task: TaskRow, reason: str, client_id: str) -> None:
        self.ended.append(task.task_id)
        if task.kind is TaskKind.WAIT:
            self._remember_wait(task)
            self.events += skip_wait(self._tx, task.task_id, self._environment)
            return
        approval = self._tx.approvals.of_task(task.task_id)
        for decision in (Undo(), Reject(reason)) if task.status is TaskStatus.APPROVED else (Reject(reason),):
            request = DecisionRequest(approval.approval_id, approval.version, decision, self._tx.revision, client_id)
            outcome, events = take(self._tx, request, self._environment)
            if outcome.verdict is not Verdict.ACCEPTED:
                raise StepRefusedError(outcome.explanation or Reason.PLAN_EDITED)
            self.events += events
            approval = outcome.approval
        self._log(approval, Reject.__name__, reason, client_id)

    def _log(self, approval: Approval, decision: str, reason: str, client_id: str) -> None:
        """Keep it among the operator's decisions, as if it had been made on the card."""
        record = DecisionRecord(
            client_id,
            approval.approval_id,
            approval.version,
            decision,
            reason,
            Verdict.ACCEPTED,
            self._environment.now(),
        )
        self._tx.decisions.add(record)

    def _cancel(self, task: TaskRow, client_id: str) -> None:
        """Reject a step with all that depends on it, as the rest of a plan is rejected."""
        rows = {one.task_id: one for one in self.order.steps() if one.status not in FINAL}
        behind = step_order.behind(self.order.dependencies(), task.task_id)
        doomed = [rows[one] for one in (task.task_id, *behind) if one in rows]
        if any(not self._can_end(one) for one in doomed):
            raise StepRefusedError(Reason.BEING_SENT)
        sends = [one for one in doomed if one.kind in PLANNED_KINDS]
        if sends:
            self._log(self._tx.approvals.of_task(sends[0].task_id), RejectPlan.__name__, "", client_id)
        for one in doomed:
            self.ended.append(one.task_id)
            if one.kind in PLANNED_KINDS:
                rejected = reject_step(self._tx, one, "", self._environment.now())
                self.events.append(ApprovalResolved(rejected, self._tx.revision))
            else:
                self._remember_wait(one)
                self.events += cancel_steps(self._tx, (one,), CancelReason.PLAN_REJECTED)
        close_plan(self._tx, task)

    @staticmethod
    def _can_end(task: TaskRow) -> bool:
        return task.status not in {TaskStatus.SENDING, TaskStatus.UNKNOWN, TaskStatus.RUNNING}

    # --- waits

    def _change_time(self, edit: StepEdit, task: TaskRow) -> None:
        if edit.action is StepAction.RUN_NOW:
            self._run_now(task)
        elif edit.action is StepAction.RETRY:
            self._retry(task)
        else:
            self._change_delay(task, edit.delay_s)

    def _retry(self, task: TaskRow) -> None:
        """End a postponement; a plan that is still being made belongs to no plan yet, so it is tried elsewhere."""
        approval = self._tx.approvals.of_task(task.task_id)
        why = retry_refusal(approval)
        if why is not None or approval.postponed_until is None:
            raise StepRefusedError(why or Reason.NOTHING_TO_RETRY)
        self.waits.append(WaitBefore(task.task_id, 0.0, approval.postponed_until))
        self.postpone(approval, None)

    def postpone(self, approval: Approval, until: datetime | None) -> None:
        """Let a message leave, or ask, no sooner than this, aware UTC; None ends that."""
        self._tx.approvals.save(replace(approval, postponed_until=until))
        self.events.append(TaskStatusChanged(self._tx.approvals.get(approval.approval_id), self._tx.revision))

    def _run_now(self, task: TaskRow) -> None:
        self._remember_wait(task)
        self.ended.append(task.task_id)
        if task.status is TaskStatus.AWAITING_OPERATOR:
            task = move_task(self._tx, task, TaskStatus.WAITING)
        moved = move_task(self._tx, task, TaskStatus.DONE)
        self.events.append(step_changed(self._tx, moved))
        self.events += complete_step(self._tx, task.task_id, self._environment, how=StepOutcome.DONE)

    def _change_delay(self, task: TaskRow, delay_s: float | None) -> None:
        if delay_s is None or not 0 <= delay_s <= LONGEST_DELAY_S:
            raise StepRefusedError(Reason.BAD_DELAY)
        self._remember_wait(task)
        now = self._environment.now()
        changed = replace(task, wait_s=delay_s)
        if task.status is TaskStatus.AWAITING_OPERATOR:
            due_at = now + timedelta(seconds=delay_s)
            changed = move_task(self._tx, changed, TaskStatus.WAITING, due_at=due_at)
        elif task.status is TaskStatus.WAITING and task.due_at is not None:
            began = task.due_at - timedelta(seconds=task.wait_s or 0.0)
            changed = replace(changed, due_at=max(now, began + timedelta(seconds=delay_s)))
            self._tx.tasks.save(changed)
        else:
            self._tx.tasks.save(changed)
        self.events.append(step_changed(self._tx, self._tx.tasks.get(task.task_id)))

    def _remember_wait(self, task: TaskRow) -> None:
        due_at = task.due_at if task.status is TaskStatus.WAITING else None
        self.waits.append(WaitBefore(task.task_id, task.wait_s or 0.0, due_at))

    # --- new steps

    def content_of(self, task: TaskRow) -> PlannedStep | PlannedWait:
        """Return what a step does, to make another one like it."""
        if task.kind is TaskKind.WAIT:
            return PlannedWait(task.wait_s or 0.0)
        approval = self._tx.approvals.of_task(task.task_id)
        return PlannedStep(
            approval.kind, approval.text, approval.reply_to_id, approval.sticker, approval.is_cut_off, approval.file
        )

    def _insert(
        self, new: PlannedStep | PlannedWait, anchor: TaskRow, *, is_before: bool, like: TaskRow | None = None
    ) -> None:
        if self.order.is_over():
            raise StepRefusedError(Reason.PLAN_IS_OVER)
        if is_before:
            self._at_rest(anchor)
        order = self.order.dependencies()
        earlier = order[anchor.task_id] if is_before else frozenset({anchor.task_id})
        if isinstance(new, PlannedStep) and new.kind in IRREVERSIBLE_KINDS:
            raise StepRefusedError(Reason.NOT_REPEATABLE)
        added = self.add(new, tuple(sorted(earlier)), anchor.position, like=like)
        if is_before:
            order = step_order.put_before(order, added, anchor.task_id)
        else:
            order = step_order.put_after(order, added, anchor.task_id, self.order.movable())
        self.events += self.order.reorder(order, (added,), beside=anchor.task_id, is_before=is_before)

    def add(
        self,
        new: PlannedStep | PlannedWait,
        earlier: tuple[TaskId, ...],
        position: int,
        *,
        like: TaskRow | None,
        extra: tuple[AskReason, ...] = (),
    ) -> TaskId:
        """Add a step behind others; a send is a planned send like any other, and asks by the chat's trust.

        Args:
            new: What it does.
            earlier: The steps that it depends on.
            position: Its index in the plan.
            like: The step that it copies, which may know less of the conversation than the operator; None for words of
                the operator's, which are saved when a new plan comes.
            extra: Further reasons to ask.

        Raises:
            StepRefusedError: It can't be sent, or waits too long.
        """
        chat = self._tx.chats.get(self._graph.chat_id)
        if isinstance(new, PlannedWait):
            if like is None and not 0 <= new.wait_s <= LONGEST_DELAY_S:
                raise StepRefusedError(Reason.BAD_DELAY)
            added = self._tx.tasks.add(
                chat.chat_id,
                TaskKind.WAIT,
                TaskStatus.PENDING,
                graph_id=self._graph.graph_id,
                depends_on=earlier,
                position=position,
                wait_s=new.wait_s,
            )
        else:
            problem = text_problem(new.text) if new.kind is TaskKind.SEND else storing_problem(new.text)
            if problem is not None:
                raise StepRefusedError(problem)
            place = StepPosition(chat, self._graph.graph_id, earlier, position)
            seen, draft_text = self.coverage(like)
            approval = add_planned_send(
                self._tx, place, new, seen, self._environment, extra=extra, draft_text=draft_text
            )
            self.events.append(ApprovalRequested(approval, self._tx.revision))
            added = approval.task_id
        self.added.append(added)
        return added

    def coverage(self, like: TaskRow | None) -> tuple[PromptCoverage, str]:
        """Return what an added send knows of the conversation, and the model's text of it."""
        if like is None:
            cards = self._tx.approvals.of_graph(self._graph.graph_id)
            answers = max((one.covers_up_to for one in cards), default=max(self._graph.trigger_ids, default=_NOTHING))
            return PromptCoverage(self._tx.revision, answers), ""
        old = self._tx.approvals.of_task(like.task_id)
        seen = PromptCoverage(old.seen_up_to, old.covers_up_to, changed=old.is_stale, newer=old.newer)
        return seen, old.draft_text

    def add_again(self, wait: TaskRow) -> TaskId:
        """Add a wait like one that has begun, which ends; undoing the edit lets the old one count on."""
        self._remember_wait(wait)
        self.ended.append(wait.task_id)
        return self.add(self.content_of(wait), (), wait.position, like=wait)

    # --- the order
    def _move(self, task: TaskRow, other: TaskRow, *, is_before: bool) -> None:
        self._at_rest(task)
        if task.task_id == other.task_id:
            raise StepRefusedError(Reason.WOULD_WAIT_FOR_ITSELF)
        if is_before:
            self._at_rest(other)
            order = step_order.moved_before(self.order.dependencies(), task.task_id, other.task_id)
        else:
            why = beside_refusal(other.kind, other.status, is_before=False)
            if why is not None:
                raise StepRefusedError(why)
            order = step_order.moved_after(self.order.dependencies(), task.task_id, other.task_id, self.order.movable())
        left_behind = step_order.behind(self.order.dependencies(), task.task_id)
        self.events += self.order.reorder(
            order, (task.task_id, *left_behind), beside=other.task_id, is_before=is_before
        )

    def _join(self, task: TaskRow, other: TaskRow) -> None:
        self._at_rest(task)
        try:
            order = step_order.also_after(self.order.dependencies(), task.task_id, other.task_id)
        except step_order.CircleError as error:
            raise StepRefusedError(Reason.WOULD_WAIT_FOR_ITSELF) from error
        self.events += self.order.reorder(order, (task.task_id,))

    # --- what is there

    def _beside(self, task_id: TaskId) -> TaskRow:
        task = self._tx.tasks.get(task_id)
        if task.graph_id != self._graph.graph_id:
            raise StepRefusedError(Reason.OTHER_PLAN)
        return task

    def _at_rest(self, task: TaskRow) -> None:
        """Refuse to move a step of which something has run."""
        why = rest_refusal(task.kind, task.status)
        if why is not None:
            raise StepRefusedError(why)
        self._refuse_if_left(task)

    def _refuse_if_left(self, task: TaskRow) -> None:
        if task.kind in PLANNED_KINDS and has_left(self._tx, self._tx.approvals.of_task(task.task_id)):
            raise StepRefusedError(Reason.PARTS_LEFT)
