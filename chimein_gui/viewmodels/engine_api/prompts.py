"""What the window asks of the engine about prompts; nothing of it sends to a chat or changes anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.ids import ChatId, GraphId
    from chimein_gui.domain.prompt.dry_runs import DryRun, PromptEdits, RebuiltPrompt
    from chimein_gui.domain.prompt.prompts import Prompt
    from chimein_gui.domain.prompt.sent import CallId, PromptView, SentCall, TokenCounts

T = TypeVar("T")


class PromptsService(Protocol):
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

    async def rebuilt(self, chat_id: ChatId) -> RebuiltPrompt:
        """Return the same prompt also as data, which can be edited for a dry run."""
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


class DryRunsService(Protocol):
    """Asks models; nothing of the answers is done. None is the answer of a run that was stopped."""

    async def rebuilt(self, run_id: str, chat_id: ChatId, prompt: Prompt, edits: PromptEdits) -> DryRun | None:
        """Ask with a prompt as the operator has edited it."""
        ...

    async def exact(self, run_id: str, chat_id: ChatId, view: PromptView) -> DryRun | None:
        """Ask once more with the bytes of a stored call."""
        ...

    def stop(self, run_id: str) -> None:
        """Stop a run."""
        ...


class PromptsApi(Protocol):
    """The part of the engine that the Prompt pane uses."""

    @property
    def dry_runs(self) -> DryRunsService: ...

    @property
    def prompts(self) -> PromptsService: ...
