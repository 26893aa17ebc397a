"""What plans did that no message shows: shown between the messages on demand."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chimein_gui.domain.ids import GraphId, MessageId, TaskId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.replies.problems import ReplyProblem
from chimein_gui.domain.tasks import TaskStatus


class HiddenKind(StrEnum):
    """What a hidden step is about; all but the first two are kinds of tasks."""

    PLAN = "plan"
    """The plan as a whole: nothing was answered, something of its reply was left out, or it was given up."""
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
    """One thing a plan did, or did not do, without a message of it.

    Attributes:
        task_id: The step; None for what was remembered.
        graph_id: Its plan; None for a plan that was never stored.
        kind: What it is about.
        status: How it ended or where it is: ``done``, ``failed``, ``skipped``, ``cancelled`` …
        text: What was remembered or drafted; for a wait and a plan empty. Foreign text.
        at: When, as well as it is known, aware UTC.
        after_message_id: The message it stands below; 0 = above all.
        reason: Why it is in its state, or None.
        wait_s: Length of a wait in seconds; None for all others.
        problems: Of a plan: what of its reply was left out or changed.
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
