"""Snapshot of a plan: its steps, their order and their states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.ids import ChatId, GraphId, MessageId, TaskId
    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.replies.problems import ReplyProblem
    from chimein_gui.domain.tasks import TaskKind, TaskStatus


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step of a plan.

    Attributes:
        task_id: The step.
        kind: Kind of the step.
        status: Its state.
        depends_on: The steps that must be settled before it, by id.
        until: When it continues automatically, aware UTC; or None.
        reason: Why it is in its state, or None.
        attempts: How often it was started.
        wait_s: Length of a wait in seconds, counted from its begin.
    """

    task_id: TaskId
    kind: TaskKind
    status: TaskStatus
    depends_on: tuple[TaskId, ...]
    until: datetime | None = None
    reason: Note | None = None
    attempts: int = 0
    wait_s: float | None = None


@dataclass(frozen=True, slots=True)
class TaskGraph:
    """One plan.

    Attributes:
        graph_id: The plan.
        chat_id: The conversation.
        created_at: Aware UTC.
        trigger_ids: The messages it answers, oldest first.
        problems: Parts of the reply that were left out or changed, for the operator.
        steps: Its steps in plan order, final ones included; the texts of planned sends are in their approvals.
        variant_of: For a variant: the plan that it can replace, or has replaced.
        instruction: The operator's instruction for a variant, or empty.
    """

    graph_id: GraphId
    chat_id: ChatId
    created_at: datetime
    trigger_ids: tuple[MessageId, ...]
    problems: tuple[ReplyProblem, ...]
    steps: tuple[PlanStep, ...]
    variant_of: GraphId | None = None
    instruction: str = ""
