"""Engine events, in the past tense; each carries the new immutable snapshot, so that nobody has to ask back."""

from dataclasses import dataclass
from datetime import datetime

from chimein_gui.domain.accounts.sign_in import LoginState
from chimein_gui.domain.agents import Agent, FileProblem
from chimein_gui.domain.approvals import Approval, SavedEdit
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.costs import ModelCall
from chimein_gui.domain.holds import Backlog, Hold
from chimein_gui.domain.ids import AccountId, AgentId, ApprovalId, ChatId, GraphId, Revision, TaskId
from chimein_gui.domain.messages import Message
from chimein_gui.domain.notes import Note
from chimein_gui.domain.plans.graphs import TaskGraph
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskKind, TaskStatus


@dataclass(frozen=True, slots=True)
class AgentChanged:
    """An agent appeared, or its file or health changed."""

    agent: Agent
    revision: Revision


@dataclass(frozen=True, slots=True)
class AgentRemoved:
    """An agent's file is gone, and there is nothing of it to be shown: it was never logged in."""

    agent_id: AgentId
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
    """A chat has a new plan, with all its steps; drafts of the old one were superseded."""

    graph: TaskGraph
    revision: Revision

    @property
    def chat_id(self) -> ChatId:
        """The conversation."""
        return self.graph.chat_id


@dataclass(frozen=True, slots=True)
class UploadAdvanced:
    """So much of the file of a send is uploaded, from 0 to 1; None: it is not being uploaded any more."""

    approval_id: ApprovalId
    chat_id: ChatId
    part: float | None
    revision: Revision = Revision(0)


@dataclass(frozen=True, slots=True)
class PartnerTyping:
    """A partner is typing, until the given time (aware UTC) unless refreshed."""

    chat_id: ChatId
    until: datetime
    revision: Revision


@dataclass(frozen=True, slots=True)
class StepChanged:
    """A step that nobody outside can see moved on: the plan in the making, a wait.

    Attributes:
        chat_id: The conversation.
        task_id: The step.
        kind: What it does.
        status: Its state now.
        until: When it goes on by itself, aware UTC; or None.
        reason: Why it is in its state, or None.
        attempts: How often it was started.
        revision: Order among events.
        wait_s: Of a wait: its length in seconds, counted from when it begins.
    """

    chat_id: ChatId
    task_id: TaskId
    kind: TaskKind
    status: TaskStatus
    until: datetime | None
    reason: Note | None
    attempts: int
    revision: Revision
    wait_s: float | None = None


@dataclass(frozen=True, slots=True)
class HoldsChanged:
    """The whole list of holds that are on."""

    holds: tuple[Hold, ...]
    revision: Revision


@dataclass(frozen=True, slots=True)
class BacklogOpened:
    """A hold was released: what lived through it waits for review, and nothing was sent by the release."""

    backlog: Backlog
    revision: Revision


@dataclass(frozen=True, slots=True)
class ServerWaitBegan:
    """Telegram told us to wait; approved sends stay approved meanwhile.

    Attributes:
        account_id: Whose clock.
        chat_id: The chat, for a slow mode; None where it counts for the account's whole method.
        method: Telegram's name of the method.
        until: Aware UTC.
        revision: Order among events.
    """

    account_id: AccountId
    chat_id: ChatId | None
    method: str
    until: datetime
    revision: Revision


@dataclass(frozen=True, slots=True)
class ShelfChanged:
    """The edits of one chat that outlived their drafts."""

    chat_id: ChatId
    edits: tuple[SavedEdit, ...]
    revision: Revision


@dataclass(frozen=True, slots=True)
class VariantStored:
    """A regenerate has brought another version of the plan; nothing of it leaves before it is chosen.

    Attributes:
        graph: The variant, with all its steps.
        drafts: Its planned sends, parked, in plan order.
        revision: Order among events.
    """

    graph: TaskGraph
    drafts: tuple[Approval, ...]
    revision: Revision

    @property
    def chat_id(self) -> ChatId:
        """The conversation."""
        return self.graph.chat_id


@dataclass(frozen=True, slots=True)
class ModelCallBooked:
    """A model call has cost something, cancelled ones included."""

    chat_id: ChatId
    call: ModelCall
    revision: Revision


@dataclass(frozen=True, slots=True)
class Remembered:
    """The agent's memory file has grown by what its reply said.

    Attributes:
        agent_id: Whose memory.
        chat_id: Where the reply was made.
        graph_id: The plan.
        index: Which `remember` of it, from 0.
        text: What was written.
        undone: True once the operator took it back.
        revision: Order among events.
    """

    agent_id: AgentId
    chat_id: ChatId
    graph_id: GraphId
    index: int
    text: str
    undone: bool
    revision: Revision


@dataclass(frozen=True, slots=True)
class LoginChanged:
    """A log-in moved on, or ended; the state holds no secret but the picture to scan, which no repr shows."""

    state: LoginState
    revision: Revision


@dataclass(frozen=True, slots=True)
class SecretsChanged:
    """Secrets were given, replaced or removed; names and places only.

    Attributes:
        places: Name and place of each that changed; an empty place: there is none any more.
        revision: Order among events.
    """

    places: tuple[tuple[str, str], ...]
    revision: Revision


@dataclass(frozen=True, slots=True)
class PreferencesChanged:
    """The operator has adjusted something.

    Attributes:
        preferences: All of them, as they are now.
        revision: Order among events of this kind.
    """

    preferences: Preferences
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
    | AgentRemoved
    | FileProblemsChanged
    | ChatChanged
    | MessageStored
    | ApprovalRequested
    | ApprovalResolved
    | TaskStatusChanged
    | TaskGraphReplaced
    | UploadAdvanced
    | PartnerTyping
    | StepChanged
    | HoldsChanged
    | BacklogOpened
    | ServerWaitBegan
    | ShelfChanged
    | VariantStored
    | ModelCallBooked
    | Remembered
    | LoginChanged
    | SecretsChanged
    | PreferencesChanged
    | FaultReported
)


def is_of_group(event: EngineEvent) -> bool:
    """Tell whether an event brings a message of a group; the ids of groups are negative."""
    return isinstance(event, MessageStored) and int(event.message.key.peer_id) < 0


def is_of_file(event: EngineEvent) -> bool:
    """Tell whether an event is about a send of a file."""
    return isinstance(event, ApprovalResolved | TaskStatusChanged) and event.approval.file is not None
