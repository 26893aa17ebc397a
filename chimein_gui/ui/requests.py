"""Requests of one part of the window to another, as data. The sender does not know who handles them.

A pane names the request types it handles in `PaneSpec.opens`: the shell raises it and passes the request to
`Pane.open`. Other requests go to the handlers registered with `Requests.on`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.ids import AgentId, ApprovalId, ChatId, GraphId, MessageId, TaskId
    from chimein_gui.domain.messages import Message

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


@dataclass(frozen=True, slots=True)
class ShowChat:
    """Show this chat."""

    chat_id: ChatId


@dataclass(frozen=True, slots=True)
class ShowMessage:
    """Show this message in its chat."""

    chat_id: ChatId
    message_id: MessageId


@dataclass(frozen=True, slots=True)
class ReplyTo:
    """Reply to this message in the composer of its chat."""

    message: Message


@dataclass(frozen=True, slots=True)
class EditSent:
    """Edit this sent message."""

    message: Message


@dataclass(frozen=True, slots=True)
class DeleteSent:
    """Delete this sent message for everyone, after a confirmation."""

    message: Message


@dataclass(frozen=True, slots=True)
class EditDraft:
    """Edit this planned message in the Approvals pane."""

    approval_id: ApprovalId


@dataclass(frozen=True, slots=True)
class EditInChat:
    """Edit this planned message in the Conversations pane."""

    chat_id: ChatId
    approval_id: ApprovalId


@dataclass(frozen=True, slots=True)
class ShowDraft:
    """Show this planned message in the Approvals pane."""

    approval_id: ApprovalId


@dataclass(frozen=True, slots=True)
class SelectDraft:
    """Select this planned message in the Approvals pane without raising the pane."""

    approval_id: ApprovalId


@dataclass(frozen=True, slots=True)
class ShowAgent:
    """Show this agent in the Agents pane; None shows all agents."""

    agent_id: AgentId | None


@dataclass(frozen=True, slots=True)
class ShowDecisions:
    """Show the decisions of this chat; None shows those of all chats."""

    chat_id: ChatId | None = None


@dataclass(frozen=True, slots=True)
class ShowPlan:
    """Show the plan of this chat, at this step if one is given; `graph_id` if it may be an earlier plan."""

    chat_id: ChatId
    task_id: TaskId | None = None
    graph_id: GraphId | None = None


@dataclass(frozen=True, slots=True)
class ShowContext:
    """Show which messages a plan of this chat took; None shows its newest plan."""

    chat_id: ChatId
    graph_id: GraphId | None = None


@dataclass(frozen=True, slots=True)
class ShowActiveFaults:
    """Show the injected faults that are active in the sandbox."""


@dataclass(frozen=True, slots=True)
class PickScenario:
    """Show the scenario picker of the sandbox, or hide it if it is open."""


@dataclass(frozen=True, slots=True)
class OpenFolder:
    """Open the folder of this file in the file manager."""

    path: str


@dataclass(frozen=True, slots=True)
class OpenFile:
    """Open this file of the config directories in the desktop's default program for it."""

    path: str


@dataclass(frozen=True, slots=True)
class OpenAgentSource:
    """Open this agent file or prompt in the editor, at this line from 1; 0 opens it where it was left.

    An empty path shows the editor with what is open there.
    """

    path: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class MaximizePane:
    """Give this pane the whole width, or restore its former width."""

    pane_id: str


@dataclass(frozen=True, slots=True)
class ClosePane:
    """Hide this on-demand pane, or restore a maximized one."""

    pane_id: str


@dataclass(frozen=True, slots=True)
class OpenLogin:
    """Open the login dialog of this agent."""

    agent_id: AgentId


@dataclass(frozen=True, slots=True)
class LogOut:
    """Log this agent's account out, after a confirmation."""

    agent_id: AgentId


@dataclass(frozen=True, slots=True)
class OpenProxy:
    """Open the proxy dialog of this agent's account."""

    agent_id: AgentId


@dataclass(frozen=True, slots=True)
class SetUpPersona:
    """Open the first-run wizard."""


@dataclass(frozen=True, slots=True)
class ImportCard:
    """Choose a character card, and make an agent of it."""


@dataclass(frozen=True, slots=True)
class ExportCard:
    """Write an agent as a character card; None asks which one."""

    agent_id: AgentId | None = None


@dataclass(frozen=True, slots=True)
class OpenConfigDirectory:
    """Choose another config directory."""


@dataclass(frozen=True, slots=True)
class StartSandbox:
    """Start the sandbox as a second process."""
