"""What one part of the window may ask of another, as data. Who asks need not know who answers.

A pane names in `PaneSpec.opens` the requests that it shows something for: the shell raises it and hands the request to
`Pane.open`. Other requests go to whoever has asked for them by `Requests.on`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.ids import AgentId, ApprovalId, ChatId, MessageId
    from chimein_gui.domain.messages import Message

RequestType = TypeVar("RequestType")


class Requests(QObject):
    """Carries requests.

    Attributes:
        sent: Somebody asks for something; carries the request.
    """

    sent = Signal(object)

    def send(self, request: object) -> None:
        """Ask for something."""
        self.sent.emit(request)

    def on(self, kind: type[RequestType], answer: Callable[[RequestType], object]) -> None:
        """Call `answer` with every request of a kind."""

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
    """Answer this message in the composer of its chat."""

    message: Message


@dataclass(frozen=True, slots=True)
class EditSent:
    """Give this message of ours another text."""

    message: Message


@dataclass(frozen=True, slots=True)
class DeleteSent:
    """Delete this message of ours for everyone; the operator is asked first."""

    message: Message


@dataclass(frozen=True, slots=True)
class EditDraft:
    """Edit this planned message among those that wait."""

    approval_id: ApprovalId


@dataclass(frozen=True, slots=True)
class EditInChat:
    """Edit this planned message in its conversation."""

    chat_id: ChatId
    approval_id: ApprovalId


@dataclass(frozen=True, slots=True)
class ShowDraft:
    """Show this planned message among those that wait."""

    approval_id: ApprovalId


@dataclass(frozen=True, slots=True)
class SelectDraft:
    """Put this planned message under the cursor of the approvals, without showing them."""

    approval_id: ApprovalId


@dataclass(frozen=True, slots=True)
class ShowAgent:
    """Show this agent among the agents; None shows them all."""

    agent_id: AgentId | None


@dataclass(frozen=True, slots=True)
class ShowDecisions:
    """Show what was decided in this chat; None shows it of all."""

    chat_id: ChatId | None = None


@dataclass(frozen=True, slots=True)
class ShowActiveFaults:
    """Show what goes wrong on purpose."""


@dataclass(frozen=True, slots=True)
class PickScenario:
    """Offer the scenarios of the sandbox."""


@dataclass(frozen=True, slots=True)
class OpenFolder:
    """Open the folder of this file in the file manager."""

    path: str


@dataclass(frozen=True, slots=True)
class OpenFile:
    """Open this file of the config directories in the desktop's program for it."""

    path: str


@dataclass(frozen=True, slots=True)
class MaximizePane:
    """Give this pane the whole width, or give it back."""

    pane_id: str


@dataclass(frozen=True, slots=True)
class ClosePane:
    """Close this pane, which is shown on demand, or give its room back."""

    pane_id: str


@dataclass(frozen=True, slots=True)
class OpenLogin:
    """Open the log-in of this agent."""

    agent_id: AgentId


@dataclass(frozen=True, slots=True)
class LogOut:
    """Log this agent's account out; the operator is asked first."""

    agent_id: AgentId


@dataclass(frozen=True, slots=True)
class OpenProxy:
    """Set the proxy of this agent's account."""

    agent_id: AgentId


@dataclass(frozen=True, slots=True)
class SetUpPersona:
    """Open the way to a first account."""


@dataclass(frozen=True, slots=True)
class OpenConfigDirectory:
    """Choose another config directory."""


@dataclass(frozen=True, slots=True)
class StartSandbox:
    """Start the sandbox beside this run."""
