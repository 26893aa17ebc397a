"""Steps of plans that left no message; the transcript shows them between the messages on demand."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chimein_gui.domain.ids import GraphId, MessageId, TaskId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.replies.problems import ReplyProblem
from chimein_gui.domain.tasks import TaskStatus


class HiddenKind(StrEnum):
    """Kind of a hidden step; all but the first two are kinds of tasks."""

    PLAN = "plan"
    """The plan as a whole: nothing was answered, a part of its reply was left out, or it was given up."""
    REMEMBERED = "remembered"
    WAIT = "wait"
    SEND = "send"
    STICKER = "sticker"
    BLOCK = "block"
    UNBLOCK = "unblock"
    CLEAR_CONVERSATION = "clear-conversation"
    SHUTDOWN = "shutdown"


@dataclass(frozen=True, slots=True)
class HiddenStep:
    """One step of a plan that left no message.

    Attributes:
        task_id: The step; None for what was remembered.
        graph_id: Its plan; None for a plan that was never stored.
        kind: Kind of the step.
        status: Its state: ``done``, ``failed``, ``skipped``, ``cancelled`` …
        text: The remembered or drafted text; empty for a wait and a plan. Foreign text.
        at: Its time as far as known, aware UTC.
        after_message_id: The message below which it is shown; 0 = above all.
        reason: Why it is in its state, or None.
        wait_s: Length of a wait in seconds; None for all others.
        problems: For a plan: parts of its reply that were left out or changed.
    """

    task_id: TaskId | None
    graph_id: GraphId | None
    kind: HiddenKind
    status: TaskStatus
    text: str
    at: datetime
    after_message_id: MessageId
    reason: Note | None = None
    wait_s: float | None = None
    problems: tuple[ReplyProblem, ...] = ()
