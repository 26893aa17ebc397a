"""The plan of one chat, kept in step with the engine, and the operator's edits of it."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.events import (
    ApprovalRequested,
    ApprovalResolved,
    PlanEdited,
    StepChanged,
    TaskGraphReplaced,
    TaskStatusChanged,
)
from chimein_gui.domain.plans.details import IN_THE_MAKING, PlanDetails
from chimein_gui.domain.plans.step_edits import EditVerdict, StepAction, StepEdit, StepEditRequest
from chimein_gui.domain.tasks import FINAL, TaskKind
from chimein_gui.viewmodels.core.live_query import LiveQuery
from chimein_gui.viewmodels.plans.file_insertion import FileInsertion
from chimein_gui.viewmodels.plans.step_view import StepView, step_views
from chimein_gui.viewmodels.words.errors import error_words, is_answer
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId, GraphId, TaskId
    from chimein_gui.domain.plans.step_edits import EditOutcome
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.plans import PlansApi
_KINDS = frozenset({TaskGraphReplaced, PlanEdited, StepChanged, ApprovalRequested, ApprovalResolved, TaskStatusChanged})


class PlanModel(QObject):
    """Shows the current plan of one chat, or an earlier one in its place.

    Attributes:
        changed: The plan is another one, or steps were added, removed or moved.
        steps_changed: Only states changed; carries the ids of the steps.
        answered: An edit was accepted or refused; carries the reason in words, empty if it was accepted.
        failed: A read or an edit failed; the reason in words.
        found: An earlier plan that was asked for is shown; carries it.
        is_editing: An edit is being stored.
        files: Photos and files that are to be inserted.
        chat_id: The chat, or None.
        current: The plan that the chat follows; None while it is read, or if it has none.
        earlier: An earlier plan that is shown in its place, read-only, or None.
    """

    changed = Signal()
    steps_changed = Signal(object)
    answered = Signal(str)
    failed = Signal(str)
    found = Signal(object)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._api: PlansApi | None = None
        self._spawn: Spawn | None = None
        self._views: tuple[StepView, ...] | None = None
        self.is_editing = False
        self._following: StepEdit | None = None
        self._stale = False
        self._touched: set[TaskId] = set()
        self._unseen: set[TaskId] = set()
        self._asked: GraphId | None = None
        self.chat_id: ChatId | None = None
        self.current: PlanDetails | None = None
        self.earlier: PlanDetails | None = None
        self.files = FileInsertion(self)
        self.files.ready.connect(self.edit)
        self.files.failed.connect(self.answered)
        self._live = LiveQuery(bridge, self._apply, self, self._settle, _KINDS)
        self._live.failed.connect(self.failed)

    def attach(self, api: PlansApi, spawn: Spawn) -> None:
        """Read the plan of the chat that is already open."""
        self._api, self._spawn = api, spawn
        self.open(self.chat_id)

    def detach(self) -> None:
        """Stop reading."""
        self._live.forget()
        self.files.close()
        self._api = self._spawn = None

    def open(self, chat_id: ChatId | None, graph_id: GraphId | None = None) -> None:
        """Show the plan of another chat; None shows none. `graph_id` asks for one that may be an earlier one."""
        self.chat_id, self.earlier, self._asked = chat_id, None, graph_id
        self._put(None)
        self._load()

    def find(self, graph_id: GraphId) -> None:
        """Read a plan of the chat and show it; the current one is shown as such."""
        self._asked = graph_id
        self._answer()

    def _answer(self) -> None:
        """Show the plan that was asked for, once it is known whether it is the current one."""
        graph_id, api = self._asked, self._api
        if graph_id is None or api is None or self._spawn is None:
            return
        self._asked = None
        if self.current is not None and self.current.graph_id == graph_id:
            self.show_earlier(None)
        else:
            self._spawn(self._find(api, graph_id), name=f"find plan {graph_id}")

    async def _find(self, api: PlansApi, graph_id: GraphId) -> None:
        try:
            plan = await api.plan_history.plan(graph_id)
        except ChimeinError as error:
            reason = error_words(error)
            self._bridge.deliver(lambda: self.failed.emit(reason))
            return

        def show() -> None:
            if plan.chat_id == self.chat_id:
                self.show_earlier(replace(plan, is_current=False))
                self.found.emit(plan)

        self._bridge.deliver(show)

    def show_earlier(self, plan: PlanDetails | None) -> None:
        """Show an earlier plan, which can't be edited; None shows the current one again."""
        if plan != self.earlier:
            self.earlier, self._views = plan, None
            self.changed.emit()

    @property
    def plan(self) -> PlanDetails | None:
        """The shown plan."""
        return self.earlier if self.earlier is not None else self.current

    @property
    def steps(self) -> tuple[StepView, ...]:
        """The steps in plan order; empty without a plan."""
        if self.plan is None:
            return ()
        if self._views is None:
            self._views = step_views(self.plan)
        elif self._unseen:
            self._views = step_views(self.plan, self._views, frozenset(self._unseen))
        self._unseen.clear()
        return self._views

    def step(self, task_id: TaskId) -> StepView | None:
        """Return a step of the plan."""
        return next((one for one in self.steps if one.task_id == task_id), None)

    # --- edits ----------------------------------------------------------------------------------------------------

    def edit(self, edit: StepEdit) -> bool:
        """Send an edit, or keep it until the one before is stored; returns False if the step's state refuses it."""
        view, plan = self.step(edit.task_id), self.plan
        if self._api is None or self._spawn is None or plan is None or view is None:
            return False
        refusal = view.refusals.get(edit.action, "")
        if refusal:
            self.answered.emit(refusal)
            return False
        if self.is_editing:
            self._following = edit
        else:
            self._send(edit, view.step.attempts if view.step.kind is TaskKind.RECEIVED else plan.edits)
        return True

    def _send(self, edit: StepEdit, edits: int) -> None:
        view, api = self.step(edit.task_id), self._api
        if api is None or self._spawn is None or view is None:
            return
        version = view.approval.version if view.approval is not None and edit.action is not StepAction.UNDO else None
        request = StepEditRequest(edit, edits, version, f"plan edit {os.urandom(8).hex()}")
        self.is_editing = True
        self._spawn(self._ask(api, request), name=f"edit plan of step {edit.task_id}")

    def undo(self) -> bool:
        """Take back the newest edit."""
        return bool(self.steps) and self.edit(StepEdit(StepAction.UNDO, self.steps[-1].task_id))

    async def _ask(self, api: PlansApi, request: StepEditRequest) -> None:
        try:
            outcome = await api.plan_edits.edit(request)
        except Exception as error:
            reason = error_words(error)
            self._bridge.deliver(lambda: self._end(lambda: self.failed.emit(reason)))
            if not is_answer(error):
                raise
            return
        self._bridge.deliver(lambda: self._end(lambda: self._tell(outcome)))

    def _end(self, tell: Callable[[], None]) -> None:
        self.is_editing = False
        tell()
        self._following = None

    def _tell(self, outcome: EditOutcome) -> None:
        if outcome.verdict is not EditVerdict.ACCEPTED:
            self._load()
        self.answered.emit(note_sentence(outcome.note))
        if outcome.verdict is EditVerdict.ACCEPTED and self._following is not None:
            self._send(self._following, outcome.edits)

    # --- the plan -------------------------------------------------------------------------------------------------

    def _load(self) -> None:
        chat_id, api = self.chat_id, self._api
        if api is not None and self._spawn is not None and chat_id is not None:
            history = api.plan_history
            self._live.fetch(self._spawn, lambda: history.current(chat_id), self._install, name=f"load plan {chat_id}")
        else:
            self._live.forget()

    def _install(self, plans: tuple[PlanDetails, ...]) -> None:
        current = [plan for plan in plans if plan.is_current]
        self._put(_with_making(*current) if current else None)
        self._answer()

    def _put(self, plan: PlanDetails | None) -> None:
        self.current = plan
        self._touched.clear()
        if self.earlier is None:
            self._unseen.clear()
            self._views = None
            self.changed.emit()

    def _apply(self, event: EngineEvent) -> None:
        if isinstance(event, TaskGraphReplaced | PlanEdited):
            self._stale |= event.chat_id == self.chat_id
        elif isinstance(event, StepChanged):
            self._apply_step(event)
        elif isinstance(event, ApprovalRequested | ApprovalResolved | TaskStatusChanged):
            self._apply_card(event.approval)

    def _apply_step(self, event: StepChanged) -> None:
        plan = self.current
        if event.chat_id != self.chat_id:
            return
        for place, step in enumerate(plan.graph.steps if plan is not None else ()):
            if plan is not None and step.task_id == event.task_id:
                now = replace(
                    step,
                    status=event.status,
                    until=event.until,
                    reason=event.reason,
                    attempts=event.attempts,
                    wait_s=event.wait_s,
                )
                steps = (*plan.graph.steps[:place], now, *plan.graph.steps[place + 1 :])
                self._with(replace(plan, graph=replace(plan.graph, steps=steps)), event.task_id)
                self._stale |= event.kind is TaskKind.RECEIVED and event.status in FINAL
                return
        self._stale |= event.kind is TaskKind.RECEIVED

    def _apply_card(self, card: Approval) -> None:
        plan = self.current
        if plan is None or card.graph_id != plan.graph_id:
            return
        cards = tuple(card if one.approval_id == card.approval_id else one for one in plan.cards)
        steps = tuple(
            replace(one, status=card.task_status) if one.task_id == card.task_id else one for one in plan.graph.steps
        )
        self._with(replace(plan, cards=cards, graph=replace(plan.graph, steps=steps)), card.task_id)

    def _with(self, plan: PlanDetails, task_id: TaskId) -> None:
        self.current = plan
        if self.earlier is None:
            self._touched.add(task_id)
            self._unseen.add(task_id)

    def _settle(self) -> None:
        """After a batch of events: read the plan again if its steps are others, else tell which ones changed."""
        if self._stale:
            self._stale = False
            self._load()
        elif self._touched:
            touched, self._touched = frozenset(self._touched), set()
            self.steps_changed.emit(touched)


def _with_making(current: PlanDetails, making: PlanDetails | None = None, *_more: PlanDetails) -> PlanDetails:
    """Return the current plan with the first step of the one that is being made beside it."""
    if making is None or making.graph_id != IN_THE_MAKING:
        return current
    return replace(current, graph=replace(current.graph, steps=(*current.graph.steps, *making.graph.steps)))
