"""What the window asks of the engine about prompts; nothing of it sends to a chat or changes anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.ids import ChatId, GraphId
    from chimein_gui.domain.prompt.sent import CallId, PromptView, SentCall, TokenCounts

T = TypeVar("T")


class PromptsConsole(Protocol):
    """The prompts of calls."""

    async def calls(self, graph_id: GraphId) -> tuple[SentCall, ...]:
        """Return the calls of a plan whose prompts are stored, oldest first."""
        ...

    async def of_chat(self, chat_id: ChatId) -> tuple[SentCall, ...]:
        """Return the newest calls of a chat whose prompts are stored, newest first."""
        ...

    async def sent(self, call_id: CallId) -> PromptView:
        """Return the prompt of a call as it was sent."""
        ...

    async def now(self, chat_id: ChatId) -> PromptView:
        """Return the prompt of the call that would be made now."""
        ...

    async def compute(self, work: Callable[[], T]) -> T:
        """Run work on prompts that takes long on another thread."""
        ...

    async def count(self, view: PromptView, progress: Callable[[int, int], object]) -> TokenCounts | None:
        """Let the provider count a prompt part by part; `progress` gets how many requests are answered, of how many.

        None if it was stopped.
        """
        ...

    def stop_counting(self) -> None:
        """Stop a count in progress."""
        ...


class PromptsApi(Protocol):
    """The part of the engine that the Prompt pane uses."""

    @property
    def prompts(self) -> PromptsConsole: ...
