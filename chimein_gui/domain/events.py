"""Engine events, in the past tense; each carries the new immutable snapshot, so that nobody has to ask back."""

from dataclasses import dataclass
from datetime import datetime

from chimein_gui.domain.agents import Agent, FileProblem
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.ids import ChatId, GraphId, Revision
from chimein_gui.domain.messages import Message


@dataclass(frozen=True, slots=True)
class AgentChanged:
    """An agent appeared, or its file or health changed."""

    agent: Agent
    revision: Revision


@dataclass(frozen=True, slots=True)
class FileProblemsChanged:
    """The whole list of config files that could not be used."""

    problems: tuple[FileProblem, ...]
    revision: Revision


@dataclass(frozen=True, slots=True)
class ChatChanged:
    """A chat appeared, or anything its row shows changed."""

    chat: Chat
    revision: Revision


@dataclass(frozen=True, slots=True)
class MessageStored:
    """A message was stored, edited or marked as deleted."""

    chat_id: ChatId
    message: Message
    revision: Revision


@dataclass(frozen=True, slots=True)
class ApprovalRequested:
    """A planned send came into being, open or already approved by a rule."""

    approval: Approval
    revision: Revision


@dataclass(frozen=True, slots=True)
class ApprovalResolved:
    """An approval was decided, undone or superseded."""

    approval: Approval
    revision: Revision


@dataclass(frozen=True, slots=True)
class TaskStatusChanged:
    """A planned send moved on: sending, done, unknown, failed, back to review."""

    approval: Approval
    revision: Revision


@dataclass(frozen=True, slots=True)
class TaskGraphReplaced:
    """A chat has a new plan; drafts of the old one were superseded."""

    chat_id: ChatId
    graph_id: GraphId
    problems: tuple[str, ...]
    revision: Revision


@dataclass(frozen=True, slots=True)
class PartnerTyping:
    """A partner is typing, until the given time (aware UTC) unless refreshed."""

    chat_id: ChatId
    until: datetime
    revision: Revision


@dataclass(frozen=True, slots=True)
class FaultReported:
    """Something the operator should know of, shown in the bar.

    Attributes:
        key: Same key, same fault: a later report replaces an earlier one; an empty `cause` clears it.
        cause: What happened, one sentence.
        remedy: What it means for messages and what to do.
        revision: Order among events.
    """

    key: str
    cause: str
    remedy: str
    revision: Revision


EngineEvent = (
    AgentChanged
    | FileProblemsChanged
    | ChatChanged
    | MessageStored
    | ApprovalRequested
    | ApprovalResolved
    | TaskStatusChanged
    | TaskGraphReplaced
    | PartnerTyping
    | FaultReported
)
