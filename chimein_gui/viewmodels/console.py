"""What view models may ask of the engine. The engine's facade has this shape; tests bring a small fake of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.loaded import Loaded

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.agents import Agent, FileProblem
    from chimein_gui.domain.approvals import Approval, Decision, Outcome
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId, ApprovalId, ChatId, MessageId
    from chimein_gui.domain.messages import Message

__all__ = ["Console", "Loaded"]


class Console(Protocol):
    """The engine as the window sees it."""

    def subscribe(self, subscriber: Callable[[EngineEvent], None]) -> Callable[[], None]:
        """Receive every event from now on; returns what ends it."""
        ...

    async def load_agents(self) -> Loaded[Agent]:
        """Return all agents with their health."""
        ...

    async def load_file_problems(self) -> Loaded[FileProblem]:
        """Return the config files that could not be used."""
        ...

    async def load_chats(self) -> Loaded[Chat]:
        """Return all chats, newest message first."""
        ...

    async def load_transcript(self, chat_id: ChatId, *, before_id: MessageId | None, limit: int) -> Loaded[Message]:
        """Return up to `limit` newest messages below `before_id`, oldest first."""
        ...

    async def load_approvals(self) -> Loaded[Approval]:
        """Return all planned sends that are not final, oldest first."""
        ...

    async def load_recent_decisions(self, *, limit: int) -> Loaded[Approval]:
        """Return what was decided in the last hour, newest first."""
        ...

    async def decide(
        self,
        approval_id: ApprovalId,
        *,
        expected_version: int,
        decision: Decision,
        seen_up_to: MessageId,
        client_id: str,
    ) -> Outcome:
        """Decide on a planned send, compare-and-set (SPEC §6).

        Args:
            approval_id: What is decided.
            expected_version: The version on the card.
            decision: Approve, ApproveEdited, Reject or Undo.
            seen_up_to: Newest message id of the chat the operator had before his eyes.
            client_id: Unique to this press; repeating the call with it is a no-op with the same answer.

        Raises:
            LookupError: There is no such approval.
            StoreError: Nothing was decided.
        """
        ...

    async def start_agent(self, agent_id: AgentId) -> None:
        """Connect an agent's account, and keep it connected."""
        ...

    async def stop_agent(self, agent_id: AgentId) -> None:
        """Disconnect an agent's account."""
        ...
