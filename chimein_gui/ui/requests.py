"""Requests of one part of the window to another, as data. The sender does not know who handles them.

A pane names the request types it handles in `PaneSpec.opens`: the shell raises it and passes the request to
`Pane.open`. Other requests go to the handlers registered with `Requests.on`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.ids import AgentId, ApprovalId, ChatId, GraphId, MessageId, PeerId, TaskId
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.prompt.sent import CallId
    from chimein_gui.domain.spending.caps import CapKey
    from chimein_gui.domain.traces.summaries import TraceFilter, TraceId
    from chimein_gui.viewmodels.preferences.catalogue import Page
    from chimein_gui.viewmodels.problems.words import ProblemAction

RequestType = TypeVar("RequestType")


class Requests(QObject):
    """Distributes requests.

    Attributes:
        sent: A request was sent; carries it.
    """

    sent = Signal(object)

    def send(self, request: object) -> None:
        """Emit a request."""
        self.sent.emit(request)

    def on(self, kind: type[RequestType], answer: Callable[[RequestType], object]) -> None:
        """Call `answer` with every request of a type."""

        def receive(request: object) -> None:
            if isinstance(request, kind):
                answer(request)

        self.sent.connect(receive)


class _Plain:
    """A request that says nothing but its type."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))


class ShowChat(NamedTuple):
    """Show this chat."""

    chat_id: ChatId


class ShowMessage(NamedTuple):
    """Show this message in its chat."""

    chat_id: ChatId
    message_id: MessageId


class ReplyTo(NamedTuple):
    """Reply to this message in the composer of its chat."""

    message: Message


class EditSent(NamedTuple):
    """Edit this sent message."""

    message: Message


class DeleteSent(NamedTuple):
    """Delete this sent message for everyone, after a confirmation."""

    message: Message


class EditDraft(NamedTuple):
    """Edit this planned message in the Approvals pane."""

    approval_id: ApprovalId


class EditInChat(NamedTuple):
    """Edit this planned message in the Conversations pane."""

    chat_id: ChatId
    approval_id: ApprovalId


class ShowDraft(NamedTuple):
    """Show this planned message in the Approvals pane."""

    approval_id: ApprovalId


class SelectDraft(NamedTuple):
    """Select this planned message in the Approvals pane without raising the pane."""

    approval_id: ApprovalId


class ShowAgent(NamedTuple):
    """Show this agent in the Agents pane; None shows all agents."""

    agent_id: AgentId | None


class ShowCosts(NamedTuple):
    """Show what model calls cost; `cap` edits a cap."""

    cap: CapKey | None = None


class ShowMedia(_Plain):
    """Show stickers, photos and sounds."""


class ShowMemory(_Plain):
    """Show what agents remember."""


class ShowDecisions(NamedTuple):
    """Show the decisions of this chat; None shows those of all chats."""

    chat_id: ChatId | None = None


class ShowPlan(NamedTuple):
    """Show the plan of this chat, at this step if one is given; `graph_id` if it may be an earlier plan."""

    chat_id: ChatId
    task_id: TaskId | None = None
    graph_id: GraphId | None = None


class ShowContext(NamedTuple):
    """Show which messages a plan of this chat took; None shows its newest plan."""

    chat_id: ChatId
    graph_id: GraphId | None = None


class PreviewPrompt(NamedTuple):
    """Show what would be sent to the model now for this chat, which the Conversations pane shows."""

    chat_id: ChatId


class ShowTrace(NamedTuple):
    """Show how a plan came about: the first of these that is given, else the newest traces of all.

    Attributes:
        graph_id: The trace of this plan.
        trace_id: This trace.
        task_id: The trace of the attempts at this `received` step.
        chat_id: The newest traces of this chat.
        message_id: With the chat, the trace of the plan that sent this message.
        call_id: With the plan, the step of this model call.
        wanted: The traces of this filter.
    """

    graph_id: GraphId | None = None
    trace_id: TraceId | None = None
    task_id: TaskId | None = None
    chat_id: ChatId | None = None
    message_id: MessageId | None = None
    call_id: CallId | None = None
    wanted: TraceFilter | None = None


class ShowPrompt(NamedTuple):
    """Show the stored prompt of a plan: of this call, else of its last one; or what another prompt would bring.

    Without a plan it is that of a call that brought none.
    """

    chat_id: ChatId
    graph_id: GraphId | None
    call_id: CallId | None = None
    what_if: bool = False


class ShowLog(NamedTuple):
    """Show the lines of the log about an agent, a chat or a plan; None for all."""

    agent_id: AgentId | None = None
    chat_id: ChatId | None = None
    graph_id: GraphId | None = None


class ShowPreferences(NamedTuple):
    """Show this page of the preferences."""

    page: Page


class RunAction(NamedTuple):
    """Run what a button beside a problem offers."""

    action: ProblemAction


class SaveDiagnostics(_Plain):
    """Save diagnostics to a file, after asking for its name."""


class ShowActiveFaults(_Plain):
    """Show the injected faults that are active in the sandbox."""


class PickScenario(_Plain):
    """Show the scenario picker of the sandbox, or hide it if it is open."""


class OpenFolder(NamedTuple):
    """Open the folder of this file in the file manager."""

    path: str


class OpenFile(NamedTuple):
    """Open this file of the config directories in the desktop's default program for it."""

    path: str


class OpenAgentSource(NamedTuple):
    """Open this agent file or prompt in the editor, at this line from 1; 0 opens it where it was left.

    An empty path shows the editor with what is open there.
    """

    path: str = ""
    line: int = 0


class MaximizePane(NamedTuple):
    """Give this pane the whole width, or restore its former width."""

    pane_id: str


class ClosePane(NamedTuple):
    """Hide this on-demand pane, or restore a maximized one."""

    pane_id: str


class OpenLogin(NamedTuple):
    """Open the login dialog of this agent."""

    agent_id: AgentId


class LogOut(NamedTuple):
    """Log this agent's account out, after a confirmation."""

    agent_id: AgentId


class OpenProxy(NamedTuple):
    """Open the proxy dialog of this agent's account."""

    agent_id: AgentId


class ShowPerson(NamedTuple):
    """Show everything that is held about this person, by the number at Telegram."""

    person: PeerId
    name: str = ""


class SetUpPersona(_Plain):
    """Open the first-run wizard."""


class ImportCard(_Plain):
    """Choose a character card, and make an agent of it."""


class ExportCard(NamedTuple):
    """Write an agent as a character card; None asks which one."""

    agent_id: AgentId | None = None


class OpenConfigDirectory(_Plain):
    """Choose another config directory."""


class StartSandbox(_Plain):
    """Start the sandbox as a second process."""
