"""Engine events, named in the past tense; each carries the new immutable snapshot, so that no query is needed."""

from dataclasses import dataclass
from datetime import datetime

from chimein_gui.domain.accounts.sign_in import LoginState
from chimein_gui.domain.agents import Agent, FileProblem
from chimein_gui.domain.approvals import Approval, SavedEdit
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.costs import ModelCall
from chimein_gui.domain.holds import Backlog, Hold
from chimein_gui.domain.ids import AccountId, AgentId, ApprovalId, ChatId, GraphId, MessageId, PeerId, Revision, TaskId
from chimein_gui.domain.memory.embedding import EmbeddingStatus
from chimein_gui.domain.memory.proposals import Proposal
from chimein_gui.domain.messages import Message
from chimein_gui.domain.notes import Note
from chimein_gui.domain.plans.graphs import TaskGraph
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.domain.traces.summaries import TraceId, TraceState


@dataclass(frozen=True, slots=True)
class AgentChanged:
    """An agent appeared, or its file or health changed."""

    agent: Agent
    revision: Revision


@dataclass(frozen=True, slots=True)
class AgentRemoved:
    """The file of an agent that was never logged in is gone; nothing of the agent is shown any more."""

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
    """A planned send was created, open or already approved by a rule."""

    approval: Approval
    revision: Revision


@dataclass(frozen=True, slots=True)
class ApprovalResolved:
    """An approval was decided, undone or superseded."""

    approval: Approval
    revision: Revision


@dataclass(frozen=True, slots=True)
class TaskStatusChanged:
    """The state of a planned send changed: sending, done, unknown, failed, back to review."""

    approval: Approval
    revision: Revision


@dataclass(frozen=True, slots=True)
class TaskGraphReplaced:
    """A chat has a new plan, with all its steps; drafts of the old one were superseded."""

    graph: TaskGraph
    revision: Revision

    @property
    def chat_id(self) -> ChatId:
        """Return the conversation."""
        return self.graph.chat_id


@dataclass(frozen=True, slots=True)
class PlanEdited:
    """The operator changed steps of a chat's plan, or their order.

    Attributes:
        graph: The plan as it is now.
        edits: How often it has been edited.
        revision: The commit.
    """

    graph: TaskGraph
    edits: int
    revision: Revision

    @property
    def chat_id(self) -> ChatId:
        """Return the conversation."""
        return self.graph.chat_id


@dataclass(frozen=True, slots=True)
class UploadAdvanced:
    """Progress of a file's upload as a share from 0 to 1; None: it is not being uploaded any more."""

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
    """The state of an invisible step (planning, a wait) changed.

    Attributes:
        chat_id: The conversation.
        task_id: The step.
        kind: Kind of the step.
        status: Its new state.
        until: When it continues automatically, aware UTC; or None.
        reason: Why it is in its state, or None.
        attempts: How often it was started.
        revision: Order among events.
        wait_s: Length of a wait in seconds, counted from its begin.
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
    """The list of active holds changed; it is complete."""

    holds: tuple[Hold, ...]
    revision: Revision


@dataclass(frozen=True, slots=True)
class BacklogOpened:
    """A hold was released: what it had held waits for review. The release itself sends nothing."""

    backlog: Backlog
    revision: Revision


@dataclass(frozen=True, slots=True)
class ServerWaitBegan:
    """Telegram told us to wait; approved sends stay approved meanwhile.

    Attributes:
        account_id: The account that has to wait.
        chat_id: The chat, for a slow mode; None if it applies to the account's whole method.
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
class SavedEditsChanged:
    """The saved edits of one chat changed; the list is complete."""

    chat_id: ChatId
    edits: tuple[SavedEdit, ...]
    revision: Revision


