"""A plan with a branch, as the Plans pane shows it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from chimein_gui.domain.ids import ChatId, GraphId, TaskId
from chimein_gui.domain.plans.details import PlanDetails, PlanEnd
from chimein_gui.domain.plans.graphs import PlanStep, TaskGraph
from chimein_gui.domain.plans.step_edits import StepAction
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from tests.fakes.engine_api import NOON, approval

CHAT = ChatId(1)
K, S = TaskKind, TaskStatus


def step(number: int, kind: TaskKind, status: TaskStatus, *earlier: int, **more: Any) -> PlanStep:
    return PlanStep(TaskId(number), kind, status, tuple(map(TaskId, earlier)), **more)


STEPS = (
    step(1, K.RECEIVED, S.DONE),
    step(2, K.SEND, S.DONE, 1),
    step(3, K.WAIT, S.WAITING, 2, wait_s=90.0, until=NOON + timedelta(seconds=40)),
    step(4, K.SEND, S.AWAITING_DECISION, 3),
    step(5, K.SEND, S.AWAITING_DECISION, 1),
    step(6, K.SEND, S.AWAITING_DECISION, 4, 5),
)
TEXTS = {2: "Sunday works", 4: "bring cash", 5: "by the way", 6: "see you"}


def plan(steps: tuple[PlanStep, ...] = STEPS, **more: Any) -> PlanDetails:
    cards = tuple(
        replace(approval(one.task_id, TEXTS.get(one.task_id, "")), graph_id=GraphId(9), task_status=one.status)
        for one in steps
        if one.kind is K.SEND
    )
    graph = TaskGraph(GraphId(9), CHAT, NOON, (), (), steps)
    return PlanDetails(graph, cards, (), PlanEnd.OPEN, is_current=True, **more)


def edits(desktop: Any) -> list[tuple[StepAction, TaskId]]:
    """Return the edits that were asked for."""
    return [(one.edit.action, one.edit.task_id) for one in desktop.api.plan_edits.edits]
