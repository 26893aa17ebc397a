"""A plan with everything that the Plans pane shows of it, in one snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.ids import GraphId

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import ChatId, TaskId
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.plans.graphs import TaskGraph
    from chimein_gui.domain.plans.step_edits import StepAction


IN_THE_MAKING = GraphId(0)
"""The id of a plan that is still being made, and therefore not stored."""


class PlanEnd(StrEnum):
    """How a plan ended, or that it has not."""

    OPEN = "open"
    """At least one step is not final."""
    SENT = "sent"
    """Something of it was sent, and nothing is left."""
    REPLACED = "replaced"
    """A newer plan, or another version of it, took its place before all was sent."""
    REJECTED = "rejected"
    """The operator rejected all of it that was not sent."""
    FAILED = "failed"
    """It was given up; `PlanDetails.failed` says why."""
    OBSERVED = "observed"
    """The chat is only observed."""
    NO_ANSWER = "no answer"
    """The agent had nothing to send."""
    ENDED = "ended"
    """It ended in another way, for example because the account changed."""


@dataclass(frozen=True, slots=True)
class PlanDetails:
    """One plan.

    Attributes:
        graph: The plan and its steps.
        cards: Its planned sends, in plan order.
        triggers: The messages that it answers, oldest first, as far as they are stored.
        end: How it ended.
        ended_at: When the last thing of it was sent, decided or replaced, aware UTC; None while it is open.
        is_current: The plan that the chat follows; only this one can be edited.
        edits: How often the operator has edited it.
        added: The steps that the operator added by hand.
        brought_back: The steps that undoing an edit added in the place of ended ones.
        can_undo: There is an edit that is not undone.
        edited: What the operator did to its steps and did not take back; without inserted texts, which are saved when
            it is replaced.
        edited_before: The same of the plan that it replaced, if anything was left of that one.
        successor: If it was replaced or given up: the next plan of the chat that could be made, or None.
        failed: Why it was given up, or None.
        is_unanswered: It failed, and the messages that it was to answer still wait for an answer.
    """

    graph: TaskGraph
    cards: tuple[Approval, ...]
    triggers: tuple[Message, ...]
    end: PlanEnd
    ended_at: datetime | None = None
    is_current: bool = False
    edits: int = 0
    added: frozenset[TaskId] = frozenset()
    brought_back: frozenset[TaskId] = frozenset()
    can_undo: bool = False
    edited: frozenset[StepAction] = frozenset()
    edited_before: frozenset[StepAction] = frozenset()
    successor: GraphId | None = None
    failed: Note | None = None
    is_unanswered: bool = False

    @property
    def graph_id(self) -> GraphId:
        """Return the id of the plan."""
        return self.graph.graph_id

    @property
    def chat_id(self) -> ChatId:
        """Return the conversation."""
        return self.graph.chat_id


@dataclass(frozen=True, slots=True)
class PlanPage:
    """Some plans of a chat, newest first.

    Attributes:
        plans: The plans.
        has_more: Older ones follow.
    """

    plans: tuple[PlanDetails, ...]
    has_more: bool