@dataclass(frozen=True, slots=True)
class VariantStored:
    """Regenerate has made another version of the plan; nothing of it is sent before it is chosen.

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
        """Return the conversation."""
        return self.graph.chat_id


@dataclass(frozen=True, slots=True)
class ModelCallBooked:
    """A model call was booked, cancelled ones included; one that embeds memories belongs to no chat."""

    chat_id: ChatId | None
    call: ModelCall
    revision: Revision


@dataclass(frozen=True, slots=True)
class TraceChanged:
    """A trace was stored, or what became of its plan changed. Whoever shows its row asks for it: most never do.

    Attributes:
        trace_id: The trace.
        chat_id: Its conversation.
        state: What became of the plan.
        revision: Order among events.
    """

    trace_id: TraceId
    chat_id: ChatId
    state: TraceState
    revision: Revision


@dataclass(frozen=True, slots=True)
class TracesRemoved:
    """Retention has deleted traces, or their person was forgotten; what is shown of them is to be read again."""

    revision: Revision


@dataclass(frozen=True, slots=True)
class CapsChanged:
    """A cap on costs, or what was given to it for the day, has changed."""

    revision: Revision


@dataclass(frozen=True, slots=True)
class Remembered:
    """A reply's `remember`, or a partner's order, was written to the agent's memory file, was known or was undone.

    Attributes:
        agent_id: The agent with the memory.
        chat_id: The chat of the reply, or of the order.
        graph_id: The plan; None for an order.
        index: Index of the `remember` in the plan, from 0.
        text: What was to be written.
        undone: True once the operator undid it.
        revision: Order among events.
        message_id: The message that gave the order; None for a reply.
    """

    agent_id: AgentId
    chat_id: ChatId
    graph_id: GraphId | None
    index: int
    text: str
    undone: bool
    revision: Revision
    message_id: MessageId | None = None


@dataclass(frozen=True, slots=True)
class MemoryEmbeddingChanged:
    """The embedding of memories has got further, was stopped, or has a problem."""

    status: EmbeddingStatus
    revision: Revision


@dataclass(frozen=True, slots=True)
class PersonForgotten:
    """An order to forget a person was carried out.

    Attributes:
        person: The person.
        chats: The direct chats, which are empty and not listed any more.
        groups: Groups in which the messages of the person are empty.
        revision: Order among events.
    """

    person: PeerId
    chats: tuple[ChatId, ...]
    groups: tuple[ChatId, ...]
    revision: Revision


@dataclass(frozen=True, slots=True)
class LoginChanged:
    """A log-in moved on or ended. The only secret in the state is the QR code, which no repr shows."""

    state: LoginState
    revision: Revision


@dataclass(frozen=True, slots=True)
class DescriptionsChanged:
    """Files of descriptions of media were written or removed, by whomever.

    Attributes:
        unique_ids: Whose descriptions.
        revision: Order among events.
    """

    unique_ids: frozenset[str]
    revision: Revision


@dataclass(frozen=True, slots=True)
class SecretsChanged:
    """Secrets were set, replaced or removed; only names and places are given.

    Attributes:
        places: Name and place of each that changed; the place is empty if it was removed.
        revision: Order among events.
    """

    places: tuple[tuple[str, str], ...]
    revision: Revision


@dataclass(frozen=True, slots=True)
class PreferencesChanged:
    """The operator has changed a preference.

    Attributes:
        preferences: All preferences after the change.
        revision: Order among events of this kind.
    """

    preferences: Preferences
    revision: Revision


@dataclass(frozen=True, slots=True)
class FaultReported:
    """A fault for the operator, shown in the bar.

    Attributes:
        key: Identifies the fault: a later report with the same key replaces this one; an empty `cause` clears it.
        cause: What happened, one sentence.
        remedy: What it means for messages and what to do.
        revision: Order among events.
    """

    key: str
    cause: Note | None
    remedy: Note | None
    revision: Revision


@dataclass(frozen=True, slots=True)
class MemoryProposalsChanged:
    """Memories were proposed, decided or undone, or what they rest on has changed."""

    proposals: tuple[Proposal, ...]
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
    | PlanEdited
    | UploadAdvanced
    | PartnerTyping
    | StepChanged
    | HoldsChanged
    | BacklogOpened
    | ServerWaitBegan
    | SavedEditsChanged
    | VariantStored
    | ModelCallBooked
    | TraceChanged
    | TracesRemoved
    | CapsChanged
    | Remembered
    | MemoryEmbeddingChanged
    | MemoryProposalsChanged
    | PersonForgotten
    | LoginChanged
    | DescriptionsChanged
    | SecretsChanged
    | PreferencesChanged
    | FaultReported
)


def is_of_group(event: EngineEvent) -> bool:
    """Return whether an event brings a message of a group; the ids of groups are negative."""
    return isinstance(event, MessageStored) and int(event.message.key.peer_id) < 0


def has_media(event: EngineEvent) -> bool:
    """Return whether an event brings a message with media."""
    return isinstance(event, MessageStored) and event.message.media is not None


def is_change(event: EngineEvent) -> bool:
    """Return whether an event says that a message was edited or deleted."""
    return isinstance(event, MessageStored) and (event.message.deleted or event.message.edited_at is not None)


def is_reply(event: EngineEvent) -> bool:
    """Return whether an event brings a message of somebody else that answers another one."""
    return isinstance(event, MessageStored) and event.message.reply_to_id is not None and not event.message.out


def is_of_file(event: EngineEvent) -> bool:
    """Return whether an event is about a send of a file."""
    return isinstance(event, ApprovalResolved | TaskStatusChanged) and event.approval.file is not None
