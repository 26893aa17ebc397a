"""The invisible steps of the open chat's plan: the plan being made, and its waits.

Some need the operator: waits of more than 24 h, and a plan that could not be made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.events import PlanEdited, StepChanged, TaskGraphReplaced
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.viewmodels.core.commands import CommandRunner
from chimein_gui.viewmodels.core.live_query import LiveQuery

if TYPE_CHECKING:
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId, TaskId
    from chimein_gui.domain.plans.graphs import PlanStep
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.cards import PlansService


_AHEAD = frozenset({TaskStatus.PENDING, TaskStatus.READY, TaskStatus.WAITING, TaskStatus.AWAITING_OPERATOR})
_IN_THE_MAKING = frozenset({TaskStatus.READY, TaskStatus.WAITING, TaskStatus.RUNNING})


class LongWaitsApi(Protocol):
    """What this model asks of the engine."""

    @property
    def plans(self) -> PlansService: ...


class LongWaits(CommandRunner[LongWaitsApi]):
    """Follows the steps of one chat.

    Attributes:
        changed: The waits of the open chat that need the operator changed.
        steps_changed: Any of its waits, or the plan being made, changed.
    """

    changed = Signal()
    steps_changed = Signal()

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent)
        self._chat_id: ChatId | None = None
        self._waits: dict[TaskId, StepChanged] = {}
        self._ahead: dict[TaskId, StepChanged] = {}
        self._received: StepChanged | None = None
        self._live = LiveQuery(bridge, self._apply, self, kinds=frozenset({TaskGraphReplaced, PlanEdited, StepChanged}))
        self._live.failed.connect(self.failed)

    def attach(self, api: LongWaitsApi, spawn: Spawn) -> None:
        """Keep the engine to query, and read the chat that is already open."""
        super().attach(api, spawn)
        self.open(self._chat_id)

    def open(self, chat_id: ChatId | None) -> None:
        """Follow another chat; None follows none."""
        had_waits, self._chat_id = bool(self._waits), chat_id
        self._waits, self._ahead, self._received = {}, {}, None
        self._load()
        if had_waits:
            self.changed.emit()
        self.steps_changed.emit()

    def waits(self) -> tuple[StepChanged, ...]:
        """Return the waits of the open chat that begin only when the operator allows them, in plan order."""
        return tuple(self._waits[task_id] for task_id in sorted(self._waits))

    def ahead(self) -> tuple[StepChanged, ...]:
        """Return the waits that run or have not begun, in plan order."""
        return tuple(self._ahead[task_id] for task_id in sorted(self._ahead))

    def in_the_making(self) -> StepChanged | None:
        """Return the planning step of the open chat that runs or is scheduled, or None."""
        return self._received

    def cancel_planning(self) -> None:
        """Cancel the planning; its messages count as answered."""
        if self._api is not None and self._received is not None:
            task_id = self._received.task_id
            self._send(self._api.plans.cancel_planning(task_id), f"cancel planning {task_id}")

    def let_wait(self, step: StepChanged) -> None:
        """Allow a long wait; it begins now."""
        if self._api is not None:
            self._send(self._api.plans.let_wait_begin(step.task_id), f"let wait {step.task_id}")

    def go_on(self, step: StepChanged) -> None:
        """Skip a wait."""
        if self._api is not None:
            self._send(self._api.plans.skip_wait(step.task_id), f"skip wait {step.task_id}")

    def plan_now(self, chat_id: ChatId, *, without_pages: bool = False) -> None:
        """Plan a chat again at once, where a plan could not be made; perhaps without looking up web pages."""
        if self._api is not None:
            self._send(self._api.plans.retry(chat_id, without_pages=without_pages), f"plan now {chat_id}")

    def _load(self) -> None:
        chat_id = self._chat_id
        if self._api is not None and self._spawn is not None and chat_id is not None:
            plans = self._api.plans
            self._live.fetch(self._spawn, lambda: plans.load(chat_id), self._install, name=f"load steps {chat_id}")

    def _install(self, steps: tuple[StepChanged, ...]) -> None:
        self._waits, self._ahead, self._received = {}, {}, None
        for step in steps:
            self._apply(step)
        self.steps_changed.emit()

    def _apply(self, event: EngineEvent) -> None:
        if isinstance(event, TaskGraphReplaced | PlanEdited) and event.chat_id == self._chat_id:
            for step in event.graph.steps:  # a step that only waits for earlier ones has no event of its own
                if step.kind is TaskKind.WAIT:
                    self._take_wait(_step_changed(event, step))
            self.steps_changed.emit()
        if not isinstance(event, StepChanged) or event.chat_id != self._chat_id:
            return
        if event.kind is TaskKind.RECEIVED:
            self._received = event if event.status in _IN_THE_MAKING else None
        elif event.kind is TaskKind.WAIT:
            self._take_wait(event)
        self.steps_changed.emit()

    def _take_wait(self, step: StepChanged) -> None:
        if step.status in _AHEAD:
            self._ahead[step.task_id] = step
        else:
            self._ahead.pop(step.task_id, None)
        if step.status is TaskStatus.AWAITING_OPERATOR:
            self._waits[step.task_id] = step
            self.changed.emit()
        elif self._waits.pop(step.task_id, None) is not None:
            self.changed.emit()


def _step_changed(event: TaskGraphReplaced | PlanEdited, step: PlanStep) -> StepChanged:
    """Return a step of a new plan as an event of its own."""
    return StepChanged(
        event.chat_id,
        step.task_id,
        step.kind,
        step.status,
        step.until,
        step.reason,
        step.attempts,
        event.revision,
        step.wait_s,
    )
