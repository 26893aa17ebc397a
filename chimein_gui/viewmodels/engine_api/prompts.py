"""What the window asks of the engine about prompts; nothing of it sends or changes anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId, GraphId
    from chimein_gui.domain.prompt.sent import CallId, PromptView, SentCall


class PromptsConsole(Protocol):
    """The prompts of calls."""

    async def calls(self, graph_id: GraphId) -> tuple[SentCall, ...]:
        """Return the calls of a plan whose prompts are stored, oldest first."""
        ...

    async def sent(self, call_id: CallId) -> PromptView:
        """Return the prompt of a call as it was sent."""
        ...

    async def now(self, chat_id: ChatId) -> PromptView:
        """Return the prompt of the call that would be made now."""
        ...


class PromptsApi(Protocol):
    """The part of the engine that the Prompt pane uses."""

    @property
    def prompts(self) -> PromptsConsole: ...
