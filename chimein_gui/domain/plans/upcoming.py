"""What happens next in all chats: steps with their times, and why nothing happens where something could."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from chimein_gui.domain.approvals import Approval, Rule
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.ids import AgentId, ChatId, TaskId
from chimein_gui.domain.notes import Note, NoteKind, PlanningProblem, is_of
from chimein_gui.domain.tasks import TaskKind, TaskStatus

AT_HAND = timedelta(seconds=15)
"""What continues within this time happens now."""

SOON = timedelta(minutes=15)
"""What continues within this time happens in the next minutes."""


class Course(StrEnum):
    """What a step needs to continue."""

    RUNS = "runs"
    BY_ITSELF = "by itself"
    TELEGRAM = "telegram"
    """It leaves by itself after a wait that Telegram has asked for."""
    IF_DECIDED = "if decided"
    """Only after a decision of the operator, on this step or on an earlier one."""
    STOPPED = "stopped"


class UpcomingGroup(StrEnum):
    """When a step continues; the groups of the list, in their order."""

    NEEDS_YOU = "needs you"
    """The operator decides, or stops it now: what Approvals counts, and waits that ask."""
    NOW = "now"
    SOON = "soon"
    LATER = "later"
    HELD = "held"
    """The operator holds it; it leaves after the release."""
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class UpcomingEntry:
    """One step of a chat that is not over, or the reason why a chat with unanswered messages has none.

    Attributes:
        chat_id: The chat.
        agent_id: Its agent.
        agent_name: Name of the agent.
        chat_title: Name of the chat, foreign text.
        trust: The chat's active trust level.
        course: What it needs to continue.
        asks: The operator must decide on this very step.
        kind: Kind of the step; None if the chat has no step.
        task_id: The step; None if there is none.
        approval: The planned send, or None.
        since: When it begins, such as its typing, aware UTC; None if that is not known. For a step that needs a
            decision: when it would begin if everything before it were decided now.
        until: When it ends or leaves, aware UTC; None if that is not known. As for `since`.
        reason: Why it has not happened yet; None without a special reason.
        problem: Why there is no plan yet, in place of `reason`; or None.
    """

    chat_id: ChatId
    agent_id: AgentId
    agent_name: str
    chat_title: str
    trust: TrustLevel
    course: Course
    asks: bool = False
    kind: TaskKind | None = None
    task_id: TaskId | None = None
    approval: Approval | None = None
    since: datetime | None = None
    until: datetime | None = None
    reason: Note | None = None
    problem: PlanningProblem | None = None

    @property
    def is_held(self) -> bool:
        """Return whether it leaves once the operator ends a hold."""
        return self.course is Course.STOPPED and is_of(self.reason, NoteKind.HELD)

    @property
    def counts_down(self) -> bool:
        """Return whether a rule sends it unless the operator stops it: the last moment to decide."""
        card = self.approval
        return card is not None and card.task_status is TaskStatus.APPROVED and card.decided_by == Rule.COUNTDOWN_TRUST

    def group(self, now: datetime) -> UpcomingGroup:
        """Return when it continues, judged at `now`, aware UTC."""
        if self.course is Course.STOPPED:
            return UpcomingGroup.HELD if self.is_held else UpcomingGroup.STOPPED
        due = self.continues_at(now)
        if self.counts_down or (self.asks and due is None):
            return UpcomingGroup.NEEDS_YOU
        if self.course is Course.RUNS:
            return UpcomingGroup.NOW
        if due is None:
            return UpcomingGroup.SOON
        if due <= now + AT_HAND:
            return UpcomingGroup.NOW
        return UpcomingGroup.SOON if due <= now + SOON else UpcomingGroup.LATER

    def continues_at(self, now: datetime) -> datetime | None:
        """Return when it continues without a decision, or when a postponed one asks again; None if there is no time."""
        if self.asks:
            later = self.approval.postponed_until if self.approval is not None else None
            return later if later is not None and later > now else None
        return None if self.course in {Course.IF_DECIDED, Course.STOPPED} else self.until

    def regroups_at(self, now: datetime) -> datetime | None:
        """Return when its group is another one without an event, after `now`, aware UTC; None for never."""
        due = self.continues_at(now)
        if due is None or self.counts_down or self.course in {Course.RUNS, Course.STOPPED}:
            return None
        return next((one for one in (due - SOON, due - AT_HAND, due) if one > now), None)
